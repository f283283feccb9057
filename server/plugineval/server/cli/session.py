"""How every command works: settings read once, errors as one sentence with an exit code, jobs with a progress bar."""

import logging
import os
import signal
from collections.abc import AsyncGenerator, Callable, Coroutine, Generator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime, timedelta
from importlib.util import find_spec
from typing import Any, TypeVar

import anyio

from plugineval.pccf.errors import IncompleteError, mendable
from plugineval.pccf.values import Json, Value
from plugineval.server.cli.exit_codes import reported
from plugineval.server.cli.options import SharedOptions
from plugineval.server.cli.stopping import StoppedError, stopping
from plugineval.server.cli.terminal import progress_bar, say
from plugineval.server.jobs.confirmations import UnconfirmedError
from plugineval.server.jobs.engine import JobEngine, OnProgress
from plugineval.server.jobs.estimating import ESTIMATED
from plugineval.server.jobs.kinds import RUNNERS
from plugineval.server.settings.settings import Settings
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.work.told import WAITING, kinds_told, waits_for_work
from plugineval.server.workers.engine import QueueEngine
from plugineval.server.workspace import Workspace

T = TypeVar("T")
BEGUN_WITHIN = timedelta(seconds=5)
"""A worker that has nothing else to do has begun a job by then."""

TITLES = {
    "build": "Building",
    "evaluate": "Measuring",
    "regrade": "Grading",
    "verify": "Executing again",
    "scenarios": "Deriving",
    "revise": "Revising",
    "recalibrate": "Calibrating",
    "ablate": "Ablating",
    "audit_reference": "Reviewing",
    "audit_judge": "Reviewing",
}


def run(work: Callable[[], Coroutine[Any, Any, T]], *, as_json: bool, many_calls: bool = False) -> T:
    """Run a command's work; what a person can mend leaves as one sentence and an exit code.

    Work of `many_calls` and no plugin gets uvloop where it is installed: a tenth less processor time a call.
    """
    options = {"use_uvloop": many_calls and find_spec("uvloop") is not None}
    with reported(as_json=as_json), _without_warnings():
        return anyio.run(work, backend_options=options)
    raise AssertionError("reported() leaves by an exception or not at all")


@contextmanager
def _without_warnings() -> Generator[None]:
    """What is logged as a warning is in the error's own sentence too; traces of what nobody expected are shown."""
    logger = logging.getLogger("plugineval")
    before = logger.level
    logger.setLevel(logging.ERROR)
    try:
        yield
    finally:
        logger.setLevel(before)


_NO_WORKER = "waits for a worker"


def waits_for_worker(job: Job) -> bool:
    """Whether no worker has begun a job of theirs, some seconds after it was put on the queue."""
    idle = job.engine == "workers" and job.state is JobState.QUEUED
    return idle and datetime.now(UTC) - job.updated_at > BEGUN_WITHIN


def untaken(job: Job) -> str:
    """Why workers leave a job of theirs, or shards of it, to others; nothing where none does."""
    _, found, reasons = job.message.partition("no worker takes ")
    return found + reasons if job.engine == "workers" else ""


@asynccontextmanager
async def engine_for(settings: Settings) -> AsyncGenerator[JobEngine]:
    """An engine of this process, which ends with the block; what goes to workers goes on without it."""
    async with QueueEngine.open(Workspace(settings, environ=os.environ), RUNNERS) as engine:
        yield engine


def how_to_answer(shared: SharedOptions) -> str:
    """How an agent gets at the work that a command waits for."""
    serve, take = shared.command("serve"), shared.command("work", "next")
    return (
        f"Connect an agent to `{serve}`, which works on the same database: it calls work_next and work_submit; or "
        f"answer with `{take}`. This command goes on when the work is done."
    )


async def run_job(
    engine: JobEngine, kind: str, params: Value, shared: SharedOptions, *, job_id: str | None = None
) -> Json:
    """Start a job and show how far it is; its result, or the error that ended it."""
    job = await engine.start(kind, params.model_dump(mode="json"), job_id=job_id)
    return await follow(engine, job, shared)


async def follow(engine: JobEngine, job: Job, shared: SharedOptions) -> Json:
    """Show how far a job is until it ends; its result, or the error that ended it.

    Where it ended because a person has to confirm something and one is there, it asks and goes on. `StoppedError` where
    a signal came first: the job stays interrupted, to be resumed.
    """
    while True:
        try:
            return await _followed(engine, job, shared)
        except ExceptionGroup as group:
            from plugineval.server.cli.confirming import answered_here, told_here

            waiting = mendable(group)
            if not isinstance(waiting, UnconfirmedError):
                raise
            if not answered_here(engine.workspace.settings, waiting):
                raise told_here(waiting, job.id, shared) from waiting
            job = await engine.resume(job.id)


async def _followed(engine: JobEngine, job: Job, shared: SharedOptions) -> Json:
    with progress_bar(TITLES.get(job.kind, job.kind), job.id) as show:
        told: set[str] = set()

        async def on_progress(live: Job) -> None:
            if live.message.startswith(ESTIMATED) and live.message not in told:
                # Before anything is paid for, and not only while a bar happens to show it.
                told.add(live.message)
                say(live.message)
            if waits_for_worker(live) and _NO_WORKER not in told:
                told.add(_NO_WORKER)
                say(f"{_NO_WORKER}: `{shared.command('worker')}` on the same database is one.")
            if (refused := untaken(live)) and refused not in told:
                told.add(refused)
                say(refused)
            show(live.done, live.total or 0, live.message)
            if waits_for_work(live) and (news := kinds_told(live.message) - told):
                waits = f"{live.message.partition(';')[0]}."
                say(waits if WAITING in told else f"{waits} {how_to_answer(shared)}")
                told.update({WAITING, *news})

        async with stopping() as stop:
            return await _result(engine, job, on_progress, shared)
    raise await _stopped(engine, job, stop.signum, shared)


async def _stopped(engine: JobEngine, job: Job, signum: int, shared: SharedOptions) -> StoppedError:
    """Ctrl-C stops a job of workers as it stops one that runs here; however else its follower ends, they go on."""
    again = f"run `{shared.command('resume', job.id)}`"
    if job.engine == "workers" and signum == signal.SIGINT:
        await (await engine.workspace.store()).jobs.hold(job.id)
    elif job.engine == "workers":
        again = f"its workers go on; to follow it, {again}"
    error = StoppedError(signum, next_step=again)
    error.job_id = job.id
    return error


async def _result(engine: JobEngine, job: Job, on_progress: OnProgress, shared: SharedOptions) -> Json:
    try:
        return await engine.result(job.id, on_progress)
    except IncompleteError as error:
        if error.next_step is not None:
            raise
        step = f"run `{shared.command('resume', job.id)}`; answered calls are not made again"
        told = IncompleteError(error.problem, field=error.field, allowed=error.allowed, next_step=step)
        told.job_id = job.id
        raise told from error
