"""What people allowed of plugins under test, as far as it is not written in the settings."""

from dataclasses import dataclass, field

from plugineval.clients.plugins.approvals import Approvals, Unexamined
from plugineval.clients.plugins.confirming import Confirmations, NobodyToAsk


@dataclass(frozen=True, kw_only=True)
class Permissions:
    """Whom a pool asks. By default every list of tools is approved, and no call that needs a person is made."""

    approvals: Approvals = field(default_factory=Unexamined)
    """Who knows which lists of tools were approved."""
    confirmations: Confirmations = field(default_factory=NobodyToAsk)
    """What people said of tools whose policy is `ask`."""
