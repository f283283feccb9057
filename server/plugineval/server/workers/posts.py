"""Posts: where a worker measures one model of one run. Opened once, used by every shard of it that the worker takes.

What keeps a worker from asking the model (no key, other settings, an endpoint that is not reached from here) is its
own affair: it says so, and leaves the shards to others.
"""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

import anyio

from plugineval.harness.gradings import NO_JUDGE
from plugineval.harness.matrix import AttemptLog
from plugineval.harness.run import RunConfig, RunInfo
from plugineval.harness.stamping import refuse_other_settings, stamps_of
from plugineval.harness.variants import with_variants
from plugineval.pccf.ledger import Unjournaled
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.judging import open_graders
from plugineval.server.jobs.params import EvaluateParams, GradingParams
from plugineval.server.jobs.preflight import preflight
from plugineval.server.jobs.self_judging import SelfJudgedLog, SelfJudging
from plugineval.server.sharing.budgeted import budgeted_routers
from plugineval.server.sharing.run_budget import RunBudget
from plugineval.server.store.journal import Journal
from plugineval.server.store.summaries import Job
from plugineval.server.wiring import loads_of, open_routers
from plugineval.server.work.desk import WorkDesk
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Mapping

    from plugineval.clients.checks.loading import LoadedCheck
    from plugineval.clients.models.load import Load
    from plugineval.harness.cases import Case
    from plugineval.harness.rehearsal import Rehearsed
    from plugineval.pccf.routing import Router
    from plugineval.server.store.shard_notes import ShardLease
    from plugineval.server.store.store import Store


@dataclass(frozen=True, kw_only=True)
class Post:
    """One model of one run, ready to be asked."""

    context: JobContext
    params: EvaluateParams
    info: RunInfo
    asked: "Sequence[Case]"
    """The cases under every variant; shards are ranges of these."""
    router: "Router"
    checks: "Mapping[str, LoadedCheck]"
    loads: "Mapping[str, Load]"
    rehearsed: "tuple[Rehearsed, ...]"
    judging: SelfJudging | None
    budget: RunBudget
    """Of the run, as far as it is spent here."""
    places: anyio.CapacityLimiter
    """For cells that are with the model, or not yet stored, in all shards of this worker."""

    @property
    def config(self) -> RunConfig:
        """The run as this model alone is asked it; cases come with their variant."""
        return self.info.config.model_copy(update={"models": (self.router.id,), "variants": ()})

    def log(self, lease: "ShardLease") -> AttemptLog:
        """Where the rows of a shard go while it is held."""
        log = self.context.store.held_log(self.info.id, lease)
        return log if self.judging is None else SelfJudgedLog(log, self.judging)


@asynccontextmanager
async def open_post(
    workspace: Workspace, store: "Store", job: Job, model: str, concurrency: int | None
) -> AsyncGenerator[Post]:
    """The post of `model` in a run; `PluginEvalError` where the model, or its judge, cannot be asked from here."""
    params = EvaluateParams.model_validate(job.params)
    context = _context(workspace, store, job).with_recorded(params.recordings)
    info = await store.runs.get(params.run_id)
    asked = with_variants(await store.runs.packed_cases(info.id), info.config.variants)
    config = info.config.model_copy(update={"models": (model,)})
    workspace, settings = context.workspace, context.workspace.settings
    grading = GradingParams(checks=params.grading.checks)
    async with (
        open_routers(
            settings, config, base_url=params.base_url, environ=workspace.environ, store=workspace.store
        ) as routers,
        open_graders(workspace, grading, base_url=params.base_url) as graders,
        open_graders(workspace, _judge_of(params), base_url=params.base_url, ledger=Unjournaled()),
        RunBudget.open(store, job.id, params.limits) as budget,
    ):
        refuse_other_settings(info, stamps_of(routers, asked))
        yield Post(
            context=context,
            params=params,
            info=info,
            asked=asked,
            router=budgeted_routers(routers, budget)[0],
            budget=budget,
            checks=graders.checks,
            loads=loads_of(routers),
            rehearsed=tuple(await _rehearsed(workspace, params, model)),
            judging=await SelfJudging.of_run(context, info.id, info.config, asked),
            places=anyio.CapacityLimiter(concurrency or info.config.concurrency),
        )


def _judge_of(params: EvaluateParams) -> GradingParams:
    return GradingParams(judge=params.grading.judge)


async def _rehearsed(workspace: Workspace, params: EvaluateParams, model: str) -> "Iterable[Rehearsed]":
    if not params.preflight:
        return ()
    judge = params.grading.judge
    talkers = [] if judge == NO_JUDGE else [judge]
    return await preflight(workspace, [model], talkers=talkers, base_url=params.base_url)


def _context(workspace: Workspace, store: "Store", job: Job) -> JobContext:
    return JobContext(
        job_id=job.id,
        params=job.params,
        workspace=workspace,
        store=store,
        journal=Journal(store, job.id),
        progress=lambda done, total, message: None,
        work=WorkDesk(store.work, job),
    )
