"""Which hosts there are, where their files lie, and whether PluginEval is in them."""

from pathlib import Path
from typing import TYPE_CHECKING

from plugineval.clients.hosts.document import server_entries
from plugineval.clients.hosts.host_file import HostFile
from plugineval.clients.hosts.known_hosts import HOSTS, Around, KnownHost, Scope
from plugineval.clients.hosts.own_entry import NAME, OwnServer, same_command, spoken_command
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json
from plugineval.server.cli.options import SharedOptions
from plugineval.server.cli.own_server import around_here, own_server

if TYPE_CHECKING:
    from rich.console import Console

NO_PROJECT = Path()
"""Entries for one project alone are not looked at."""
_COLUMNS = ("host", "scope", "state", "path")


def listed(shared: SharedOptions) -> list[Json]:
    """A row for every host and scope: `state` is installed, other, absent, no file, no host or unreadable."""
    server, _ = own_server(shared)
    around = around_here()
    return [_row(host, scope, around, server) for host in HOSTS for scope in host.scopes]


def show_listed(rows: list[Json], console: "Console") -> None:
    """The rows for people."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    from plugineval.harness.rendering.neutral import plain

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for column in _COLUMNS:
        table.add_column(column, overflow="fold", no_wrap=column in {"host", "scope"})
    for row in rows:
        if isinstance(row, dict):
            words = f"{row['state']}: {row['note']}" if row["note"] else str(row["state"])
            table.add_row(
                *(Text(plain(text)) for text in (str(row["host"]), str(row["scope"]), words, str(row["path"])))
            )
    console.print(table, crop=False)
    console.print("plugineval hosts install HOST", markup=False, highlight=False)


def _row(host: KnownHost, scope: Scope, around: Around, server: OwnServer) -> dict[str, Json]:
    path = host.place(scope, around)
    state, note = _state(host, path, server)
    if state == "no file" and scope is Scope.USER and not (path.parent != around.home and path.parent.is_dir()):
        state = "no host"
    return {"host": host.name, "scope": scope.value, "path": str(path), "state": state, "note": note}


def _state(host: KnownHost, path: Path, server: OwnServer) -> tuple[str, str]:
    if not path.is_file():
        return "no file", ""
    try:
        entries = server_entries(HostFile(host=host.host, path=path), NO_PROJECT)
    except ConfigurationError as error:
        return ("absent", "") if error.problem == "lists no MCP servers" else ("unreadable", error.problem)
    entry = entries.get(NAME)
    if entry is None:
        return "absent", ""
    if isinstance(entry, dict) and same_command(entry, server):
        return "installed", ""
    return "other", spoken_command(entry)
