"""Policy `ask`: a person says, once for each tool and job, whether it may be executed. Never a model, never a default.

Where a person is asked is not known here: a call that was not decided yet is not made, and says so.
"""

from typing import Literal, Protocol

from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Value


class Confirmation(Value):
    """What a person said of a tool, and the sentence that tells it."""

    state: Literal["granted", "refused", "pending"]
    reason: str


class Confirmations(Protocol):
    """Those of one job."""

    def of(self, tool: ToolSpec, arguments: Arguments) -> Confirmation:
        """What was decided; where nothing was, a person is asked, and `arguments` are shown as what is wanted first."""
        ...


class NobodyToAsk:
    """Where no job runs there is nobody who could confirm."""

    def of(self, tool: ToolSpec, arguments: Arguments) -> Confirmation:
        """Refused."""
        return Confirmation(state="refused", reason="its policy is ask, and nobody can be asked here")
