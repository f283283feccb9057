"""Recorded models among the names that a person typed: `recorded:NAME`, the bare name, or a file on the spot."""

from collections.abc import Iterable, Mapping
from pathlib import Path

from plugineval.clients.recorded.config import PREFIX, RecordedConfig, recorded_id, reference_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json


class RecordedNames:
    """Turns what was typed into ids; `found` grows by the files that were named on the way."""

    def __init__(self, registered: Iterable[RecordedConfig], folder: Path) -> None:
        """Relative files are relative to `folder`."""
        self.found = {each.id: each for each in registered}
        self._registered = frozenset(self.found)
        self._folder = folder

    def id_of(self, name: str) -> str:
        """The id of the recorded model that `name` means, or `name` itself where it means none.

        `ConfigurationError` where two files would have one id.
        """
        if recorded_id(name) in self._registered:
            return recorded_id(name)
        if not name.startswith(PREFIX) or name in self._registered:
            return name
        named = reference_of(name, self._folder)
        if self.found.setdefault(named.id, named) != named:
            raise ConfigurationError(
                f"another file is {named.id} already",
                field=name,
                next_step="rename one of them, or register it: [models.NAME] with recorded = FILE",
            )
        return named.id

    def roles(self, table: Mapping[str, Json]) -> dict[str, Json]:
        """The table `[roles]` with ids in place of what was typed."""
        return {role: self._resolved(value) for role, value in table.items()}

    def _resolved(self, value: Json) -> Json:
        if isinstance(value, list):
            return [self._resolved(each) for each in value]
        return self.id_of(value) if isinstance(value, str) else value
