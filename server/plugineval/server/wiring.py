"""The composition root: the only place that knows which adapter plays which port."""

from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import anyio

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.run import RunConfig
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.execution import PluginSession
from plugineval.pccf.ledger import Ledger, Unjournaled
from plugineval.pccf.routing import Router
from plugineval.pccf.values import content_hash
from plugineval.server.casting import Cast
from plugineval.server.quiet import silence_quoting_loggers
from plugineval.server.replaying import RecordedCast
from plugineval.server.settings.roles import BASELINE
from plugineval.server.settings.settings import Settings
from plugineval.server.sharing.factories import OpenStore, open_factory
from plugineval.server.work.casting import AgentCast, limiter_for

if TYPE_CHECKING:
    from plugineval.clients.models.config import ModelConfig
    from plugineval.clients.models.load import Load
    from plugineval.clients.plugins.pool import PluginPool
    from plugineval.harness.judging import GoldAnchoredJudge
    from plugineval.pccf.construction.plan import ConstructionRoles
    from plugineval.pccf.metering import Meter
    from plugineval.server.sharing.run_budget import RunBudget
    from plugineval.server.work.desk import DeskQueue
    from plugineval.server.workspace import Workspace

_EMBEDDED = ("baseline:", "degenerate:", "recorded:")


def plugin_pool(settings: Settings, names: Iterable[str], *, job_id: str | None = None) -> "PluginPool":
    """A pool of the named plugins; `UnknownNameError` or `ConfigurationError` before anything is started.

    Nothing is executed on a plugin whose tools are not those that were approved, nor a tool with policy `ask` that no
    person confirmed for the job.
    """
    from plugineval.clients.plugins.confirming import NobodyToAsk
    from plugineval.clients.plugins.permissions import Permissions
    from plugineval.clients.plugins.pool import PluginPool
    from plugineval.server.trust.requests import JobConfirmations, Requests
    from plugineval.server.trust.tool_lists import ToolLists

    with suppress(OSError):
        # Whoever writes into it says what is wrong with it.
        settings.home.mkdir(mode=0o700, parents=True, exist_ok=True)
    silence_quoting_loggers()
    asked = NobodyToAsk() if job_id is None else JobConfirmations(Requests(settings.home), job_id)
    pool = PluginPool([settings.plugin(name) for name in names], home=settings.home, secrets=settings.secrets)
    return pool.under(Permissions(approvals=ToolLists(settings.home), confirmations=asked))


def known_models(settings: Settings) -> tuple[str, ...]:
    """Ids that can be evaluated without naming an endpoint."""
    return (BASELINE, *WORK_MODELS, *(model.id for model in degenerate_models()), *settings.models, *settings.recorded)


def unready_models(settings: Settings, environ: Mapping[str, str]) -> dict[str, str]:
    """Registered models that cannot be asked -> what they wait for. Nothing is sent."""
    from plugineval.clients.models.access import access_of

    found = {
        entry.name: f"{entry.error().problem}; {entry.next_step}" for entry in settings.unready if entry.kind == "model"
    }
    for name, recorded in settings.recorded.items():
        if not recorded.path.is_file():
            found[name] = f"{recorded.path.name} is not there; write it with `plugineval record`"
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
    embedded = name.startswith(_EMBEDDED)
    if embedded or (base_url is None and not name.startswith("openai:")):
        step = "register it as [models.NAME] in plugineval.toml, write openai:MODEL, or give --base-url"
        raise UnknownNameError("model", name, known_models(settings), next_step=settings.or_trust(step))


@asynccontextmanager
async def open_routers(
    settings: Settings,
    config: RunConfig,
    *,
    base_url: str | None,
    environ: Mapping[str, str],
    work: "DeskQueue | None" = None,
    store: "OpenStore | None" = None,
) -> AsyncGenerator[list[Router]]:
    """The models under test, in the order of `config`, each once; unknown ids are refused before any call.

    A model that is registered keeps its own limit of calls in flight; any other has that of the run. Agents answer
    where there is a `work` queue. Limits are shared with other processes through `store`.
    """
    floors: dict[str, Router] = {model.id: model for model in degenerate_models()}
    floors |= {name: AgentCast(work).router(name) for name in config.models if name in WORK_MODELS}
    floors |= RecordedCast(settings.recorded).routers(config.models)
    wanted = list(dict.fromkeys(config.models))
    for name in wanted:
        _refuse_unknown(settings, name, base_url)
    others = [name for name in wanted if name not in floors]
    opened = open_factory(settings, environ, store=store, base_url=base_url, concurrency=config.concurrency)
    async with opened as factory:
        models = {name: factory.router(name) for name in others}
        yield [floors.get(name) or models[name] for name in wanted]


def loads_of(models: Iterable[Router]) -> "dict[str, Load]":
    """Model id -> the load of its endpoint, for the models that are behind one."""
    from plugineval.clients.models.openai_model import OpenAIModel

    return {model.id: model.load for model in models if isinstance(model, OpenAIModel)}


@asynccontextmanager
async def open_endpoints(
    settings: Settings, names: Iterable[str], *, base_url: str | None, environ: Mapping[str, str]
) -> AsyncGenerator[list[Router]]:
    """Those of `names` that are behind an endpoint, each once, to be asked a first question without much waiting."""
    from plugineval.clients.models.registry import ModelFactory

    hasty = {name: _hasty(config) for name, config in settings.models.items()}
    factory = ModelFactory(hasty, base_url=base_url, environ=environ, secrets=settings.secrets)
    try:
        yield [factory.router(name) for name in dict.fromkeys(names) if _behind_endpoint(settings, name, base_url)]
    finally:
        with anyio.CancelScope(shield=True):
            await factory.aclose()


