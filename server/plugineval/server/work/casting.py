"""The agent in the roles of construction and judging: which adapter plays what, and whether anybody can answer."""

import math
from collections.abc import Iterable
from datetime import UTC, datetime

import anyio

from plugineval.clients.agent.answers import WorkAnswer, WorkQueue
from plugineval.clients.agent.chat import AgentChatModel, Seat
from plugineval.clients.agent.names import SAMPLING, WORK_MODELS
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.clients.agent.roles import (
    AgentArgumentEvaluator,
    AgentDepthAnnotator,
    AgentGenerator,
    AgentLevelAnnotator,
    AgentResultEvaluator,
)
from plugineval.clients.agent.router import AgentRouter
from plugineval.clients.agent.writer import AgentQueryWriter
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.work.desk import DeskQueue


class NobodyAnswers:
    """The queue of what is only being checked, or runs outside of a job: nothing can wait there."""

    async def answer(self, question: WorkQuestion) -> WorkAnswer:
        """Refuse."""
        raise ConfigurationError(
            f"{question.model} answers inside jobs only",
            field="model",
            next_step="use it in a build, an evaluation or a regrading, or name another model here",
        )


def plays_here(models: Iterable[str]) -> bool:
    """Whether an agent plays one of these."""
    return any(model in WORK_MODELS for model in models)


def limiter_for(models: Iterable[str], concurrency: int) -> anyio.CapacityLimiter:
    """What holds the calls of a job: nothing where an agent plays, as its items wait side by side."""
    return anyio.CapacityLimiter(math.inf if plays_here(models) else concurrency)


def refuse_sampling(model: str, *, in_session: bool) -> None:
    """`ConfigurationError` for `sampling` where no client is connected whose model could be asked."""
    if model == SAMPLING and not in_session:
        raise ConfigurationError(
            "MCP sampling needs a connected client that declares it, and this process serves none",
            field="model",
            next_step="name the model agent instead; any connected agent answers its items through work_next",
        )


class AgentCast:
    """Makes the adapters of one job; without a queue, only to see whether everything could be made."""

    def __init__(self, work: DeskQueue | None) -> None:
        self._queue: WorkQueue = work or NobodyAnswers()
        # The writer's clock stands still over restarts.
        self._now = work.since if work else datetime.now(UTC)
        self._in_session = work is None or work.in_session

    def writer(self, model: str) -> AgentQueryWriter:
        """Who writes scenarios and queries."""
        return AgentQueryWriter(self._queue, now=self._now, model=self._checked(model))

    def annotator(self, model: str, number: int) -> AgentLevelAnnotator:
        """Annotator `number` of those that vote."""
        return AgentLevelAnnotator(self._queue, model=self._checked(model), number=number)

    def depth(self, model: str) -> AgentDepthAnnotator:
        """Who tells the inference depth."""
        return AgentDepthAnnotator(self._queue, model=self._checked(model))

    def generator(self, model: str) -> AgentGenerator:
        """Who proposes."""
        return AgentGenerator(self._queue, model=self._checked(model))

    def argument_evaluator(self, model: str) -> AgentArgumentEvaluator:
        """S_arg."""
        return AgentArgumentEvaluator(self._queue, model=self._checked(model))

    def result_evaluator(self, model: str) -> AgentResultEvaluator:
        """S_out."""
        return AgentResultEvaluator(self._queue, model=self._checked(model))

    def router(self, model: str) -> AgentRouter:
        """The model under test, or the reference router."""
        return AgentRouter(self._queue, model=self._checked(model))

    def judge(self, model: str) -> AgentChatModel:
        """The judge of a run."""
        return AgentChatModel(self._queue, Seat(kind=WorkKind.JUDGE_GOLD, model=self._checked(model)))

    def _checked(self, model: str) -> str:
        refuse_sampling(model, in_session=self._in_session)
        return model
