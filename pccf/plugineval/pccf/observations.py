"""What an execution through MCP showed. Every way to fail is a kind of its own, and none of them is a success.

`SUSPECT` is a result that looks like an error in disguise: the marks are reported to the result evaluator, which
decides; it is never decided by a pattern alone (a log reader legitimately returns lines that say "Error").
"""

from enum import StrEnum

from plugineval.pccf.values import Arguments, Json, Value


class ObservationKind(StrEnum):
    """The kinds of outcome of one execution."""

    RETURNED = "returned"
    SUSPECT = "suspect"
    TOOL_ERROR = "tool_error"
    RPC_ERROR = "rpc_error"
    TIMEOUT = "timeout"
    EMPTY = "empty"
    OUTPUT_SCHEMA = "output_schema"
    TOO_LARGE = "too_large"
    DIED = "died"
    GARBAGE = "garbage"
    REFUSED = "refused"
    UNCONFIRMED = "unconfirmed"
    """Not made yet: a person has to say whether it may be."""


EVALUABLE = frozenset({ObservationKind.RETURNED, ObservationKind.SUSPECT})
OUTAGES = frozenset({ObservationKind.DIED, ObservationKind.UNCONFIRMED})
"""They say nothing about the call, and are not kept: a resumed job makes it again."""


class Observation(Value):
    """One executed call: the request, the answer as it came (capped), and what kind of answer it was."""

    kind: ObservationKind
    tool: str
    arguments: Arguments
    text: str = ""
    """The text content, cut at the plugin's output cap."""
    structured: Json = None
    detail: str = ""
    """What went wrong, or which marks made the result suspect; for a person and for the evaluators."""
    elapsed_ms: float = 0.0
    output_bytes: int = 0

    @property
    def evaluable(self) -> bool:
        """Only a valid response goes to the result evaluator (P12); everything else is ineligible (P14)."""
        return self.kind in EVALUABLE
