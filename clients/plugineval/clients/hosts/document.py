"""The JSON of a host file, comments and trailing commas allowed, and the server entries in it, whatever they go by."""

import json
import re
from pathlib import Path

from plugineval.clients.hosts.host_file import HostFile
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json

_SHAPES = ("mcpServers", "servers")


def server_entries(file: HostFile, folder: Path) -> dict[str, Json]:
    """Name -> raw entry. `folder` is the working directory: Claude Code keeps entries for one project in its own file.

    Raises `ConfigurationError` where the file cannot be read, is not JSON, or lists no servers at all.
    """
    document = parsed(file.path, text_of(file.path))
    if not isinstance(document, dict):
        raise _shapeless(file.path)
    nested = document.get("mcp")
    places: list[dict[str, Json]] = [document, *([nested] if isinstance(nested, dict) else [])]
    projects = document.get("projects")
    own = projects.get(str(folder)) if isinstance(projects, dict) else None
    places += [own] if isinstance(own, dict) else []
    tables = [table for place in places for shape in _SHAPES if isinstance(table := place.get(shape), dict)]
    if not tables and not isinstance(projects, dict):
        raise _shapeless(file.path)
    return {name: entry for table in tables for name, entry in table.items()}


def parsed(path: Path, text: str, *, lenient: bool = True) -> Json:
    """The document in `text`, the text of the file `path`; `ConfigurationError` names the line that is not JSON.

    `lenient`: comments and trailing commas are allowed.
    """
    try:
        plain: Json = json.loads(text)
    except json.JSONDecodeError as error:
        if lenient:
            return _parsed_leniently(path, text)
        problem, field = f"this is not JSON: {error.msg}", f"{path}, line {error.lineno}"
        raise ConfigurationError(problem, field=field, next_step="mend that line: its host cannot read it") from error
    except RecursionError as error:
        raise ConfigurationError("is nested too deeply to be read", field=str(path)) from error
    return plain


def _parsed_leniently(path: Path, text: str) -> Json:
    """Comments and trailing commas; the strict parser goes first, for it is far faster on the large files of hosts."""
    import json5

    try:
        lenient: Json = json5.loads(text)
    except ValueError as error:
        found = re.match(r"<string>:(\d+) (.*)", str(error))
        line, reason = (found[1], found[2]) if found else ("1", str(error))
        field = f"{path}, line {line}"
        raise ConfigurationError(f"this is not JSON: {reason}", field=field, next_step="mend that line") from error
    except RecursionError as error:
        raise ConfigurationError("is nested too deeply to be read", field=str(path)) from error
    return lenient


def text_of(path: Path) -> str:
    """The text of a file; `ConfigurationError` where it cannot be read or is not UTF-8."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ConfigurationError("is not UTF-8", field=str(path), next_step="save it again as UTF-8") from error
    except OSError as error:
        step = "name a file that you may read, such as .mcp.json"
        raise ConfigurationError(f"cannot be read ({error.strerror})", field=str(path), next_step=step) from error


def _shapeless(path: Path) -> ConfigurationError:
    step = "name the file in which the host lists its MCP servers"
    return ConfigurationError("lists no MCP servers", field=str(path), allowed=_SHAPES, next_step=step)
