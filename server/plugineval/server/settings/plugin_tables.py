"""`[plugins.NAME]`: a command or a url, what it is given, and what may be executed on it."""

import re
from collections.abc import Mapping
from pathlib import Path

from plugineval.clients.hosts.names import plugin_name
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.sandbox import PLACEHOLDER
from plugineval.pccf.values import Json
from plugineval.server.settings.addresses import checked_address
from plugineval.server.settings.references import expand
from plugineval.server.settings.settings import Unready
from plugineval.server.settings.source import SettingsSource, spelled
from plugineval.server.settings.toml_lines import Key, line_of
from plugineval.server.settings.validation import validated

_EXAMPLE = '[plugins.math] with command = "mcp-mathematics"'


def read_plugin(
    source: SettingsSource, name: str, value: Json, environ: Mapping[str, str]
) -> PluginRegistration | Unready:
    """One plugin's table, or what it waits for; `ConfigurationError` for every mistake in it."""
    key: Key = ("plugins", name)
    table = source.table(key, value, example=_EXAMPLE)
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", name):
        problem = "a plugin's name is 1 to 64 letters, digits, _ and -"
        raise source.error(key, problem, next_step=f"write [plugins.{plugin_name(name, ())}]")
    _check_reachable(source, key, table)
    expanded, missing = expand(table, environ)
    registration = validated(source, key, PluginRegistration, _rooted(expanded, source.folder), {"name": name})
    if missing:
        where = f"{source.path}, line {line_of(source.text, key)}: {spelled(key)}"
        return Unready(kind="plugin", name=name, variables=missing, where=where)
    if registration.url is not None:
        checked_address(source, (*key, "url"), registration.url)
    return registration


def _check_reachable(source: SettingsSource, key: Key, table: Mapping[str, Json]) -> None:
    ways = [way for way in ("command", "url") if table.get(way) not in (None, "")]
    if len(ways) == 1:
        return
    empty = next((way for way in ("command", "url") if way in table), None)
    problem = "has both a command and a url" if ways else "needs a command (stdio) or a url (streamable HTTP)"
    where = key if ways or empty is None else (*key, empty)
    step = "keep one of them" if ways else f"write {_EXAMPLE}"
    raise source.error(where, problem, allowed=("command", "url"), next_step=step)


def _rooted(table: dict[str, Json], folder: Path) -> dict[str, Json]:
    """Relative paths are relative to the file; a bare command name is left to be found on the PATH."""
    rooted = dict(table)
    cwd, command = table.get("cwd"), table.get("command")
    sandbox = table.get("sandbox")
    if isinstance(cwd, str) and not cwd.startswith(PLACEHOLDER):
        rooted["cwd"] = str(folder / Path(cwd).expanduser())
    if isinstance(command, str):
        rooted["command"] = _command(command, folder)
    if isinstance(sandbox, dict):
        rooted["sandbox"] = _rooted_sandbox(sandbox, folder)
    return rooted


def _rooted_sandbox(table: dict[str, Json], folder: Path) -> dict[str, Json]:
    rooted = dict(table)
    fixture = table.get("copy")
    if isinstance(fixture, str):
        rooted["copy"] = str(folder / Path(fixture).expanduser())
    for name in ("reset", "cleanup"):
        if isinstance(commands := table.get(name), list):
            rooted[name] = _rooted_argv(commands, folder)
    return rooted


def _rooted_argv(commands: list[Json], folder: Path) -> list[Json]:
    """One command, or several: the first word of each is its program."""
    if commands and isinstance(commands[0], str):
        return [_command(commands[0], folder), *commands[1:]]
    return [_rooted_argv(each, folder) if isinstance(each, list) else each for each in commands]


def _command(command: str, folder: Path) -> str:
    found = Path(command).expanduser()
    return command if found.name == command else str(folder / found)
