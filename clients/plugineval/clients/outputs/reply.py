"""One answer of any provider, normalised: what grading needs of it, whichever shape it came in."""

from enum import StrEnum

from plugineval.pccf.routing import EmittedCall, Failure
from plugineval.pccf.values import Value


class Shape(StrEnum):
    """How the answer was wrapped."""

    CALLS = "calls"
    """A list of name and arguments, as files of rows hold them."""
    CHAT = "chat"
    RESPONSES = "responses"
    BLOCKS = "blocks"
    """Anthropic's or Bedrock's content blocks."""
    GEMINI = "gemini"
    STREAM = "stream"
    TEXT = "text"
    UNKNOWN = "unknown"


class NormalisedReply(Value):
    """The calls under the names that were offered, verbatim with every repair on record (X11)."""

    calls: tuple[EmittedCall, ...] = ()
    text: str = ""
    finish_reason: str | None = None
    failure: Failure | None = None
    """A call attempted in text, a cut or filtered answer, or a shape that nobody knows: never an abstention (E6)."""
    shape: Shape
    remarks: tuple[str, ...] = ()
    """What was left out or put together, for the trace."""
