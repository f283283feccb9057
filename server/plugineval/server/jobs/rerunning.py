"""A stored run, measured again: the same cases, models and settings of the run, and what moved since (B27)."""

from typing import TYPE_CHECKING

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value
from plugineval.server.jobs.evaluate import RunSource, plan_run
from plugineval.server.jobs.params import EvaluateParams, GradingWishes, RunWishes

if TYPE_CHECKING:
    from plugineval.server.store.store import Store
    from plugineval.server.workspace import Workspace


class RerunWishes(Value):
    """What is to be other than then."""

    models: tuple[str, ...] = ()
    repeats: int | None = None
    baseline: str | None = None
    """The run to compare with; None: the one that is repeated."""
    limits: BuildLimits = BuildLimits()


async def plan_rerun(
    workspace: "Workspace", run_id: str, wishes: RerunWishes, *, job_id: str | None = None
) -> EvaluateParams:
    """Store another run like `run_id`."""
    store = await workspace.store()
    entry = await store.runs.entry(run_id)
    info = await store.runs.get(entry.id)
    then = await params_of(store, info.id)
    cases = [case async for case in await store.runs.cases(info.id)]
    grading = GradingWishes(judge=then.grading.judge, checks=then.grading.checks, extra_calls=info.config.extra_calls)
    again = RunWishes(
        models=wishes.models or info.config.models,
        repeats=wishes.repeats or info.config.repeats,
        concurrency=info.config.concurrency,
        base_url=then.base_url,
        variants=info.config.variants,
        grading=grading,
        preflight=then.preflight,
        baseline=wishes.baseline or info.id,
        limits=wishes.limits,
    )
    known = workspace.under(workspace.settings.with_recorded(then.recordings))
    source = RunSource(scope=info.scope, benchmark_id=entry.benchmark_id)
    return await plan_run(known, cases, source=source, wishes=again, job_id=job_id)


async def players_of(store: "Store", run_id: str) -> tuple[str, ...]:
    """The models of a run, and its judge."""
    info = await store.runs.get((await store.runs.entry(run_id)).id)
    return (*info.config.models, (await params_of(store, info.id)).grading.judge)


async def params_of(store: "Store", run_id: str) -> EvaluateParams:
    """How the run was planned; of one that was submitted or imported nothing is known but its configuration."""
    cursor: str | None = None
    while True:
        page = await store.jobs.page(cursor=cursor, limit=100)
        for job in page.items:
            if job.kind == "evaluate" and isinstance(job.params, dict) and job.params.get("run_id") == run_id:
                return EvaluateParams.model_validate(job.params)
        if page.next_cursor is None:
            raise ConfigurationError(
                f"run {run_id} was not measured here, so that nothing is known of how to ask its models again",
                field="run",
                next_step="name a run of `plugineval evaluate`",
            )
        cursor = page.next_cursor
