"""The composition root: the only place that knows which adapter plays which port."""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio

from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.run import RunConfig
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.ledger import Ledger
from plugineval.pccf.roles import (
    ArgumentEvaluator,
    DepthAnnotator,
    Generator,
    LevelAnnotator,
    QueryWriter,
    ResultEvaluator,
)
from plugineval.pccf.routing import Router
from plugineval.pccf.values import content_hash
from plugineval.server.settings.roles import BASELINE
from plugineval.server.settings.settings import Settings

if TYPE_CHECKING:
    from plugineval.clients.models.registry import ModelFactory
    from plugineval.clients.plugins.pool import PluginPool
    from plugineval.harness.judging import GoldAnchoredJudge, JudgeConfig
    from plugineval.pccf.construction.plan import ConstructionRoles
    from plugineval.pccf.metering import Meter
    from plugineval.server.workspace import Workspace


def plugin_pool(settings: Settings, names: Iterable[str]) -> "PluginPool":
    """A pool of the named plugins; `UnknownNameError` or `ConfigurationError` before anything is started."""
    from plugineval.clients.plugins.pool import PluginPool

    with suppress(OSError):
        # Whoever writes into it says what is wrong with it.
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    return PluginPool([settings.plugin(name) for name in names], home=settings.home)


def known_models(settings: Settings) -> tuple[str, ...]:
    """Ids that can be evaluated without naming an endpoint."""
    return (BASELINE, *(model.id for model in degenerate_models()), *settings.models)


def unready_models(settings: Settings, environ: Mapping[str, str]) -> dict[str, str]:
    """Registered models that cannot be asked -> what they wait for. Nothing is sent."""
    from plugineval.clients.models.access import access_of

    found = {
        entry.name: f"{entry.error().problem}; {entry.next_step}" for entry in settings.unready if entry.kind == "model"
    }
    for name, model in settings.models.items():
        try:
            access_of(model, environ)
        except ConfigurationError as error:
            found[name] = f"{error.problem}; {error.next_step}" if error.next_step else error.problem
    return found


def _refuse_unknown(settings: Settings, name: str, base_url: str | None) -> None:
    """An id that nothing could answer to: embedded ones are never sent to an endpoint."""
    if name in known_models(settings):
        return
    if any(entry.name == name for entry in settings.unready):
        settings.model(name)
    embedded = name.startswith(("baseline:", "degenerate:"))
    if embedded or (base_url is None and not name.startswith("openai:")):
        step = "register it as [models.NAME] in plugineval.toml, write openai:MODEL, or give --base-url"
        raise UnknownNameError("model", name, known_models(settings), next_step=step)


@asynccontextmanager
async def open_routers(
    settings: Settings, config: RunConfig, *, base_url: str | None, environ: Mapping[str, str]
) -> AsyncGenerator[list[Router]]:
    """The models under test, in the order of `config`, each once; unknown ids are refused before any call.

    A model that is registered keeps its own limit of calls in flight; any other has that of the run.
    """
    from plugineval.clients.models.registry import open_models

    floors: dict[str, Router] = {model.id: model for model in degenerate_models()}
    wanted = list(dict.fromkeys(config.models))
    for name in wanted:
        _refuse_unknown(settings, name, base_url)
    others = [name for name in wanted if name not in floors]
    limit = config.concurrency
    async with open_models(
        others, settings.models, base_url=base_url, environ=environ, unregistered_concurrency=limit
    ) as models:
        yield [floors.get(name) or models[name] for name in wanted]


@asynccontextmanager
async def open_reference_router(
    settings: Settings, model: str, environ: Mapping[str, str]
) -> AsyncGenerator[tuple[Router, float | None]]:
    """A router to calibrate on, and its temperature; unknown ids and missing keys are refused before any call."""
    from plugineval.clients.models.registry import ModelFactory

    _refuse_unknown(settings, model, None)
    factory = ModelFactory(settings.models, environ=environ)
    try:
        embedded = model.startswith(("baseline:", "degenerate:"))
        yield factory.router(model), None if embedded else factory.config(model).temperature
    finally:
        with anyio.CancelScope(shield=True):
            await factory.aclose()