def _hasty(config: "ModelConfig") -> "ModelConfig":
    bounds = {"max_retries": min(config.max_retries, 2), "deadline_s": min(config.deadline_s, 60.0)}
    return config.model_copy(update=bounds)


def _behind_endpoint(settings: Settings, name: str, base_url: str | None) -> bool:
    if name in settings.models or name.startswith("openai:"):
        return True
    return base_url is not None and name not in {"agent", "sampling", "none"} and not name.startswith(_EMBEDDED)


@asynccontextmanager
async def open_reference_router(
    settings: Settings,
    model: str,
    environ: Mapping[str, str],
    work: "DeskQueue | None" = None,
    store: "OpenStore | None" = None,
) -> AsyncGenerator[tuple[Router, float | None]]:
    """A router to calibrate on, and its temperature; unknown ids and missing keys are refused before any call."""
    _refuse_unknown(settings, model, None)
    async with open_factory(settings, environ, store=store) as factory:
        floors: dict[str, Router] = {each.id: each for each in degenerate_models()}
        if model in floors or model in WORK_MODELS:
            yield floors.get(model) or AgentCast(work).router(model), None
            return
        if model in settings.recorded:
            recorded = RecordedCast(settings.recorded).router(model)
            yield recorded, recorded.temperature
            return
        embedded = model.startswith("baseline:")
        yield factory.router(model), None if embedded else factory.config(model).temperature


def played_ledger(settings: Settings, ledger: Ledger, replayed: "Counter[str]") -> Ledger:
    """`ledger` of a construction, behind the answers of the recorded models that play its roles."""
    return RecordedCast(settings.recorded).ledger(ledger, settings.roles.players, replayed)


@asynccontextmanager
async def open_roles(
    workspace: "Workspace",
    config: BuildConfig,
    session: PluginSession,
    ledger: Ledger,
    meter: "Meter | None" = None,
    work: "DeskQueue | None" = None,
) -> AsyncGenerator["ConstructionRoles"]:
    """Everything a construction talks to, as the settings bind the roles. `ledger` is the one that `meter` counts.

    Agents play where there is a `work` queue. Their items are all on offer at once, and nobody else is kept waiting
    for them: what asks a provider or a plugin has the concurrency of the build for itself.
    """
    from plugineval.pccf.construction.plan import ConstructionRoles
    from plugineval.pccf.verification import StageOne, StageOneRoles

    settings, roles = workspace.settings, workspace.settings.roles
    recorded, limiter = RecordedCast(settings.recorded), limiter_for(roles.players, config.concurrency)
    async with open_factory(settings, workspace.environ, store=workspace.store) as factory:
        cast = Cast(factory, recorded, config.concurrency, work)
        stage_one = StageOneRoles(
            generators=[cast.generator(name) for name in roles.generators],
            arguments=cast.argument_evaluator(roles.argument_evaluator),
            results=cast.result_evaluator(roles.result_evaluator),
            session=cast.session(session),
            ledger=ledger,
            config=config.verification,
            limiter=limiter,
            meter=meter,
            several=frozenset(WORK_MODELS),
        )
        yield ConstructionRoles(
            writer=cast.writer(roles.writer),
            annotators=[cast.annotator(name, number) for number, name in enumerate(roles.annotators)],
            depth=cast.depth(roles.depth_annotator),
            verifier=StageOne(stage_one),
            router=cast.router(roles.router),
            ledger=ledger,
            clock=_now,
            limiter=limiter,
            meter=meter,
            router_temperature=cast.temperature(roles.router),
            played_by={
                "generators": ", ".join(roles.generators),
                "argument_evaluator": roles.argument_evaluator,
                "result_evaluator": roles.result_evaluator,
            },
        )


@asynccontextmanager
async def open_judge(
    workspace: "Workspace",
    model: str,
    *,
    base_url: str | None = None,
    ledger: Ledger | None = None,
    work: "DeskQueue | None" = None,
    budget: "RunBudget | None" = None,
) -> AsyncGenerator["GoldAnchoredJudge"]:
    """The judge that a model or an agent plays; what cannot be used is refused before anything is asked or opened.

    Without a `ledger` its answers are kept by what the model is, so that any later file finds them.
    """
    from plugineval.harness.judging import GoldAnchoredJudge, JudgeConfig
    from plugineval.server.sharing.budgeted import budgeted_chat

    if model in WORK_MODELS:
        agent, limiter = budgeted_chat(AgentCast(work).judge(model), budget), limiter_for([model], 1)
        # A person's agent answers when it does.
        unhurried = JudgeConfig(timeout_s=None)
        yield GoldAnchoredJudge(agent, ledger=ledger or Unjournaled(), limiter=limiter, config=unhurried)
        return
    if model in workspace.settings.recorded:
        recorded = RecordedCast(workspace.settings.recorded)
        kept, limiter = recorded.ledger(ledger or Unjournaled(), (model,)), limiter_for([model], 1)
        yield GoldAnchoredJudge(budgeted_chat(recorded.chat(model), budget), ledger=kept, limiter=limiter)
        return
    settings, store = workspace.settings, workspace.store
    async with open_factory(settings, workspace.environ, store=store, base_url=base_url) as factory:
        chat, said = factory.chat(model), factory.config(model)
        limiter = anyio.CapacityLimiter(said.concurrency)
        kept = ledger or await _judge_journal(workspace, content_hash(said))
        yield GoldAnchoredJudge(budgeted_chat(chat, budget), ledger=kept, limiter=limiter)


async def _judge_journal(workspace: "Workspace", identity: str) -> Ledger:
    from plugineval.server.store.journal import Journal

    return Journal(await workspace.store(), f"judge {identity[:16]}")


def _now() -> datetime:
    return datetime.now(UTC)
