"""The lines of a recording: a header that says what was recorded of which models and when, then one answer a line.

An answer to a query with tools (`route`) is found again by what the model saw: the conversation, the clock, the tools
and the number of the repeat. An answer in a role is found by the digest of everything its role was given.
"""

from typing import Literal, TypeAlias

from pydantic import AwareDatetime, Field

from plugineval.pccf.examples import Query
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.stamps import ModelStamp
from plugineval.pccf.values import Json, Value, content_hash


class RecordedModel(Value):
    """One model of a recording, as it was asked when it was recorded."""

    answers: int = Field(ge=1)
    """Lines of this model: fewer are a file that lost some."""
    prompt_hash: str = ""
    temperature: float | None = None
    stamp: ModelStamp | None = None


class RecordingHeader(Value):
    """The first line."""

    recording: Literal[1] = 1
    recorded_at: AwareDatetime
    """When the work that was recorded was begun."""
    kind: str
    """Of the job that was recorded."""
    source: str
    """Id of the run or job."""
    about: str
    """The benchmark."""
    models: dict[str, RecordedModel]


class RouteLine(Value):
    """What a model answered to a query with tools."""

    line: Literal["route"] = "route"
    model: str
    asked: str
    """`asked_of` the query."""
    toolset: str
    """Content hash of the tools."""
    seed: int
    text: str
    """The request, for who reads the file."""
    at: AwareDatetime | None = None
    reply: RouterReply


class RoleLine(Value):
    """What a model answered in a role of construction, or as a judge."""

    line: Literal["role"] = "role"
    model: str
    stage: str
    question: str
    """`question_of` the call."""
    repeat: int
    case: str
    """Which case it was asked about when it was recorded: tells answers to the same question apart."""
    answer: dict[str, Json]


AnswerLine: TypeAlias = RouteLine | RoleLine


def asked_of(query: Query) -> str:
    """Digest of what a model sees of `query`; where it came from is not shown to any."""
    return content_hash([[message.model_dump(mode="json") for message in query.messages], _clock(query)])


def question_of(key: CallKey) -> str:
    """Digest of a call apart from its case, whose id is of one job alone."""
    return key.model_copy(update={"case": ""}).digest


def _clock(query: Query) -> str | None:
    return query.now.isoformat() if query.now else None
