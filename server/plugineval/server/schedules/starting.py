"""Starts what is due, and goes on with what a process that is gone had started. Any number of processes may look."""

import logging
from datetime import UTC, datetime
from typing import NamedTuple

import anyio

from plugineval.pccf.errors import PluginEvalError, StoreError, UnknownNameError
from plugineval.server.jobs.benchmark_run import plan_benchmark_run
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.params import EvaluateParams, RunWishes
from plugineval.server.jobs.rerunning import RerunWishes, plan_rerun
from plugineval.server.schedules.checking import refuse_without_models
from plugineval.server.schedules.claims import Claim, ScheduleClaims
from plugineval.server.settings.schedules import Schedule
from plugineval.server.store.ids import new_job_id
from plugineval.server.store.states import JobState

LOOK_S = 15.0
"""How often a process that runs anyway looks at its schedules."""

logger = logging.getLogger(__name__)


class Started(NamedTuple):
    """What came of one schedule that was due."""

    schedule: str
    due: datetime
    job_id: str | None
    error: PluginEvalError | None = None


async def keep_schedules(engine: JobEngine) -> None:
    """Start what is due, until cancelled."""
    while True:
        try:
            for started in await start_due(engine, datetime.now(UTC)):
                if started.error is not None:
                    logger.warning("schedule %s: %s", started.schedule, started.error)
        except StoreError as error:
            # Whoever needs the store is told what is wrong with it.
            logger.warning("schedules: %s", error)
        await anyio.sleep(LOOK_S)


async def start_due(engine: JobEngine, now: datetime) -> list[Started]:
    """Start every schedule of the settings that is due and that nobody else has started; their jobs run in `engine`."""
    found = [await _start(engine, schedule, now) for schedule in engine.workspace.settings.schedules]
    return [started for started in found if started is not None]


async def _start(engine: JobEngine, schedule: Schedule, now: datetime) -> Started | None:
    claims = ScheduleClaims(await engine.workspace.store())
    claim = await claims.take(schedule, now, new_job_id())
    if claim is None:
        return await _go_on(engine, claims, schedule)
    try:
        params = await _planned(engine, claims, schedule, claim)
    except PluginEvalError as error:
        await claims.failed(schedule.name, claim, str(error))
        return Started(schedule.name, claim.due, None, error)
    await claims.planned(schedule.name, claim, params.run_id)
    job = await engine.start("evaluate", params.model_dump(mode="json"), job_id=claim.job_id)
    return Started(schedule.name, claim.due, job.id)


async def _planned(engine: JobEngine, claims: ScheduleClaims, schedule: Schedule, claim: Claim) -> EvaluateParams:
    """The stored run of a claim; one that a process had planned before it died is taken as it is."""
    workspace = engine.workspace
    store = await workspace.store()
    try:
        return EvaluateParams.model_validate((await store.jobs.get(claim.job_id)).params)
    except UnknownNameError:
        pass
    state = await claims.state(schedule.name)
    baseline = schedule.baseline or (state.baseline if state and schedule.run is None else None)
    if schedule.run is not None:
        again = RerunWishes(models=schedule.models, repeats=schedule.repeats, baseline=baseline)
        return await plan_rerun(workspace, schedule.run, again, job_id=claim.job_id)
    refuse_without_models(workspace.settings, schedule)
    wishes = RunWishes(models=schedule.models, repeats=schedule.repeats, baseline=baseline)
    return await plan_benchmark_run(workspace, schedule.benchmark or "", wishes, job_id=claim.job_id)


async def _go_on(engine: JobEngine, claims: ScheduleClaims, schedule: Schedule) -> Started | None:
    """A job of the schedule that lost its process is resumed; only one process gets it."""
    state = await claims.state(schedule.name)
    if state is None or state.job_id is None or state.run_id is None or state.due is None:
        return None
    store = await engine.workspace.store()
    await store.jobs.mark_interrupted()
    if (await store.jobs.get(state.job_id)).state not in (JobState.INTERRUPTED, JobState.QUEUED):
        return None
    job = await engine.resume(state.job_id)
    return Started(schedule.name, state.due, job.id) if job.state is JobState.RUNNING else None
