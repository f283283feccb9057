"""The agent in the roles of construction and judging: which adapter plays what, and whether anybody can answer."""

import math
from collections.abc import Iterable
from datetime import datetime

import anyio

from plugineval.clients.agent.answers import WorkAnswer, WorkQueue
from plugineval.clients.agent.chat import SAMPLING, WORK_MODELS, AgentChatModel, Seat
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.clients.agent.router import AgentRouter
from plugineval.pccf.errors import ConfigurationError

AT_ONCE = 256
"""Items of one role that are on offer at once, where the role itself is not bounded otherwise."""


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
    """Makes the adapters of one job. `now` is the writer's clock, which stands still over restarts."""

    def __init__(self, queue: WorkQueue, *, now: datetime) -> None:
        self._queue = queue
        self._now = now

    def router(self, model: str) -> AgentRouter:
        """The model under test, or the reference router."""
        return AgentRouter(self._queue, model=model)

    def judge(self, model: str) -> AgentChatModel:
        """The judge of a run."""
        return AgentChatModel(self._queue, Seat(kind=WorkKind.JUDGE_GOLD, model=model))
