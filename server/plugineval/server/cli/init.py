"""`plugineval init`: writes a `plugineval.toml` from what other hosts already know, or a starter file.

Everything found is shown: imported, skipped with its reason, or unreadable; and which variables have to be exported.
"""

import os
import shlex
import shutil
import sys
import sysconfig
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from plugineval.clients.hosts.document import server_entries
from plugineval.clients.hosts.host_file import HostFile, named_file, project_files, user_files
from plugineval.clients.hosts.importing import import_hosts
from plugineval.clients.hosts.imports import HostImport, ImportedPlugin
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json, Value
from plugineval.server.cli.exit_codes import reported
from plugineval.server.cli.options import HomeOption, JsonOption
from plugineval.server.cli.plain_text import one_line, printable
from plugineval.server.cli.program import command_line
from plugineval.server.cli.terminal import echo_json, err, out
from plugineval.server.settings.locations import FILE_NAME, find_home
from plugineval.server.settings.source import text_of
from plugineval.server.settings.starter import StarterPlugin, starter_text
from plugineval.server.settings.writing import write_settings
from plugineval.server.trust.settings_files import TrustedFiles

if TYPE_CHECKING:
    from rich.console import Console

_DEMO = {"time": "mcp-server-time", "math": "mcp-mathematics"}
_DEMO_REMARK = "a demonstration server that is installed beside PluginEval"


class Surroundings(Value):
    """Where `init` looks."""

    cwd: Path
    home: Path
    """The user's home directory."""
    platform: str
    environ: dict[str, str]

    @classmethod
    def here(cls) -> "Surroundings":
        """Those of the running process."""
        return cls(cwd=Path.cwd(), home=Path.home(), platform=sys.platform, environ=dict(os.environ))


class Initialised(Value):
    """What `init` did."""

    path: Path
    kept: Path | None
    """Where the file that was there before is kept."""
    found: HostImport
    starters: tuple[PluginRegistration, ...]
    """Demo plugins that were registered because no host had any."""
    unset: tuple[str, ...]
    """Variables to be exported that are not set now."""


def initialise(around: Surroundings, *, source: Path | None, output: Path | None, force: bool) -> Initialised:
    """Find host files (or take `source`), and write the settings to `output` (the working directory by default).

    `ConfigurationError`: `source` lists no servers, or `output` is there and `force` is not set.
    """
    files = discovered(around) if source is None else named(around.cwd / source.expanduser(), around.cwd)
    found = import_hosts(files, folder=around.cwd, home=around.home)
    starters = () if found.imported else installed_demo_plugins(around.environ)
    plugins = [StarterPlugin(plugin.registration, _remarks(plugin)) for plugin in found.imported]
    plugins += [StarterPlugin(registration, (_DEMO_REMARK,)) for registration in starters]
    path = around.cwd / (output or Path(FILE_NAME)).expanduser()
    kept = write_settings(path, starter_text(plugins), force=force)
    unset = tuple(name for name in found.to_export if not around.environ.get(name))
    return Initialised(path=path, kept=kept, found=found, starters=starters, unset=unset)


def discovered(around: Surroundings) -> tuple[HostFile, ...]:
    """The project's files, then the user's, each once."""
    project = project_files(around.cwd)
    seen = {file.path for file in project}
    user = user_files(home=around.home, platform=around.platform, environ=around.environ)
    return (*project, *(file for file in user if file.path not in seen))


def named(source: Path, cwd: Path) -> tuple[HostFile, ...]:
    """The host file (or the folder with host files) that was named; it has to be readable."""
    files = project_files(source) if source.is_dir() else (named_file(source),)
    if not files:
        allowed = (".mcp.json", ".vscode/mcp.json", ".cursor/mcp.json")
        raise ConfigurationError(f"{source} holds no host configuration", field="--from", allowed=allowed)
    for file in files:
        server_entries(file, cwd)
    return files


