"""The port to a chat model that plays a role (generator, evaluator, writer): text in, text out."""

from typing import Literal, Protocol

from plugineval.pccf.routing import Failure
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Json, Value


class ChatTurn(Value):
    """One message of a request."""

    role: Literal["system", "user", "assistant"]
    content: str


class ChatRequest(Value):
    """What a role asks of its model. `answer_schema` is the JSON Schema the text must satisfy, where one is asked."""

    turns: tuple[ChatTurn, ...]
    answer_schema: dict[str, Json] | None = None
    seed: int = 0


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
