"""The build job: snapshot the plugins, construct the benchmark, write every record when it happens."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from plugineval.pccf.construction.events import CatalogMade, ConstructionEvent, RecordVerified, RoundEnded
from plugineval.pccf.construction.plan import ConstructionPlan
from plugineval.pccf.errors import IncompleteError
from plugineval.pccf.examples import Benchmark
from plugineval.pccf.ledger import CallKey, recorded
from plugineval.pccf.loop import construct
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import Plugin, Toolset
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.outcomes import build_outcome
from plugineval.server.jobs.params import BuildParams
from plugineval.server.wiring import open_roles, plugin_pool

if TYPE_CHECKING:
    from plugineval.clients.plugins.pool import PluginPool


async def run_build(context: JobContext) -> Json:
    """Build the benchmark of `BuildParams`; the result is what `plugineval build --json` prints."""
    params = BuildParams.model_validate(context.params)
    settings = context.workspace.settings
    context.progress(0, params.config.size, "starting plugins")
    async with plugin_pool(settings, params.plugins) as pool:
        plugins = [await _snapshot(context, pool, name) for name in params.plugins]
        plan = _plan(params, plugins, pool, benchmark_id=_benchmark_id(context))
        roles = open_roles(settings, params.config, pool, context.journal, context.workspace.environ)
        async with roles as cast:
            result = await construct(plan, cast, _Scribe(context, plan).on_event)
    await context.store.benchmarks.save_header(result.benchmark)
    if result.incomplete is not None:
        raise IncompleteError(result.incomplete.cause, next_step=result.incomplete.next_step)
    await context.store.benchmarks.finish(result.benchmark)
    await context.workspace.announce(f"plugineval://benchmarks/{result.benchmark.id}")
    return build_outcome(result, context.journal)


def _benchmark_id(context: JobContext) -> str:
    """Fixed by the job, so that a resumed build goes on writing the same benchmark."""
    from plugineval.pccf.values import content_hash

    return f"bench-{content_hash(context.job_id)[:12]}"


async def _snapshot(context: JobContext, pool: "PluginPool", name: str) -> Plugin:
    """The plugin as it was when the job first saw it: a resumed build must not change its tools half-way."""
    key = CallKey(stage="snapshot", model=name, case=name)
    plugin = await recorded(context.journal, key, Plugin, lambda: pool.snapshot(name))
    await context.store.plugins.save(plugin)
    await context.workspace.announce(f"plugineval://plugins/{name}")
    return plugin


def _plan(params: BuildParams, plugins: list[Plugin], pool: "PluginPool", *, benchmark_id: str) -> ConstructionPlan:
    toolset = Toolset.of_plugins(plugins)
    return ConstructionPlan(
        name=params.name,
        benchmark_id=benchmark_id,
        plugins=tuple(plugins),
        toolset=toolset,
        config=params.config,
        executable=frozenset(tool.offered_name for tool in toolset.tools if pool.may_execute(tool).allowed),
    )


class _Scribe:
    """Stores what a construction tells, in the order in which it tells it."""

    def __init__(self, context: JobContext, plan: ConstructionPlan) -> None:
        self._context = context
        self._plan = plan
        self._verified = 0
        self._message = "verifying candidates"

    async def on_event(self, event: ConstructionEvent) -> None:
        store, plan = self._context.store, self._plan
        name = plan.benchmark_id or plan.name
        match event:
            case CatalogMade(catalog=catalog):
                await store.benchmarks.save_header(_header(plan, name, catalog.scenarios))
                await store.rounds.append(name, 0, event)
            case RecordVerified():
                await store.records.append(name, event.record)
                if event.example is not None:
                    await store.examples.append(name, event.example)
                    self._tell(self._verified + 1, self._message)
            case RoundEnded(round=ended):
                await store.rounds.append(name, ended.number, ended)
                self._message = f"round {ended.number}: {ended.accepted} accepted, {ended.rejected} rejected"
                self._tell(sum(row.verified for row in ended.coverage.rows), self._message)

    def _tell(self, verified: int, message: str) -> None:
        """Examples may be verified beyond what the benchmark has a place for; the end of a round says how many are."""
        self._verified = verified
        self._context.progress(min(verified, self._plan.config.size), self._plan.config.size, message)


def _header(plan: ConstructionPlan, name: str, scenarios: tuple[Scenario, ...]) -> Benchmark:
    """The benchmark before its first example."""
    return Benchmark(
        id=name,
        name=plan.name,
        created_at=datetime.now(UTC),
        plugins=plan.plugins,
        toolset=plan.toolset,
        scenarios=scenarios,
        examples=(),
        config=plan.config,
    )
