"""Calibrate a benchmark's negatives on another router: a new version, because difficulty is part of a case."""

from functools import partial

from plugineval.pccf.calibration.reference import ReferenceRouter, freeze
from plugineval.pccf.calibration.runs import Calibration, CalibrationTask, calibrate
from plugineval.pccf.calling import RoleCalls, in_order
from plugineval.pccf.changelog import Why
from plugineval.pccf.errors import ConfigurationError, IncompleteError
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.params import RecalibrateParams
from plugineval.server.jobs.versioning import keep_version, newest_version, outcome_of, refuse_overtaken
from plugineval.server.wiring import open_reference_router
from plugineval.server.work.casting import limiter_for
from plugineval.server.workspace import Workspace


async def plan_recalibration(
    workspace: Workspace, benchmark: str, *, router: str | None, runs: int | None, note: str = ""
) -> RecalibrateParams:
    """A recalibration, ready to be started; the router comes from `[roles]` where none is named."""
    settings = workspace.settings
    found = await newest_version(await workspace.store(), benchmark)
    if not _negatives(found):
        problem = f"{found.id} holds no negatives"
        raise ConfigurationError(
            problem, field="benchmark", next_step="only negatives are calibrated on a router (P30)"
        )
    model = router or settings.roles.router
    async with open_reference_router(settings, model, workspace.environ):
        pass
    chosen = runs or settings.build.calibration_runs
    return RecalibrateParams(benchmark_id=found.id, router=model, runs=chosen, note=note)


async def run_recalibration(context: JobContext) -> Json:
    """K runs of every negative; the result is what `plugineval recalibrate --json` prints."""
    params = RecalibrateParams.model_validate(context.params)
    workspace, settings = context.workspace, context.workspace.settings
    old = await context.store.benchmarks.get(params.benchmark_id)
    await refuse_overtaken(context, old)
    negatives, done = _negatives(old), 0
    limiter, work = limiter_for([params.router], settings.build.concurrency), context.work.queue(apart=False)
    async with open_reference_router(settings, params.router, workspace.environ, work, workspace.store) as opened:
        router, temperature = opened
        frozen = freeze(router, runs=params.runs, temperature=temperature)
        calls = RoleCalls(ledger=context.journal, limiter=limiter)
        reference = ReferenceRouter(router=router, freeze=frozen, calls=calls)

        async def measured(example: Example, kind: ScenarioKind) -> Calibration:
            nonlocal done
            found = await calibrate(_task(old, example, kind), reference)
            done += 1
            context.progress(done, len(negatives), "negatives")
            return found

        found = await in_order([partial(measured, example, kind) for example, kind in negatives])
    shown = dict(zip((example.id for example, _ in negatives), found, strict=True))
    _refuse_unmeasured(shown)
    examples = tuple(_calibrated(each, shown[each.id]) if each.id in shown else each for each in old.examples)
    new = old.model_copy(update={"examples": examples, "router": frozen, "roles": {**old.roles, "router": router.id}})
    why = Why(reason=f"calibrated on {router.id} with {params.runs} runs")
    note = params.note or why.reason
    made = await keep_version(context, old, new, dict.fromkeys(shown, why), note=note)
    return outcome_of(made).model_dump(mode="json")


def _negatives(benchmark: Benchmark) -> list[tuple[Example, ScenarioKind]]:
    kinds = {scenario.id: scenario.kind for scenario in benchmark.scenarios}
    return [(each, kinds[each.scenario]) for each in benchmark.examples if not kinds[each.scenario].positive]


def _task(benchmark: Benchmark, example: Example, kind: ScenarioKind) -> CalibrationTask:
    return CalibrationTask(
        case=example.id, query=example.query, toolset=benchmark.toolset, kind=kind, target=example.target
    )


def _refuse_unmeasured(shown: dict[str, Calibration]) -> None:
    missing = [name for name, found in shown.items() if found.difficulty is None]
    if missing:
        failure = next((run.failure for run in shown[missing[0]].runs if run.failure), None)
        cause = f" ({failure.kind.value}: {failure.detail})" if failure else ""
        raise IncompleteError(f"the router answered nothing usable for {len(missing)} cases{cause}")


def _calibrated(example: Example, found: Calibration) -> Example:
    return example.model_copy(update={"p_k": found.p_k, "difficulty": found.difficulty})
