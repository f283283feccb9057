"""PluginEval as an entry of a host: how this installation is started, and what it takes from the environment.

No secret is ever written: a host that fills in variables gets references, for any other a person is told what to fill.
"""

import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import cast

from plugineval.clients.hosts.entries import is_own
from plugineval.clients.hosts.known_hosts import KnownHost
from plugineval.pccf.values import Json, Value

NAME = "plugineval"
"""The name of the entry."""
MODULE = "plugineval.server.cli"


class OwnServer(Value):
    """The server that a host is to start."""

    command: tuple[str, ...]
    """Absolute path first."""
    environment: dict[str, str]
    """Variables with values that are no secrets."""
    variables: tuple[str, ...] = ()
    """Variables that the settings refer to, and which may be secrets."""


def own_command() -> tuple[str, ...]:
    """`plugineval serve` of this interpreter, by its absolute path: a host knows no virtual environment."""
    places = (Path(sys.executable).parent, Path(sysconfig.get_path("scripts")))
    scripts = (place / name for place in places for name in (NAME, f"{NAME}.exe"))
    script = next((script for script in scripts if script.is_file()), None)
    return (str(script.absolute()), "serve") if script else (sys.executable, "-m", MODULE, "serve")


def own_entry(server: OwnServer, host: KnownHost, existing: Mapping[str, Json] | None = None) -> dict[str, Json]:
    """The entry of `server`. What a person added to an `existing` one stays, and so do values that were filled in."""
    before = dict(existing or {})
    kept = before.get("env")
    environment: dict[str, Json] = {
        **_references(server, host),
        **(kept if isinstance(kept, dict) else {}),
        **server.environment,
    }
    kind: dict[str, Json] = {"type": "stdio"} if host.typed else {}
    if same_command(before, server):
        return {**kind, **before, "env": environment}
    command, *arguments = server.command
    return {**kind, **before, "command": command, "args": cast("list[Json]", arguments), "env": environment}


def to_fill(server: OwnServer, host: KnownHost, entry: Mapping[str, Json]) -> tuple[str, ...]:
    """Variables that the host does not fill in and nobody wrote into `entry`."""
    if host.reference is not None:
        return ()
    written = entry.get("env")
    known = written if isinstance(written, dict) else {}
    return tuple(name for name in server.variables if not known.get(name))


def starts_plugineval(entry: Json) -> bool:
    """Whether an entry starts PluginEval, of whatever installation."""
    return isinstance(entry, dict) and is_own("", entry)


def same_command(entry: Mapping[str, Json], server: OwnServer) -> bool:
    """Whether an entry starts this installation."""
    arguments = entry.get("args")
    words = [entry.get("command"), *(arguments if isinstance(arguments, list) else [])]
    return words[: len(server.command)] == list(server.command)


def spoken_command(entry: Json) -> str:
    """The command of an entry, for a sentence."""
    if not isinstance(entry, dict):
        return "nothing that could be started"
    arguments = entry.get("args")
    words = [entry.get("command") or entry.get("url"), *(arguments if isinstance(arguments, list) else [])]
    return " ".join(str(word) for word in words if word is not None)


def _references(server: OwnServer, host: KnownHost) -> dict[str, Json]:
    return {name: host.refer(name) for name in server.variables if host.reference is not None}
