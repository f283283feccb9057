"""What the comparator leaves open about one aligned pair, as a question to a judge, and the answer that settles it.

The gold call is the only anchor (P38); the query may explain that two values mean the same and never extends or
overrides gold (P39). A settlement is kept by the question's key, so that the same pair never gets two verdicts.
"""

from typing import Literal

from pydantic import AwareDatetime

from plugineval.harness.outcomes import ParameterSubtype
from plugineval.pccf.values import Json, Value, content_hash


class JudgeQuestion(Value):
    """One value of one aligned pair of calls that the comparator is unsure of."""

    tool: str
    tool_description: str = ""
    argument: str
    """Path of the value, dotted from the argument down."""
    argument_schema: dict[str, Json] = {}
    gold: Json
    predicted: Json
    query: str
    now: AwareDatetime | None = None
    doubt: str = ""
    """Why the comparator is unsure."""

    @property
    def key(self) -> str:
        """Hash of everything a judge sees."""
        return content_hash(self)


class Settlement(Value):
    """A judge's verdict on one question."""

    verdict: Literal["equal", "different", "failure"]
    """`failure`: unreadable, contradictory, out of range or refused; never a verdict about the model (P43)."""
    subtype: ParameterSubtype | None = None
    """Of a difference, as its justification says (P43)."""
    justification: str = ""
    judge: str
    prompt_hash: str = ""
    raw: str = ""
    """The answer as it came, kept where it could not be read."""
