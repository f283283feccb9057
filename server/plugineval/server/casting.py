"""Model id -> the adapter that plays a role of construction: the embedded baseline, an agent, or a prompted model."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.pccf.execution import PluginSession
from plugineval.pccf.roles import (
    ArgumentEvaluator,
    DepthAnnotator,
    Generator,
    LevelAnnotator,
    QueryWriter,
    ResultEvaluator,
)
from plugineval.pccf.routing import Router
from plugineval.server.replaying import RecordedCast
from plugineval.server.settings.roles import BASELINE
from plugineval.server.work.casting import AgentCast
from plugineval.server.work.limits import LimitedChat, LimitedRouter, LimitedSession

if TYPE_CHECKING:
    from plugineval.clients.models.registry import ModelFactory
    from plugineval.pccf.chat import ChatModel
    from plugineval.server.work.desk import DeskQueue


def _now() -> datetime:
    return datetime.now(UTC)


class Cast:
    """Model id -> the adapter that plays a role: the embedded baseline, an agent, or a prompt over a chat model.

    What asks a provider or a plugin keeps to `concurrency`; agents answer when they do, and recorded models from the
    ledger that they are called through.
    """

    def __init__(
        self, factory: "ModelFactory", recorded: RecordedCast, concurrency: int, work: "DeskQueue | None"
    ) -> None:
        self._factory = factory
        self._recorded = recorded
        self._agents = AgentCast(work)
        self._limiter = anyio.CapacityLimiter(concurrency)

    def session(self, session: PluginSession) -> PluginSession:
        """Executes on plugins, within the concurrency of the build."""
        return LimitedSession(session, self._limiter)

    def writer(self, model: str) -> QueryWriter:
        """Who writes scenarios and queries."""
        from plugineval.clients.baseline import LexicalWriter
        from plugineval.pccf.coverage.writing import PromptedQueryWriter

        if model in WORK_MODELS:
            return self._agents.writer(model)
        return LexicalWriter() if model == BASELINE else PromptedQueryWriter(self._chat(model), _now)

    def annotator(self, model: str, number: int) -> LevelAnnotator:
        """Annotator `number` of those that vote."""
        from plugineval.clients.baseline import LexicalAnnotator
        from plugineval.pccf.verification import PromptedLevelAnnotator

        if model in WORK_MODELS:
            return self._agents.annotator(model, number)
        return LexicalAnnotator() if model == BASELINE else PromptedLevelAnnotator(self._chat(model))

    def depth(self, model: str) -> DepthAnnotator:
        """Who tells the inference depth."""
        from plugineval.clients.baseline import LexicalDepthAnnotator
        from plugineval.pccf.verification import PromptedDepthAnnotator

        if model in WORK_MODELS:
            return self._agents.depth(model)
        return LexicalDepthAnnotator() if model == BASELINE else PromptedDepthAnnotator(self._chat(model))

    def generator(self, model: str) -> Generator:
        """Who proposes."""
        from plugineval.clients.baseline import LexicalGenerator
        from plugineval.pccf.verification import PromptedGenerator

        if model in WORK_MODELS:
            return self._agents.generator(model)
        return LexicalGenerator() if model == BASELINE else PromptedGenerator(self._chat(model))

    def argument_evaluator(self, model: str) -> ArgumentEvaluator:
        """S_arg."""
        from plugineval.clients.baseline import LexicalArgumentEvaluator
        from plugineval.pccf.verification import PromptedArgumentEvaluator

        if model in WORK_MODELS:
            return self._agents.argument_evaluator(model)
        return LexicalArgumentEvaluator() if model == BASELINE else PromptedArgumentEvaluator(self._chat(model))

    def result_evaluator(self, model: str) -> ResultEvaluator:
        """S_out."""
        from plugineval.clients.baseline import LexicalResultEvaluator
        from plugineval.pccf.verification import PromptedResultEvaluator

        if model in WORK_MODELS:
            return self._agents.result_evaluator(model)
        return LexicalResultEvaluator() if model == BASELINE else PromptedResultEvaluator(self._chat(model))

    def router(self, model: str) -> Router:
        """The reference router."""
        if model in WORK_MODELS:
            return self._agents.router(model)
        if model in self._recorded:
            return self._recorded.router(model)
        return LimitedRouter(self._factory.router(model), self._limiter)

    def temperature(self, model: str) -> float | None:
        """Of the reference router; None where it has none."""
        if model in self._recorded:
            return self._recorded.router(model).temperature
        return None if model in {BASELINE, *WORK_MODELS} else self._factory.config(model).temperature

    def _chat(self, model: str) -> "ChatModel":
        if model in self._recorded:
            return self._recorded.chat(model)
        return LimitedChat(self._factory.chat(model), self._limiter)
