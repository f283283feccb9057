"""The answers of a construction: it is replayed from its journal, and what models answered is noted on the way.

The journal knows calls by digests of one job; the replay says what each of them was about. It asks nobody anything:
what the journal does not hold is refused as a spent limit refuses it, and no process of a plugin is started.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, cast

from plugineval.clients.recorded.lines import AnswerLine, RecordedModel, RoleLine, RouteLine, asked_of, question_of
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query
from plugineval.pccf.ledger import CallKey, recorded
from plugineval.pccf.loop import construct
from plugineval.pccf.metering import Meter
from plugineval.pccf.routing import Failure, FailureKind, RouterReply
from plugineval.pccf.tools import Plugin
from plugineval.pccf.values import Json
from plugineval.server.jobs.build import plan_of
from plugineval.server.jobs.continuing import benchmark_of
from plugineval.server.jobs.outcomes import BuildOutcome
from plugineval.server.jobs.params import BuildParams
from plugineval.server.recordings.content import Content, Source, content_of
from plugineval.server.store.states import JobState
from plugineval.server.wiring import open_roles, plugin_pool
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.pccf.construction.events import ConstructionEvent
    from plugineval.pccf.construction.results import ConstructionResult
    from plugineval.pccf.ledger import Ledger
    from plugineval.server.settings.settings import Settings
    from plugineval.server.store.store import Store
    from plugineval.server.store.summaries import Job

CALIBRATE = "calibrate"
_NO_KEY = "no-key-is-needed-to-replay"


class Noting:
    """A `Ledger` that notes what the players answered."""

    def __init__(self, inner: "Ledger", players: "frozenset[str]") -> None:
        self.lines: list[AnswerLine] = []
        self._inner = inner
        self._players = players
        self._noted: set[str] = set()

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        """The answer of the inner ledger."""
        answer = await self._inner.call(key, make)
        if key.model in self._players and key.digest not in self._noted:
            self._noted.add(key.digest)
            self.lines.append(_calibration(key, answer) if key.stage == CALIBRATE else _role(key, answer))
        return answer


class Silence(Meter):
    """Lets no call go: everything that can be told is in the journal."""

    def refusal(self) -> Failure | None:
        """Always."""
        return Failure(kind=FailureKind.LIMIT_REACHED, detail="it was not answered when this was recorded")


async def build_content(workspace: Workspace, store: "Store", job: "Job") -> Content:
    """The recording of a build.

    `ConfigurationError` where the settings no longer know a plugin or a model that it was made with.
    """
    from plugineval.server.store.journal import Journal

    params = BuildParams.model_validate(job.params)
    settings, journal = workspace.settings, Journal(store, job.id)
    keyless = Workspace(settings, environ=_with_keys(settings, workspace.environ))
    noting, silence = Noting(journal, frozenset(settings.roles.players)), Silence()
    async with plugin_pool(settings, params.plugins) as pool:
        plugins = [await _plugin(journal, name) for name in params.plugins]
        plan = plan_of(params, plugins, pool, benchmark_id=benchmark_of(job.id))
        async with open_roles(keyless, params.config, pool, noting, silence) as cast_of_roles:
            result = await construct(plan, cast_of_roles, _unheard)
    source = Source(kind="build", id=job.id, about=params.name, at=job.created_at)
    content = content_of(source, noting.lines, _known(result))
    return content._replace(warnings=await _differences(store, result, _kept_as(job, params)))


async def _plugin(journal: "Ledger", name: str) -> Plugin:
    async def gone() -> Plugin:
        problem = f"the job never saw the plugin {name}"
        raise ConfigurationError(problem, field="record", next_step="record it when it has begun to build")

    return await recorded(journal, CallKey(stage="snapshot", model=name, case=name), Plugin, gone)


async def _unheard(event: "ConstructionEvent") -> None:
    """Everything that it tells is in the store."""


def _with_keys(settings: "Settings", environ: Mapping[str, str]) -> dict[str, str]:
    """Nothing is sent, so that a key which is not there any more is no hindrance."""
    named = [model.api_key_env for model in settings.models.values() if model.api_key_env]
    return {**dict.fromkeys([*named, "OPENAI_API_KEY"], _NO_KEY), **environ}


def _known(result: "ConstructionResult") -> dict[str, RecordedModel]:
    frozen = result.benchmark.router
    if frozen is None:
        return {}
    known = RecordedModel(answers=1, prompt_hash=frozen.prompt_hash, temperature=frozen.temperature)
    return {frozen.model: known}


def _kept_as(job: "Job", params: BuildParams) -> str:
    """Id under which the build keeps, or kept, what it made."""
    if job.state is JobState.COMPLETED:
        return BuildOutcome.model_validate(job.result).benchmark_id
    return benchmark_of(job.id, params.continues)


async def _differences(store: "Store", result: "ConstructionResult", kept_as: str) -> tuple[str, ...]:
    """Whether the replay gave what the build gave: if not, parts of it may be missing."""
    built = await store.benchmarks.get(kept_as)
    if built.content_hash == result.benchmark.content_hash:
        return ()
    return (
        f"replayed with the settings of today, the journal gives another benchmark than {built.id}: set [roles] and "
        "policies back to what they were, and record again",
    )


def _role(key: CallKey, answer: Json) -> RoleLine:
    return RoleLine(
        model=key.model,
        stage=key.stage,
        question=question_of(key),
        repeat=key.repeat,
        case=key.case,
        answer=cast("dict[str, Json]", answer),
    )


def _calibration(key: CallKey, answer: Json) -> RouteLine:
    asked, toolset = cast("list[Json]", key.request)[:2]
    query = Query.model_validate(asked)
    return RouteLine(
        model=key.model,
        asked=asked_of(query),
        toolset=str(toolset),
        seed=key.repeat,
        text=query.text,
        reply=RouterReply.model_validate(answer),
    )
