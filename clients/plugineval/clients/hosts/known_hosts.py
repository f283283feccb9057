"""The hosts that PluginEval can be put into: which file lists their servers, and what they understand in it."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from plugineval.clients.hosts.host_file import Host, project_place, user_places
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.values import Json, Value


class Scope(StrEnum):
    """Whose servers: the user's own, in every project, or those of one project."""

    USER = "user"
    PROJECT = "project"


class KnownHost(Value):
    """One host."""

    name: str
    """What is typed."""
    host: Host
    scopes: tuple[Scope, ...] = (Scope.USER, Scope.PROJECT)
    """The first is meant where none is named."""
    table: str = "mcpServers"
    """The member of its files that lists the servers."""
    comments: bool = False
    """Whether it reads comments and trailing commas."""
    typed: bool = True
    """Whether an entry says `"type": "stdio"`."""
    reference: str | None = None
    """How `NAME` of its environment is written in an entry; None where it fills in nothing."""
    takes_effect: str
    """What a person has to do before it starts the server."""

    def place(self, scope: Scope, around: "Around") -> Path:
        """The file of `scope`, whether or not it is there."""
        if scope is Scope.PROJECT:
            return project_place(self.host, around.folder)
        return user_places(home=around.home, platform=around.platform, environ=around.environ)[self.host]

    def refer(self, variable: str) -> str | None:
        """How an entry takes `variable` from the host's environment."""
        return None if self.reference is None else self.reference.replace("NAME", variable)


class Around(Value):
    """Where hosts are looked for."""

    folder: Path
    """The project: the working directory."""
    home: Path
    """The user's home directory."""
    platform: str
    """`sys.platform`'s."""
    environ: Mapping[str, str]


HOSTS = (
    KnownHost(
        name="claude-desktop",
        host=Host.CLAUDE_DESKTOP,
        scopes=(Scope.USER,),
        typed=False,
        takes_effect="quit Claude Desktop completely and start it again",
    ),
    KnownHost(
        name="claude-code",
        host=Host.CLAUDE_CODE,
        # A variable that is not set would arrive as these very characters; nothing at all counts as not set.
        reference="${NAME:-}",
        takes_effect="start Claude Code anew, and look at /mcp",
    ),
    KnownHost(
        name="vscode",
        host=Host.VSCODE,
        table="servers",
        comments=True,
        reference="${env:NAME}",
        takes_effect="run `MCP: List Servers` in VS Code and start plugineval",
    ),
    KnownHost(
        name="cursor",
        host=Host.CURSOR,
        comments=True,
        reference="${env:NAME}",
        takes_effect="switch plugineval on in Cursor's settings, under MCP",
    ),
)


def known_host(name: str) -> KnownHost:
    """The host that was named; `UnknownNameError` lists them where it is none."""
    found = next((host for host in HOSTS if host.name == name), None)
    if found is None:
        raise UnknownNameError("host", name, [host.name for host in HOSTS], next_step="name one of these")
    return found


def chosen_scope(host: KnownHost, scope: Scope | None) -> Scope:
    """`scope`, or the host's first; `ConfigurationError` where the host has no such scope."""
    if scope is not None and scope not in host.scopes:
        raise ConfigurationError(f"{host.host} has no scope {scope}", field="--scope", allowed=host.scopes)
    return scope or host.scopes[0]


def claude_add(entry: Mapping[str, Json], name: str) -> tuple[str, ...]:
    """The command line by which Claude Code itself adds an entry for the user."""
    environment = entry.get("env")
    pairs = environment if isinstance(environment, dict) else {}
    variables = [word for key, value in pairs.items() for word in ("--env", f"{key}={value}")]
    arguments = entry.get("args")
    words = [str(word) for word in arguments] if isinstance(arguments, list) else []
    scope = ("--scope", Scope.USER.value)
    return (
        "claude",
        "mcp",
        "add",
        "--transport",
        "stdio",
        *variables,
        *scope,
        "--",
        name,
        str(entry["command"]),
        *words,
    )


def claude_remove(name: str) -> tuple[str, ...]:
    """The command line by which Claude Code itself takes an entry of the user out."""
    return ("claude", "mcp", "remove", "--scope", Scope.USER.value, name)
