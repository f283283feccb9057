"""Reads host configurations into registrations. Every entry ends up imported or skipped with its reason, and every
file read or listed as unreadable; no secret leaves the file it is in.
"""

from collections.abc import Iterable
from pathlib import Path

from plugineval.clients.hosts.carrier import Carrier
from plugineval.clients.hosts.document import server_entries
from plugineval.clients.hosts.entries import carry, variables_of, why_not
from plugineval.clients.hosts.host_file import HostFile
from plugineval.clients.hosts.imports import HostImport, ImportedPlugin, SkippedEntry, UnreadFile
from plugineval.clients.hosts.names import plugin_name
from plugineval.clients.hosts.variables import Exports, referred_to
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json


def import_hosts(files: Iterable[HostFile], *, folder: Path, home: Path) -> HostImport:
    """Import every server of `files`, in order: equal servers once, equal names numbered.

    `folder` is the working directory, `home` the user's home directory. A file that cannot be read is listed in
    `unread`; call `server_entries` first where it should be an error instead.
    """
    files = tuple(files)
    unread: list[UnreadFile] = []
    found: list[tuple[HostFile, str, Json]] = []
    for file in files:
        try:
            found += [(file, name, entry) for name, entry in server_entries(file, folder).items()]
        except ConfigurationError as error:
            unread.append(UnreadFile(host=file.host, path=file.path, reason=str(error)))
    imported, skipped = _Import(home).all(found)
    return HostImport(files=files, imported=imported, skipped=skipped, unread=tuple(unread))


class _Import:
    """What has been imported so far: later entries are compared with it."""

    def __init__(self, home: Path) -> None:
        self._home = home
        self._exports = Exports()
        self._imported: list[ImportedPlugin] = []
        self._skipped: list[SkippedEntry] = []

    def all(
        self, found: list[tuple[HostFile, str, Json]]
    ) -> tuple[tuple[ImportedPlugin, ...], tuple[SkippedEntry, ...]]:
        for _, _, entry in found:
            self._exports.reserve(referred_to(entry))
            self._exports.keep(variables_of(entry))
        for file, name, entry in found:
            self._one(file, name, entry)
        return tuple(self._imported), tuple(self._skipped)

    def _one(self, file: HostFile, name: str, entry: Json) -> None:
        reason = why_not(name, entry, has_project=file.project is not None)
        if reason is not None or not isinstance(entry, dict):
            self._skip(file, name, reason or "the entry is not an object")
            return
        plugin = self._carried(file, name, entry)
        twin = next((other for other in self._imported if _same(other, plugin)), None)
        if twin is not None:
            self._skip(file, name, f"it is the same server as {twin.registration.name} from {twin.path}")
            return
        unique = plugin_name(name, (other.registration.name for other in self._imported))
        self._imported.append(
            plugin.model_copy(update={"registration": plugin.registration.model_copy(update={"name": unique})})
        )

    def _carried(self, file: HostFile, name: str, entry: dict[str, Json]) -> ImportedPlugin:
        plain = plugin_name(name, ())
        carrier = Carrier(owner=plain, project=file.project, home=self._home, exports=self._exports)
        registration, notes = carry(entry, name=plain, file=file, carrier=carrier)
        renamed = () if plain == name else (f"the host calls it {name!r}",)
        return ImportedPlugin(
            registration=registration,
            original_name=name,
            host=file.host,
            path=file.path,
            to_export=carrier.to_export,
            notes=(*renamed, *notes),
        )

    def _skip(self, file: HostFile, name: str, reason: str) -> None:
        self._skipped.append(SkippedEntry(name=name, host=file.host, path=file.path, reason=reason))


def _same(one: ImportedPlugin, other: ImportedPlugin) -> bool:
    name = other.registration.name
    return one.registration.model_copy(update={"name": name}) == other.registration
