"""One repeat of one cell of the matrix, as it happened: everything needed to grade it again without a new call (X9)."""

from pydantic import AwareDatetime

from plugineval.pccf.routing import RouterReply
from plugineval.pccf.values import Value


class Attempt(Value):
    """One model answering one case once."""

    case_id: str
    model: str
    repeat: int
    """From 0."""
    reply: RouterReply
    toolset_hash: str
    """Hash of the tools that were sent: the same for every model, or the run is refused (B8)."""
    at: AwareDatetime
    variant: str = ""
    """The variant of the tool descriptions that were sent; empty for the published ones (X7)."""
