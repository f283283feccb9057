"""The build job: snapshot the plugins, construct the benchmark, write every record when it happens."""

from typing import TYPE_CHECKING

from plugineval.pccf.construction.plan import ConstructionPlan
from plugineval.pccf.errors import IncompleteError
from plugineval.pccf.loop import construct
from plugineval.pccf.tools import Plugin, Toolset
from plugineval.pccf.values import Json
from plugineval.server.catalogs.given import Fitted
from plugineval.server.jobs.collecting import rare_collections
from plugineval.server.jobs.confirmations import until_unconfirmed
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.continuing import benchmark_of, release_built
from plugineval.server.jobs.estimating import Spending, estimate_of
from plugineval.server.jobs.looking import opening_looks, require_looks
from plugineval.server.jobs.metering import open_meter
from plugineval.server.jobs.outcomes import BuildOutcome, build_outcome
from plugineval.server.jobs.params import BuildParams
from plugineval.server.jobs.preflight import preflight_build
from plugineval.server.jobs.scribe import Scribe
from plugineval.server.jobs.snapshots import snapshot
from plugineval.server.settings.pricing import require_prices
from plugineval.server.wiring import open_roles, played_ledger, plugin_pool

if TYPE_CHECKING:
    from plugineval.clients.plugins.pool import PluginPool


async def run_build(context: JobContext) -> Json:
    """Build the benchmark of `BuildParams`; the result is what `plugineval build --json` prints."""
    with rare_collections():
        return await _built(context)


async def _built(context: JobContext) -> Json:
    params = BuildParams.model_validate(context.params)
    settings = context.workspace.settings
    require_prices(settings, params.config)
    meters = open_meter(context.store, context.job_id, params.config.limits)
    async with meters as meter, plugin_pool(settings, params.plugins, job_id=context.job_id) as pool:
        rehearsed = await preflight_build(context, params, meter)
        context.progress(0, params.config.size, "starting plugins")
        plugins = [await snapshot(context, pool, name) for name in params.plugins]
        require_looks(settings, plugins)
        plan = plan_of(params, plugins, pool, benchmark_id=benchmark_of(context.job_id))
        kept = plan.model_copy(update={"benchmark_id": benchmark_of(context.job_id, params.continues)})
        looks = await opening_looks(context, pool, plan.toolset.tools, meter)
        plan = plan.model_copy(update={"looks": looks})
        estimated = estimate_of(settings, plan.config, plan.toolset, plan.executable)
        ledger = played_ledger(settings, meter.ledger(context.journal), context.journal.replayed)
        work = context.work.queue(apart=not params.config.verification.allow_self_judged)
        roles = open_roles(context.workspace, params.config, pool, ledger, meter, work)
        async with roles as cast:
            scribe = Scribe(context, kept, cast.ids, opening=estimated.told)
            result = await construct(plan, cast, until_unconfirmed(context, scribe.on_event))
    made = result.benchmark.model_copy(update={"id": kept.benchmark_id})
    await context.store.benchmarks.save_header(made)
    if result.incomplete is not None:
        raise IncompleteError(scribe.cause_of(result.incomplete))
    released = await release_built(context.store, made, params.continues)
    result = result.model_copy(update={"benchmark": released})
    context.progress(len(result.benchmark.examples), params.config.size, "built")
    await context.workspace.announce(f"plugineval://benchmarks/{result.benchmark.id}")
    spending = Spending(
        spent=meter.spent,
        uncounted=meter.uncounted,
        known_cost=meter.known_cost,
        minutes=round(meter.seconds / 60, 3),
        estimate=estimated,
        limit=meter.sentence,
    )
    outcome = build_outcome(result, context.journal, scribe.reasons.listed(), spending)
    words = settings.roles.judged_by_words
    warnings = (*_fitted(params, plan.toolset).warnings, *([words] if words else []))
    said = {"preflight": tuple(rehearsed), "warnings": warnings}
    built = BuildOutcome.model_validate(outcome).model_copy(update=said)
    return built.model_dump(mode="json")


def _fitted(params: BuildParams, toolset: Toolset) -> Fitted:
    """What a person gave, as far as these tools have it; nothing where the writer is to derive the catalog."""
    return Fitted() if params.catalog is None else params.catalog.fitted(toolset)


def plan_of(params: BuildParams, plugins: list[Plugin], pool: "PluginPool", *, benchmark_id: str) -> ConstructionPlan:
    """What the build is to make of these plugins; `pool` says what policy lets it execute."""
    toolset = Toolset.of_plugins(plugins)
    return ConstructionPlan(
        name=params.name,
        benchmark_id=benchmark_id,
        plugins=tuple(plugins),
        toolset=toolset,
        config=params.config,
        catalog=_fitted(params, toolset).catalog,
        seeds=params.seeds,
        executable=frozenset(tool.offered_name for tool in toolset.tools if pool.may_execute(tool).allowed),
    )
