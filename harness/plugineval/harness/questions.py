"""What the comparator leaves open about one aligned pair, as a question to a judge, and the answer that settles it.

The gold call is the only anchor (P38); the query may explain that two values mean the same and never extends or
overrides gold (P39). A settlement is kept by the question's key, so that the same pair never gets two verdicts.
"""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Literal, Protocol

from pydantic import AwareDatetime

from plugineval.harness.parameter_subtypes import ParameterSubtype
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

    @cached_property
    def key(self) -> str:
        """Hash of everything a judge sees."""
        return content_hash(self)


class JudgeFailure(StrEnum):
    """Why a judge gave no verdict."""

    EMPTY = "empty"
    REFUSED = "refused"
    UNREADABLE = "unreadable"
    OUT_OF_RANGE = "out_of_range"
    CONTRADICTORY = "contradictory"
    DISAGREEMENT = "disagreement"
    """The two orders of presentation led to different verdicts."""
    OUTAGE = "outage"
    """The judge's provider did not answer: not remembered, and asked again on resume."""


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
    failure: JudgeFailure | None = None
    """Set exactly where the verdict is `failure` and its kind is known."""


class JudgedValue(Value):
    """A question with the settlement it got, as it is kept on a graded row."""

    question: JudgeQuestion
    settlement: Settlement


class Judge(Protocol):
    """Whoever settles what the comparator leaves open."""

    @property
    def id(self) -> str:
        """Stable id, shown in every record."""
        ...

    @property
    def prompt_hash(self) -> str:
        """Content hash of the prompt, part of the identity of a settlement."""
        ...

    async def settle(self, questions: Sequence[JudgeQuestion]) -> Mapping[str, Settlement]:
        """One settlement per question, by its key, and always the same one for the same question.

        What cannot be settled is a `failure`; nothing is raised for it.
        """
        ...