@asynccontextmanager
async def open_roles(
    settings: Settings,
    config: BuildConfig,
    session: "PluginPool",
    ledger: Ledger,
    environ: Mapping[str, str],
    meter: "Meter | None" = None,
) -> AsyncGenerator["ConstructionRoles"]:
    """Everything a construction talks to, as the settings bind the roles. `ledger` is the one that `meter` counts."""
    from plugineval.clients.models.registry import ModelFactory
    from plugineval.pccf.construction.plan import ConstructionRoles
    from plugineval.pccf.verification import StageOne, StageOneRoles

    factory = ModelFactory(settings.models, environ=environ)
    cast = _Cast(factory)
    roles, limiter = settings.roles, anyio.CapacityLimiter(config.concurrency)
    stage_one = StageOneRoles(
        generators=[cast.generator(name) for name in roles.generators],
        arguments=cast.argument_evaluator(roles.argument_evaluator),
        results=cast.result_evaluator(roles.result_evaluator),
        session=session,
        ledger=ledger,
        config=config.verification,
        limiter=limiter,
        meter=meter,
    )
    try:
        yield ConstructionRoles(
            writer=cast.writer(roles.writer),
            annotators=[cast.annotator(name) for name in roles.annotators],
            depth=cast.depth(roles.depth_annotator),
            verifier=StageOne(stage_one),
            router=factory.router(roles.router),
            ledger=ledger,
            clock=_now,
            limiter=limiter,
            meter=meter,
            router_temperature=None if roles.router == BASELINE else factory.config(roles.router).temperature,
            played_by={
                "generators": ", ".join(roles.generators),
                "argument_evaluator": roles.argument_evaluator,
                "result_evaluator": roles.result_evaluator,
            },
        )
    finally:
        with anyio.CancelScope(shield=True):
            await factory.aclose()


@asynccontextmanager
async def open_judge(
    workspace: "Workspace",
    model: str,
    *,
    base_url: str | None = None,
    ledger: Ledger | None = None,
    config: "JudgeConfig | None" = None,
) -> AsyncGenerator["GoldAnchoredJudge"]:
    """The judge that a chat model plays; what cannot be used is refused before anything is asked or opened.

    Without a `ledger` its answers are kept by what the model is, so that any later file finds them.
    """
    from plugineval.clients.models.registry import ModelFactory
    from plugineval.harness.judging import GoldAnchoredJudge, JudgeConfig

    factory = ModelFactory(workspace.settings.models, base_url=base_url, environ=workspace.environ)
    try:
        chat, said = factory.chat(model), factory.config(model)
        limiter = anyio.CapacityLimiter(said.concurrency)
        kept = ledger or await _judge_journal(workspace, content_hash(said))
        yield GoldAnchoredJudge(chat, ledger=kept, limiter=limiter, config=config or JudgeConfig())
    finally:
        with anyio.CancelScope(shield=True):
            await factory.aclose()


async def _judge_journal(workspace: "Workspace", identity: str) -> Ledger:
    from plugineval.server.store.journal import Journal

    return Journal(await workspace.store(), f"judge {identity[:16]}")


def _now() -> datetime:
    return datetime.now(UTC)


class _Cast:
    """Model id -> the adapter that plays a role: the embedded baseline, or a prompt over a chat model."""

    def __init__(self, factory: "ModelFactory") -> None:
        self._factory = factory

    def writer(self, model: str) -> QueryWriter:
        from plugineval.clients.baseline import LexicalWriter
        from plugineval.pccf.coverage.writing import PromptedQueryWriter

        return LexicalWriter() if model == BASELINE else PromptedQueryWriter(self._factory.chat(model), _now)

    def annotator(self, model: str) -> LevelAnnotator:
        from plugineval.clients.baseline import LexicalAnnotator
        from plugineval.pccf.verification import PromptedLevelAnnotator

        return LexicalAnnotator() if model == BASELINE else PromptedLevelAnnotator(self._factory.chat(model))

    def depth(self, model: str) -> DepthAnnotator:
        from plugineval.clients.baseline import LexicalDepthAnnotator
        from plugineval.pccf.verification import PromptedDepthAnnotator

        return LexicalDepthAnnotator() if model == BASELINE else PromptedDepthAnnotator(self._factory.chat(model))

    def generator(self, model: str) -> Generator:
        from plugineval.clients.baseline import LexicalGenerator
        from plugineval.pccf.verification import PromptedGenerator

        return LexicalGenerator() if model == BASELINE else PromptedGenerator(self._factory.chat(model))

    def argument_evaluator(self, model: str) -> ArgumentEvaluator:
        from plugineval.clients.baseline import LexicalArgumentEvaluator
        from plugineval.pccf.verification import PromptedArgumentEvaluator

        return LexicalArgumentEvaluator() if model == BASELINE else PromptedArgumentEvaluator(self._factory.chat(model))

    def result_evaluator(self, model: str) -> ResultEvaluator:
        from plugineval.clients.baseline import LexicalResultEvaluator
        from plugineval.pccf.verification import PromptedResultEvaluator

        return LexicalResultEvaluator() if model == BASELINE else PromptedResultEvaluator(self._factory.chat(model))
