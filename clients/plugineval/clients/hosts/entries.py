"""One server entry of a host becomes a registration, or a reason why it cannot."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from pydantic import SecretStr

from plugineval.clients.hosts.carrier import Carrier
from plugineval.clients.hosts.host_file import HostFile
from plugineval.clients.hosts.names import variable_name
from plugineval.clients.hosts.variables import unportable
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.values import Json

_STDIO = frozenset({"stdio", "local"})
_HTTP = frozenset({"http", "streamable-http", "streamablehttp", "streamable_http"})
_UNDERSTOOD = frozenset({"type", "transport", "command", "args", "env", "cwd", "url", "headers", "disabled", "envFile"})


class Carried(NamedTuple):
    """A registration under a provisional name, and what a person should know about it."""

    registration: PluginRegistration
    notes: tuple[str, ...]


def why_not(name: str, entry: Json, *, has_project: bool) -> str | None:
    """Why `entry` cannot be imported; None where it can."""
    if not isinstance(entry, dict):
        return "the entry is not an object"
    if is_own(name, entry):
        return "this is PluginEval itself"
    if entry.get("disabled") is True:
        return "it is disabled in this host"
    foreign = unportable({key: entry[key] for key in entry if key in _UNDERSTOOD}, has_project=has_project)
    if foreign is not None:
        return f"it uses {foreign}, which only its host can fill in"
    return _why_unreachable(entry)


def is_own(name: str, entry: Mapping[str, Json]) -> bool:
    """Whether an entry starts, or is, PluginEval."""
    arguments = entry.get("args")
    texts = [entry.get("command"), *(arguments if isinstance(arguments, list) else [])]
    words = [text.replace("\\", "/").rsplit("/", 1)[-1] for text in texts if isinstance(text, str)]
    starts = any(
        word == "plugineval" or word.startswith(("plugineval.", "plugineval=", "plugineval[")) for word in words
    )
    return starts or name.lower() == "plugineval"


def variables_of(entry: Json) -> list[str]:
    """The environment variables that an entry sets."""
    return [key for key, _ in _pairs(entry, "env")] if isinstance(entry, dict) else []


def carry(entry: Mapping[str, Json], *, name: str, file: HostFile, carrier: Carrier) -> Carried:
    """The registration of an entry that `why_not` has nothing against."""
    notes: list[str] = []
    if "url" in entry:
        headers = {
            key: carrier.setting(key, text, wanted=variable_name(name, key)) for key, text in _pairs(entry, "headers")
        }
        registration = PluginRegistration(
            name=name,
            url=carrier.address(str(entry["url"])),
            headers={key: SecretStr(text) for key, text in headers.items()},
        )
    else:
        registration, notes = _stdio(entry, name=name, file=file, carrier=carrier)
    return Carried(registration, (*notes, *_notes(entry, carrier)))


def _stdio(
    entry: Mapping[str, Json], *, name: str, file: HostFile, carrier: Carrier
) -> tuple[PluginRegistration, list[str]]:
    raw = entry.get("args")
    arguments = carrier.arguments([_text(arg) for arg in raw] if isinstance(raw, list) else [])
    command = _rooted(carrier.text(str(entry["command"])), file)
    environment = {key: carrier.variable(key, text) for key, text in _pairs(entry, "env")}
    cwd, notes = _folder(entry, arguments, file, carrier)
    registration = PluginRegistration(
        name=name,
        command=command,
        args=tuple(arguments),
        env={key: SecretStr(text) for key, text in environment.items()},
        cwd=cwd,
    )
    return registration, notes


def _why_unreachable(entry: Mapping[str, Json]) -> str | None:
    command, url = entry.get("command"), entry.get("url")
    kind = str(entry.get("type") or entry.get("transport") or ("http" if url else "stdio")).lower()
    if kind == "sse":
        return "it uses the retired SSE transport; give the server's streamable HTTP address instead"
    if kind not in _STDIO | _HTTP:
        return f"its type {kind!r} is not supported (stdio and http are)"
    if kind in _HTTP:
        return None if isinstance(url, str) and url else "it has no url"
    return None if isinstance(command, str) and command else "it has no command"


def _folder(
    entry: Mapping[str, Json], arguments: list[str], file: HostFile, carrier: Carrier
) -> tuple[Path | None, list[str]]:
    """Hosts start servers in the project; here that is done only where an argument needs it."""
    root = file.project or file.path.parent
    written = entry.get("cwd")
    if isinstance(written, str) and written:
        return root / Path(carrier.text(written)).expanduser(), []
    if file.project is None:
        return None, []
    needing = next((arg for arg in arguments if _lies_in(file.project, arg)), None)
    return (file.project, [f"it is started in {file.project}, where {needing} lies"]) if needing else (None, [])


def _lies_in(project: Path, argument: str) -> bool:
    if not argument or argument.startswith("-") or Path(argument).is_absolute():
        return False
    try:
        return (project / argument).exists()
    except (OSError, ValueError):
        return False


def _rooted(command: str, file: HostFile) -> str:
    path = Path(command).expanduser()
    return command if path.name == command else str((file.project or file.path.parent) / path)


def _notes(entry: Mapping[str, Json], carrier: Carrier) -> list[str]:
    ignored = sorted(key for key in entry if key not in _UNDERSTOOD)
    notes = [f"not carried over: {', '.join(ignored)}"] if ignored else []
    if "envFile" in entry:
        notes.append("its envFile is not read; export the variables in it")
    if carrier.asked_for:
        notes.append(
            f"the host asks for {', '.join(dict.fromkeys(carrier.asked_for))}; here it comes from the environment"
        )
    return notes


def _pairs(entry: Mapping[str, Json], field: str) -> list[tuple[str, str]]:
    table = entry.get(field)
    return [(key, _text(value)) for key, value in table.items() if value is not None] if isinstance(table, dict) else []


def _text(value: Json) -> str:
    """Hosts also accept numbers and booleans where a text is meant."""
    return value if isinstance(value, str) else str(value).lower() if isinstance(value, bool) else str(value)
