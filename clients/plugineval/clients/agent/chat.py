"""A chat model played by an agent: a request is offered as an item of work, its answer comes back as JSON text."""

import json

from plugineval.clients.agent.answers import Worker, WorkQueue
from plugineval.clients.agent.names import AGENT
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.pccf.chat import ChatReply, ChatRequest, ChatTurn
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Json, Value

ASKED = Spent(calls=1, cost=None)
"""What an agent's answer costs is known to whoever pays for the agent."""
_SPOKEN = {"assistant": "Your earlier answer:", "user": "What was wrong with it:"}


class Seat(Value):
    """Who is asked, and for what: fixed for every question of one call of a role."""

    kind: WorkKind
    model: str = AGENT
    subject: str = ""
    number: int = 0
    answer_schema: dict[str, Json] | None = None
    """Replaces the schema of the request, where it can be said more exactly."""


class AgentChatModel:
    """A `ChatModel` for one call of one role; `answered_by` is who answered last."""

    def __init__(self, queue: WorkQueue, seat: Seat) -> None:
        self._queue = queue
        self._seat = seat
        self.answered_by: Worker | None = None

    @property
    def id(self) -> str:
        """`agent`."""
        return self._seat.model

    @property
    def player(self) -> str:
        """The id, with who it was once somebody has answered."""
        return player(self.id, self.answered_by)

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Wait for the answer. There is no timeout: a person's agent answers when it does."""
        seat, turns = self._seat, request.turns
        question = WorkQuestion(
            kind=seat.kind,
            model=seat.model,
            instructions="\n\n".join(turn.content for turn in turns if turn.role == "system"),
            evidence=_evidence([turn for turn in turns if turn.role != "system"]),
            answer_schema=seat.answer_schema or request.answer_schema or {"type": "string"},
            subject=seat.subject or request.subject,
            seat=seat.number,
            seed=request.seed,
        )
        answered = await self._queue.answer(question)
        self.answered_by = answered.by
        text = answered.answer if isinstance(answered.answer, str) else json.dumps(answered.answer, ensure_ascii=False)
        return ChatReply(text=text, spent=ASKED)


def player(model: str, worker: Worker | None) -> str:
    """`agent: claude-code 2.1 (some-model)`: the name under which records know who answered."""
    return model if worker is None else f"{model}: {worker.label}"


def _evidence(turns: list[ChatTurn]) -> str:
    first, *later = turns
    spoken = [f"{_SPOKEN[turn.role]}\n{turn.content}" for turn in later if turn.role in _SPOKEN]
    return "\n\n".join([first.content, *spoken])
