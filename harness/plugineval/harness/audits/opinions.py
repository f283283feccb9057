"""What a reviewer says: of a case level by level (P60), of a row in one word (P61), each with a reason."""

from enum import StrEnum
from typing import Literal, TypeAlias

from pydantic import Field

from plugineval.pccf.routing import Failure
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Value

Say: TypeAlias = Literal["yes", "no", "unsure"]


class Level(StrEnum):
    """What is asked of a case."""

    NEED = "need"
    """Whether a call is right, or none is, as the gold has it: of every case."""
    TARGET = "target"
    """Whether it is this tool that is to be called: of positives."""
    ARGS = "args"
    """Whether every argument is right: of positives."""


class NegativeOpinion(Value):
    """On a case whose gold is to make no call."""

    need: Say
    reason: str


class PositiveOpinion(Value):
    """On a case with gold calls."""

    need: Say
    target: Say
    args: Say
    reason: str


class RowClass(StrEnum):
    """What a graded row is, in the paper's words for the judge audit."""

    CORRECT = "correct"
    MISSED = "missed"
    SPURIOUS = "spurious"
    PARAMETER_ERROR = "parameter_error"


class RowOpinion(Value):
    """On the verdict of one row: `confirm`, or the class that is right instead."""

    verdict: Literal["confirm", "unsure", "correct", "missed", "spurious", "parameter_error"]
    reason: str


Opinion: TypeAlias = PositiveOpinion | NegativeOpinion | RowOpinion
CaseOpinion: TypeAlias = PositiveOpinion | NegativeOpinion


class Reviewed(Value):
    """One answer of a reviewer, as the journal keeps it; exactly one of `opinion` and `failure`."""

    opinion: Opinion | None = None
    by: str = ""
    """Who it was: the model, the agent with its client and model, or the name in a file."""
    failure: Failure | None = None
    spent: Spent | None = None


class Review(Value):
    """An opinion with what it is about."""

    subject: str
    """Id of the case, or of the row."""
    reviewer: str
    opinion: Opinion
    involved: str = ""
    """What the reviewer had to do with it before; empty for an independent one."""


class Unanswered(Value):
    """A review that nobody gave."""

    subject: str
    reviewer: str
    reason: str = Field(min_length=1)


def said(opinion: CaseOpinion) -> dict[str, Say]:
    """Level -> what was said of it, of the levels that were asked."""
    levels = [level.value for level in Level if level.value in type(opinion).model_fields]
    return {level: getattr(opinion, level) for level in levels}


def valid(opinion: CaseOpinion) -> bool:
    """Whether every level that was asked is right."""
    return all(say == "yes" for say in said(opinion).values())
