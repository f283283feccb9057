"""What installing PluginEval in a host, or taking it out, would change: worked out first, shown, and only then done.

A change is held to its word before anybody sees it: the new text has to parse to the old document with our entry set
or removed and nothing else different, or it is refused.
"""

import copy
import difflib
from collections.abc import Mapping, Sequence
from pathlib import Path

from plugineval.clients.hosts.document import parsed
from plugineval.clients.hosts.json_text import UnclearTextError, with_value, without_value
from plugineval.clients.hosts.known_hosts import KnownHost, Scope
from plugineval.clients.hosts.masking import masked
from plugineval.clients.hosts.own_entry import (
    NAME,
    OwnServer,
    own_entry,
    same_command,
    spoken_command,
    starts_plugineval,
    to_fill,
)
from plugineval.clients.hosts.placing import as_content, content_of, text_in
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json, Value

_NEW = "{}\n"


class FileChange(Value):
    """One file of a host, before and after; `before` None: there is no such file."""

    path: Path
    before: bytes | None
    after: bytes
    to_fill: tuple[str, ...] = ()
    """Variables that a person has to write into the entry."""

    @property
    def needed(self) -> bool:
        """Whether anything changes."""
        return self.before != self.after

    @property
    def diff(self) -> str:
        """The change, with secrets of other entries struck out."""
        old = "" if self.before is None else text_in(self.path, self.before)
        new = text_in(self.path, self.after)
        document = [parsed(self.path, text) for text in (old, new) if text.strip()]
        names = (str(self.path) if self.before is not None else "(no such file)", str(self.path))
        lines = difflib.unified_diff(old.splitlines(), new.splitlines(), *names, lineterm="")
        return masked("\n".join(lines), document)


def installation(host: KnownHost, path: Path, server: OwnServer, scope: Scope) -> FileChange:
    """Our entry set in the file at `path`; no change where it is there as it should be.

    `ConfigurationError`: the folder of the host is not there, the file cannot be read, is not JSON, or must not be
    changed, or another server goes by our name.
    """
    before = content_of(path)
    if before is None and scope is Scope.USER and not path.parent.is_dir():
        step = f"install {host.host} and start it once; --print shows the entry for a host that lies elsewhere"
        raise ConfigurationError(f"{host.host} has no such folder", field=str(path.parent), next_step=step)
    text = _NEW if before is None else text_in(path, before)
    if not text.strip():
        text = _NEW
    table = _table(host, path, _document(host, path, text))
    existing = table.get(NAME)
    _refuse_other(host, path, existing, server)
    entry = own_entry(server, host, existing if isinstance(existing, dict) else None)
    as_it_is = before if existing == entry else None
    after = as_it_is or as_content(_edited(host, path, text, entry), before)
    return FileChange(path=path, before=before, after=after, to_fill=to_fill(server, host, entry))


def removal(host: KnownHost, path: Path) -> FileChange | None:
    """Our entry taken out of the file at `path`, whichever installation it starts; None where it is not in there."""
    before = content_of(path)
    text = "" if before is None else text_in(path, before)
    if before is None or not text.strip():
        return None
    entry = _table(host, path, _document(host, path, text)).get(NAME)
    if entry is None:
        return None
    if not starts_plugineval(entry):
        raise _of_somebody_else(path, entry, "remove it by hand if you do not want it")
    return FileChange(path=path, before=before, after=as_content(_edited(host, path, text, None), before))


def snippet(host: KnownHost, server: OwnServer) -> dict[str, Json]:
    """The whole of a file that lists nothing but our entry."""
    return {host.table: {NAME: own_entry(server, host)}}


def _refuse_other(host: KnownHost, path: Path, existing: Json, server: OwnServer) -> None:
    if existing is None:
        return
    if not isinstance(existing, dict) or not starts_plugineval(existing):
        raise _of_somebody_else(path, existing, "give that server another name in this file, and run this again")
    if not same_command(existing, server):
        step = f"run `plugineval hosts uninstall {host.name}` first, if this installation is to take its place"
        problem = f"{NAME} is in there already and starts another command: {spoken_command(existing)}"
        raise ConfigurationError(problem, field=str(path), next_step=step)


def _of_somebody_else(path: Path, entry: Json, step: str) -> ConfigurationError:
    problem = f"another server is called {NAME} in there; it starts {spoken_command(entry)}"
    return ConfigurationError(problem, field=str(path), next_step=step)


def _document(host: KnownHost, path: Path, text: str) -> dict[str, Json]:
    document = parsed(path, text, lenient=host.comments)
    if not isinstance(document, dict):
        step = f'it has to hold one object: {{"{host.table}": {{}}}}'
        raise ConfigurationError("lists no MCP servers", field=str(path), next_step=step)
    return document


def _table(host: KnownHost, path: Path, document: Mapping[str, Json]) -> dict[str, Json]:
    table = document.get(host.table, {})
    if not isinstance(table, dict):
        step = f'make it an object: "{host.table}": {{}}'
        raise ConfigurationError(f"{host.table} is not an object", field=str(path), next_step=step)
    return table


def _edited(host: KnownHost, path: Path, text: str, entry: dict[str, Json] | None) -> str:
    document = _document(host, path, text)
    wanted = copy.deepcopy(document)
    table = _table(host, path, wanted)
    if entry is None:
        table.pop(NAME)
    else:
        wanted[host.table] = {**table, NAME: entry}
    try:
        edited = _without(text, host) if entry is None else _with(text, host, table.get(NAME), entry)
        sound = _document(host, path, edited) == wanted
    except (UnclearTextError, ConfigurationError) as error:
        raise _unclear(path, str(error)) from error
    if not sound:
        raise _unclear(path, "the rest of it would not stay as it is")
    return edited


def _with(text: str, host: KnownHost, existing: Json, entry: dict[str, Json]) -> str:
    place = (host.table, NAME)
    if not isinstance(existing, dict):
        return with_value(text, place, entry)
    for path, value in _differences(existing, entry):
        text = with_value(text, (*place, *path), value)
    return text


def _differences(existing: Mapping[str, Json], entry: Mapping[str, Json]) -> list[tuple[Sequence[str], Json]]:
    """The members to be set, so that what a person wrote between the others stays."""
    found: list[tuple[Sequence[str], Json]] = []
    for key, value in entry.items():
        before = existing.get(key)
        if isinstance(before, dict) and isinstance(value, dict):
            found += [((key, *path), inner) for path, inner in _differences(before, value)]
        elif key not in existing or before != value:
            found.append(((key,), value))
    return found


def _without(text: str, host: KnownHost) -> str:
    return without_value(text, (host.table, NAME))


def _unclear(path: Path, why: str) -> ConfigurationError:
    problem = f"is written in a way that cannot be changed for sure ({why}), and is left alone"
    return ConfigurationError(problem, field=str(path), next_step="change it yourself; --print shows the entry")
