"""Who reviews: chat models behind their endpoints, and connected agents, each in a seat of its own.

A seat of agents may be taken by another agent for every subject, and an agent never takes two seats of one subject.
"""

import math
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Protocol

import anyio

from plugineval.clients.agent.chat import AgentChatModel, Seat
from plugineval.clients.agent.names import AGENT
from plugineval.clients.agent.questions import WorkKind
from plugineval.harness.audits.opinions import Reviewed
from plugineval.harness.audits.prompted import PromptedReviewer, prompt_hash
from plugineval.harness.audits.questions import CaseQuestion, RowQuestion
from plugineval.pccf.calling import RoleCalls
from plugineval.pccf.chat import ChatModel
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.ledger import CallKey, Ledger
from plugineval.pccf.values import Json, content_hash
from plugineval.server.settings.settings import Settings
from plugineval.server.sharing.factories import open_factory

if TYPE_CHECKING:
    from plugineval.clients.models.registry import ModelFactory
    from plugineval.server.work.desk import DeskQueue
    from plugineval.server.workspace import Workspace

TIMEOUT_S = 300.0


class Reviewer(Protocol):
    """One of those who review every subject."""

    @property
    def name(self) -> str:
        """Of the seat; who sat in it stands in each answer."""
        ...

    async def review(self, subject: str, question: CaseQuestion | RowQuestion) -> Reviewed:
        """One opinion, or the boundary that broke; recorded under the subject."""
        ...


class ModelReviewer:
    """A chat model of the settings."""

    def __init__(self, model: ChatModel, calls: RoleCalls) -> None:
        self._reviewer = PromptedReviewer(model)
        self._calls = calls
        self.name = model.id

    async def review(self, subject: str, question: CaseQuestion | RowQuestion) -> Reviewed:
        """Its opinion."""
        key = _key(self.name, subject, question)
        return await self._calls.ask(key, Reviewed, lambda: self._reviewer.review(question))


class AgentSeat:
    """A seat for connected agents; `number` tells the seats apart."""

    def __init__(self, queue: "DeskQueue", number: int, calls: RoleCalls) -> None:
        self._queue = queue
        self._number = number
        self._calls = calls
        self.name = f"{AGENT} {number}"

    async def review(self, subject: str, question: CaseQuestion | RowQuestion) -> Reviewed:
        """The opinion of whoever takes the item."""

        async def ask() -> Reviewed:
            seat = Seat(kind=WorkKind.REVIEW, subject=content_hash(subject)[:32], number=self._number)
            chat = AgentChatModel(self._queue, seat)
            found = await PromptedReviewer(chat).review(question)
            return found.model_copy(update={"by": chat.player})

        return await self._calls.ask(_key(self.name, subject, question), Reviewed, ask)


def _key(name: str, subject: str, question: CaseQuestion | RowQuestion) -> CallKey:
    request: Json = {"question": question.key, "prompt": prompt_hash(type(question))}
    return CallKey(stage="review", model=name, case=subject, request=request)


def refuse_reviewers(workspace: "Workspace", models: Sequence[str]) -> None:
    """`ConfigurationError` for a reviewer that is named twice, is no chat model, or waits for a variable or a key."""
    from plugineval.clients.models.registry import ModelFactory

    twice = next((name for name in models if models.count(name) > 1), None)
    if twice is not None:
        step = "name each reviewer once; agents take the other seats"
        raise ConfigurationError(f"{twice} is named twice", field="reviewer", next_step=step)
    factory = ModelFactory(workspace.settings.models, environ=workspace.environ, secrets=workspace.settings.secrets)
    for name in models:
        _chat(factory, workspace.settings, name)


@asynccontextmanager
async def open_reviewers(
    workspace: "Workspace", models: Sequence[str], agents: int, *, ledger: Ledger, work: "DeskQueue"
) -> AsyncGenerator[list[Reviewer]]:
    """The models, then the seats of agents, whose items wait side by side."""
    settings = workspace.settings
    waiting = RoleCalls(ledger=ledger, limiter=anyio.CapacityLimiter(math.inf))
    seats: list[Reviewer] = []
    async with open_factory(settings, workspace.environ, store=workspace.store) as factory:
        for name in models:
            limiter = anyio.CapacityLimiter(factory.config(name).concurrency)
            calls = RoleCalls(ledger=ledger, limiter=limiter, timeout_s=TIMEOUT_S)
            seats.append(ModelReviewer(_chat(factory, settings, name), calls))
        yield [*seats, *(AgentSeat(work, number + 1, waiting) for number in range(agents))]


def _chat(factory: "ModelFactory", settings: Settings, name: str) -> ChatModel:
    if any(entry.name == name for entry in settings.unready):
        settings.model(name)
    if name not in settings.models and not name.startswith("openai:"):
        raise ConfigurationError(
            f"{name!r} is no registered chat model",
            field="reviewer",
            allowed=(*settings.models, "openai:MODEL"),
            next_step="leave it out and a connected agent, or a person with a file of answers, takes the seat",
        )
    return factory.chat(name)
