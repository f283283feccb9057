"""Where MCP hosts keep their list of servers: files of a project first, then files of the user."""

from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path

from plugineval.pccf.values import Value


class Host(StrEnum):
    """The program a configuration belongs to; `PROJECT` is the portable `.mcp.json` that several of them read."""

    PROJECT = ".mcp.json"
    VSCODE = "VS Code"
    CURSOR = "Cursor"
    CLAUDE_DESKTOP = "Claude Desktop"
    CLAUDE_CODE = "Claude Code"
    COPILOT = "Copilot CLI"
    OTHER = "file"


class HostFile(Value):
    """One configuration file, and the folder that its servers are started in."""

    host: Host
    path: Path
    project: Path | None = None
    """Root of the project the file belongs to; None for a user's own file."""


_PROJECT_FILES = ((Host.PROJECT, ".mcp.json"), (Host.VSCODE, ".vscode/mcp.json"), (Host.CURSOR, ".cursor/mcp.json"))


def project_files(folder: Path) -> tuple[HostFile, ...]:
    """The host files of a project that exist."""
    found = (HostFile(host=host, path=folder / name, project=folder) for host, name in _PROJECT_FILES)
    return tuple(file for file in found if file.path.is_file())


def user_files(*, home: Path, platform: str, environ: Mapping[str, str]) -> tuple[HostFile, ...]:
    """The user's own host files that exist. `platform` is `sys.platform`'s."""
    places = user_places(home=home, platform=platform, environ=environ)
    return tuple(HostFile(host=host, path=path) for host, path in places.items() if path.is_file())


def user_places(*, home: Path, platform: str, environ: Mapping[str, str]) -> dict[Host, Path]:
    """Where each host keeps the user's own list, whether or not it is there."""
    applications = _application_data(home, platform, environ)
    return {
        Host.CLAUDE_DESKTOP: applications / "Claude" / "claude_desktop_config.json",
        Host.CLAUDE_CODE: Path(environ.get("CLAUDE_CONFIG_DIR") or home) / ".claude.json",
        Host.VSCODE: applications / "Code" / "User" / "mcp.json",
        Host.CURSOR: home / ".cursor" / "mcp.json",
        Host.COPILOT: home / ".copilot" / "mcp-config.json",
    }


def project_place(host: Host, folder: Path) -> Path:
    """Where `host` looks for the servers of the project in `folder`; `.mcp.json` unless it has a file of its own."""
    return folder / dict(_PROJECT_FILES).get(host, ".mcp.json")


def named_file(path: Path) -> HostFile:
    """A file that a person named: the folder tells whose it is, and which project it belongs to."""
    for host, name in _PROJECT_FILES:
        if path.as_posix().endswith("/" + name):
            root = path.parents[name.count("/")]
            is_home = path == Path.home() / ".cursor" / "mcp.json"
            return HostFile(host=host, path=path, project=None if is_home else root)
    by_name = {"claude_desktop_config.json": Host.CLAUDE_DESKTOP, ".claude.json": Host.CLAUDE_CODE}
    return HostFile(host=by_name.get(path.name, Host.OTHER), path=path)


def _application_data(home: Path, platform: str, environ: Mapping[str, str]) -> Path:
    if platform == "darwin":
        return home / "Library" / "Application Support"
    if platform == "win32":
        return Path(environ.get("APPDATA") or home / "AppData" / "Roaming")
    return Path(environ.get("XDG_CONFIG_HOME") or home / ".config")
