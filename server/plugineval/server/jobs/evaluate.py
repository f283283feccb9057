"""The evaluation job: every model of a stored run on every case of it, then the report."""

import time
from collections.abc import Iterable
from datetime import UTC, datetime

from plugineval.harness.cases import Case, packed_cases
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.gradings import Grading
from plugineval.harness.matrix import RunPorts, run_matrix
from plugineval.harness.run import RunConfig, RunInfo, Scope
from plugineval.harness.stamping import refuse_other_settings, stamps_of
from plugineval.harness.variants import with_variants
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.ledger import Unjournaled
from plugineval.pccf.values import Json, Value
from plugineval.server.jobs.collecting import rare_collections
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.evaluation_outcome import evaluation_outcome
from plugineval.server.jobs.judging import bias_notes, grading_params, meaning_for, open_graders
from plugineval.server.jobs.load import LoadWatch
from plugineval.server.jobs.params import EvaluateParams, RunWishes
from plugineval.server.jobs.preflight import notes_of, preflight_run
from plugineval.server.jobs.run_end import EndedRun, finish_run, limit_notes, told_beside
from plugineval.server.jobs.self_judging import expect_answers, own_log, players_told, side_by_side, waits_for_agents
from plugineval.server.settings.settings import Settings
from plugineval.server.sharing.budgeted import budgeted_routers
from plugineval.server.sharing.run_budget import RunBudget
from plugineval.server.wiring import loads_of, open_routers
from plugineval.server.workspace import Workspace

REFUSALS_LISTED = 100


class RunSource(Value):
    """Where the cases of a run come from."""

    scope: Scope
    benchmark_id: str | None = None
    refused: tuple[str, ...] = ()
    """Why a line of a cases file is not among the cases, one sentence for each: the report lists them (X11)."""

    @property
    def notes(self) -> tuple[str, ...]:
        """The refusals as notes of the run; beyond a hundred only their number."""
        listed = tuple(f"Refused: {sentence}" for sentence in self.refused[:REFUSALS_LISTED])
        more = len(self.refused) - len(listed)
        return (*listed, f"Refused: {more} more lines") if more else listed


async def plan_run(
    workspace: Workspace, cases: Iterable[Case], *, source: RunSource, wishes: RunWishes, job_id: str | None = None
) -> EvaluateParams:
    """Store a run and its cases, ready to be started; what cannot be used is refused before anything costs.

    Under a `job_id` its job is queued in the same moment, to be started by that id: a crash in between leaves a run
    that can be resumed.

    `ConfigurationError` for a model or a judge without its key, a check that fails its own example, and a variant that
    changes nothing.
    """
    from plugineval.server.store.ids import new_id
    from plugineval.server.store.summaries import PlannedJob

    settings, base_url, kept = workspace.settings, wishes.base_url, packed_cases(cases)
    helpers = grading_params(settings, wishes.grading)
    config = run_config(settings, wishes, judge=helpers.judge)
    asked = with_variants(kept, config.variants)
    async with (
        open_routers(settings, config, base_url=base_url, environ=workspace.environ) as routers,
        open_graders(workspace, helpers, base_url=base_url, ledger=Unjournaled()) as graders,
    ):
        stamps = stamps_of(routers, asked)
        store = await workspace.store()
    notes = (*source.notes, *bias_notes(helpers.judge, config.models))
    info = RunInfo(
        id=new_id("run"),
        config=config,
        scope=source.scope,
        started_at=datetime.now(UTC),
        notes=notes,
        stamps=stamps,
    )
    grading = graders.on(_own_grading(info, helpers.judge))
    named = source.scope.benchmark
    params = EvaluateParams(
        run_id=info.id,
        base_url=base_url,
        refused_cases=len(source.refused),
        grading=helpers,
        preflight=wishes.preflight,
        recordings=settings.recordings((*config.models, helpers.judge)),
        baseline=wishes.baseline,
        limits=wishes.limits,
    )
    job = job_id and PlannedJob(id=job_id, kind="evaluate", params=params.model_dump(mode="json"))
    await store.runs.create(
        info, cases=kept, benchmark_id=source.benchmark_id, source=named, grading=grading, job=job or None
    )
    return params


def run_config(settings: Settings, wishes: RunWishes, *, judge: str) -> RunConfig:
    """The settings' run configuration with what was said on top."""
    if not wishes.models and not settings.run.models:
        raise ConfigurationError(
            "no model is named", field="model", next_step="give --model ID, or write models = [...] under [run]"
        )
    chosen = settings.run.config(*dict.fromkeys(wishes.models))
    said = {
        "models": tuple(dict.fromkeys(map(settings.id_of, chosen.models))),
        "repeats": wishes.repeats,
        "concurrency": wishes.concurrency,
        "extra_calls": wishes.grading.extra_calls,
        "variants": wishes.variants or None,
        "meaning": meaning_for(judge, chosen.meaning),
    }
    return chosen.model_copy(update={name: value for name, value in said.items() if value is not None})


async def run_evaluation(context: JobContext) -> Json:
    """Run the matrix and write the report; the result is what `plugineval evaluate --json` prints."""
    with rare_collections():
        return await _evaluated(context)


async def _evaluated(context: JobContext) -> Json:
    params = EvaluateParams.model_validate(context.params)
    context = context.with_recorded(params.recordings)
    workspace, store, started = context.workspace, context.store, time.monotonic()
    info = await store.runs.get(params.run_id)
    cases = await store.runs.packed_cases(info.id)
    settings, environ = workspace.settings, workspace.environ
    asked = with_variants(cases, info.config.variants)
    rehearsed = await preflight_run(context, params, info.config, len(asked) * info.config.repeats)
    log = await own_log(context, info.id, info.config, cases)
    work = context.work.queue(apart=info.config.self_judged == "refuse")
    base_url, ledger = params.base_url, context.journal
    async with (
        RunBudget.open(store, context.job_id, params.limits) as budget,
        open_routers(
            settings, info.config, base_url=base_url, environ=environ, work=work, store=workspace.store
        ) as models,
        open_graders(workspace, params.grading, base_url=base_url, ledger=ledger, work=work, budget=budget) as graders,
    ):
        refuse_other_settings(info, stamps_of(models, asked))
        expect_answers(context, info.config, asked)
        watch = LoadWatch(loads_of(models), context.progress)
        ports = RunPorts(context.journal, log, watch.progress, graders.judge, graders.checks)
        waits = waits_for_agents(info.config, params.grading.judge)
        config = side_by_side(info.config) if waits else info.config
        summary = await run_matrix(cases, budgeted_routers(models, budget), config, ports, together=waits)
    ended = EndedRun(
        info=info,
        cases=cases,
        prompt_hashes=summary.prompt_hashes,
        notes=(*limit_notes(params.limits), *notes_of(rehearsed), *watch.notes, *await players_told(context)),
        grading=graders.on(await store.gradings.get(info.id)),
    )
    report, counts = await finish_run(context, ended)
    outcome = evaluation_outcome(report, counts, context.journal, seconds=time.monotonic() - started)
    told = {**await told_beside(context, params), "preflight": tuple(rehearsed), "load": watch.counts}
    return outcome.model_copy(update=told).model_dump(mode="json")


def _own_grading(info: RunInfo, judge: str) -> Grading:
    policy = GradingPolicy.of(info.config)
    return Grading(judge=judge, gold_hash=info.scope.gold_hash, at=info.started_at, policy=policy)