def installed_demo_plugins(environ: Mapping[str, str]) -> tuple[PluginRegistration, ...]:
    """The demonstration servers that are installed beside the interpreter or on the PATH."""
    places = (str(Path(sys.executable).parent), sysconfig.get_path("scripts"), environ.get("PATH", ""))
    return tuple(
        PluginRegistration(name=name, command=command)
        for name, command in _DEMO.items()
        if any(place and shutil.which(command, path=place) for place in places)
    )


def as_json(done: Initialised) -> Json:
    """What was done, for scripts; holds references, no secrets."""
    found = done.found
    return {
        "path": str(done.path),
        "kept": str(done.kept) if done.kept else None,
        "files": [str(file.path) for file in found.files],
        "imported": [
            {"name": plugin.registration.name, "from": str(plugin.path), "notes": list(plugin.notes)}
            for plugin in found.imported
        ],
        "skipped": [{"name": entry.name, "from": str(entry.path), "reason": entry.reason} for entry in found.skipped],
        "unread": [{"from": str(file.path), "reason": file.reason} for file in found.unread],
        "starters": [registration.name for registration in done.starters],
        "export": list(found.to_export),
        "unset": list(done.unset),
    }


def show(done: Initialised, console: "Console") -> None:
    """What was done, for people."""
    for plugin in done.found.imported:
        notes = "".join(f"\n    {note}" for note in plugin.notes)
        _say(console, f"  + {plugin.registration.name}  from {plugin.path} ({plugin.host}){notes}")
        _say(console, f"    {one_line(_reached(plugin.registration))}")
    for entry in done.found.skipped:
        _say(console, f"  - {entry.name}  from {entry.path}: skipped, {entry.reason}")
    for file in done.found.unread:
        _say(console, f"  ! {file.path}: {file.reason}")
    for registration in done.starters:
        _say(console, f"  + {registration.name}  {registration.command}, installed beside PluginEval")
    if done.kept:
        _say(console, f"The file that was there is kept as {done.kept}.")
    _say(console, f"Wrote {done.path}.")
    if done.unset:
        _say(console, "Secrets stayed where they were. Before use: " + " ".join(f"export {n}=..." for n in done.unset))
    _say(console, f"Next: {command_line('doctor', '--plugins', *_config(done.path))}")


def init_command(
    source: Annotated[
        Path | None, typer.Option("--from", help="A host's configuration (such as .mcp.json), or a folder with some.")
    ] = None,
    output: Annotated[
        Path | None,
        typer.Option("--out", metavar="FILE", help="The file to write; plugineval.toml in this directory by default."),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace an existing file; it is kept as .bak.")] = False,
    home: HomeOption = None,
    json_output: JsonOption = False,
) -> None:
    """Write a plugineval.toml from the MCP servers that Claude, VS Code, Cursor and others already use."""
    with reported(err(), as_json=json_output):
        done = initialise(Surroundings.here(), source=source, output=output, force=force)
        # Whoever has it written vouches for it, and sees below what it starts.
        kept_in = find_home(home=home, environ=os.environ, cwd=Path.cwd())
        TrustedFiles(kept_in).record(done.path, text_of(done.path))
        if json_output:
            echo_json(as_json(done))
        else:
            show(done, out())


def _reached(registration: PluginRegistration) -> str:
    if registration.command is None:
        return f"connects to: {registration.url}"
    return f"starts: {shlex.join([registration.command, *registration.args])}"


def _config(path: Path) -> tuple[str, ...]:
    """Nothing where the file is found by itself."""
    return () if path.parent == Path.cwd() and path.name == FILE_NAME else ("--config", str(path))


def _remarks(plugin: ImportedPlugin) -> tuple[str, ...]:
    export = (f"export {', '.join(plugin.to_export)} before use",) if plugin.to_export else ()
    return (f"from {plugin.path}", *plugin.notes, *export)


def _say(console: "Console", text: str) -> None:
    console.print(printable(text), markup=False, highlight=False, soft_wrap=True)
