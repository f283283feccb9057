"""What an import of host configurations found: nothing is dropped without its reason (X11)."""

from pathlib import Path

from plugineval.clients.hosts.host_file import Host, HostFile
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.values import Value


class ImportedPlugin(Value):
    """One server of a host, as a registration. Its secrets were left behind: `${NAME}` stands in their place."""

    registration: PluginRegistration
    original_name: str
    host: Host
    path: Path
    to_export: tuple[str, ...] = ()
    """Environment variables that the registration refers to."""
    notes: tuple[str, ...] = ()
    """What a person should know about how the entry was carried over."""


class SkippedEntry(Value):
    """One server of a host that was not imported, and why."""

    name: str
    host: Host
    path: Path
    reason: str


class UnreadFile(Value):
    """A host file that could not be read; the others were."""

    host: Host
    path: Path
    reason: str


class HostImport(Value):
    """Everything that was found."""

    files: tuple[HostFile, ...] = ()
    imported: tuple[ImportedPlugin, ...] = ()
    skipped: tuple[SkippedEntry, ...] = ()
    unread: tuple[UnreadFile, ...] = ()

    @property
    def to_export(self) -> tuple[str, ...]:
        """Every variable that any registration refers to, once."""
        return tuple(dict.fromkeys(name for plugin in self.imported for name in plugin.to_export))
