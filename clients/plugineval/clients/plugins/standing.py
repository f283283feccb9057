"""A registration becomes a plugin that can be called: warm as it is, or on copies of its fixture."""

from contextlib import ExitStack
from typing import TYPE_CHECKING

from plugineval.clients.plugins.copies import Copies
from plugineval.clients.plugins.fresh import FreshPlugin
from plugineval.clients.plugins.household import Household
from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.sandbox import Sandbox
from plugineval.clients.plugins.warm import WarmPlugin

if TYPE_CHECKING:
    from plugineval.clients.plugins.copying import CopyOpener
    from plugineval.clients.plugins.opening import Opened


def stand_up(registration: PluginRegistration, household: Household, exits: ExitStack) -> WarmPlugin | FreshPlugin:
    """The plugin, not started yet; what it leaves on disk is deleted when `exits` is left."""
    if registration.sandbox is None:
        return WarmPlugin(registration, household, Redactor(registration.secrets, others=household.secrets))
    return _on_copies(registration, registration.sandbox, household, exits)


def _on_copies(
    registration: PluginRegistration, sandbox: Sandbox, household: Household, exits: ExitStack
) -> WarmPlugin | FreshPlugin:
    # Resolved, because a server says where it works without links.
    copies = Copies(household.home.resolve() / "plugins" / registration.name / "copies")
    exits.callback(copies.close)
    redactor = Redactor(registration.secrets, others=household.secrets, copies=copies.root)
    opener: CopyOpener | None = None

    async def open_copy() -> "Opened":
        nonlocal opener
        from plugineval.clients.plugins.copying import CopyOpener

        opener = opener or CopyOpener(registration, sandbox, household, copies)
        return await opener.open(redactor)

    if sandbox.per == "session":
        return WarmPlugin(registration, household, redactor, open_copy)
    return FreshPlugin(registration, household, redactor, open_copy, sandbox.copies)
