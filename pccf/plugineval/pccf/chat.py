"""The port to a chat model that plays a role (generator, evaluator, writer): text in, text out."""

from datetime import datetime
from typing import Literal, Protocol

from plugineval.pccf.routing import Failure
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Json, Value, content_hash


class ChatTurn(Value):
    """One message of a request."""

    role: Literal["system", "user", "assistant"]
    content: str


class ChatRequest(Value):
    """What a role asks of its model. `answer_schema` is the JSON Schema the text must satisfy, where one is asked."""

    turns: tuple[ChatTurn, ...]
    answer_schema: dict[str, Json] | None = None
    seed: int = 0
    subject: str = ""
    """`subject_of` the request that is asked about, for who keeps roles apart (P17); no model is shown it."""


def subject_of(text: str, now: datetime | None) -> str:
    """What generator and evaluator of one record have in common: a hash of a request and the clock it was asked at."""
    return content_hash([text, now.isoformat() if now else None])[:32]


class ChatReply(Value):
    """The text as it came, or the boundary that broke."""

    text: str = ""
    failure: Failure | None = None
    usage: dict[str, Json] | None = None
    spent: Spent | None = None
    latency_ms: float = 0.0


class ChatModel(Protocol):
    """A model that plays a role."""

    @property
    def id(self) -> str:
        """Stable model id, shown in every record."""
        ...

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Answer once. Failures are data, not exceptions."""
        ...
