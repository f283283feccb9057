"""Which lists of tools a person approved: the first one that a registered server offers, then none but that one.

A person's registration vouches for a server as it is then, whatever its policy: what goes beyond tools that are known
to read needs a word of its own in the settings (`sandboxed`) or for the job (`ask`). From then on names, descriptions,
schemas and hints have to stay as they are, or a person looks at the difference. A registration with another command,
argument or address is another server.
"""

from datetime import UTC, datetime
from pathlib import Path

from pydantic import AwareDatetime, ValidationError

from plugineval.clients.plugins.approvals import ToolsChangedError
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.tool_changes import ToolChanges, changes_between
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.tools import Plugin
from plugineval.pccf.values import Json, Value, content_hash
from plugineval.server.trust.private_files import PrivateFolder

_PENDING = "-changed"


class ApprovedList(Value):
    """A list of tools, when it was approved, and by what."""

    listed: Plugin
    at: AwareDatetime
    by: str


class ToolLists:
    """Kept below the home. Implements `plugineval.clients.plugins.approvals.Approvals`."""

    def __init__(self, home: Path) -> None:
        self._folder = PrivateFolder(home / "approvals" / "tools")
        self._known: dict[str, str] = {}
        """Content hashes that were found to be approved, so that a file is read once for a process."""

    def examine(self, registration: PluginRegistration, listed: Plugin) -> None:
        """Return where `listed` is approved, or is the first of this registration."""
        name = _name(registration)
        if registration.approve == "always" or self._known.get(name) == listed.content_hash:
            return
        approved = self.approved(registration)
        if approved is None:
            self.approve(registration, listed, by="first use")
        elif approved.listed.content_hash != listed.content_hash:
            self._folder.keep(name + _PENDING, _stored(listed, by="seen"))
            raise ToolsChangedError(registration.name, changes_between(approved.listed, listed), listed)
        self._known[name] = listed.content_hash

    def approve(self, registration: PluginRegistration, listed: Plugin, *, by: str) -> None:
        """From now on `listed` is what this registration offers."""
        self._folder.keep(_name(registration), _stored(listed, by=by))
        self._folder.drop(_name(registration) + _PENDING)

    def approved(self, registration: PluginRegistration) -> ApprovedList | None:
        """What was approved; None where the server was never listed. `ConfigurationError` for a damaged file."""
        return self._read(_name(registration))

    def pending(self, registration: PluginRegistration) -> ToolChanges | None:
        """What was seen to differ from what is approved, and was not approved yet."""
        if registration.approve == "always":
            return None
        approved, seen = self.approved(registration), self._read(_name(registration) + _PENDING)
        if approved is None or seen is None or seen.listed.content_hash == approved.listed.content_hash:
            return None
        return changes_between(approved.listed, seen.listed)

    def refuse_other(self, registration: PluginRegistration, tools: Plugin) -> None:
        """Refuse work that began with other `tools` than those that are approved by now."""
        approved = self.approved(registration)
        if registration.approve == "always" or approved is None:
            return
        found = changes_between(approved.listed, tools)
        # What is missing was left out of the work.
        if found.added or found.changed:
            raise ConfigurationError(
                f"its approved tools are not those that this work began with: {found.sentence}",
                field=registration.field,
                next_step="start the work again",
            )

    def _read(self, name: str) -> ApprovedList | None:
        found = self._folder.get(name)
        try:
            return None if found is None else ApprovedList.model_validate(found)
        except ValidationError as error:
            raise ConfigurationError(
                "is no list of tools",
                field=str(self._folder.path / f"{name}.json"),
                next_step="delete it; the next list of this plugin then counts as approved",
            ) from error


def _stored(listed: Plugin, *, by: str) -> dict[str, Json]:
    return ApprovedList(listed=listed, at=datetime.now(UTC), by=by).model_dump(mode="json")


def _name(registration: PluginRegistration) -> str:
    """The plugin, and a digest of how it is started: arguments may hold a secret."""
    how = [registration.command, list(registration.args), registration.url, str(registration.cwd or "")]
    return f"{registration.name}-{content_hash(how)[:16]}"
