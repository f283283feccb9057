"""Runs jobs in this process: claims them, and lets others wait for them, wherever they run.

The store is the truth; this class only holds what runs here. A call that waits for a job may be cancelled, a client
may go away, the process may be killed: the job is there, and is resumed from its journal.
"""

import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup

from plugineval.pccf.errors import IncompleteError, PluginEvalError
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import Runners
from plugineval.server.jobs.running import HEARTBEAT_S, JobRun
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

LOOK_S = 0.2
"""How often who waits for a job hears how far it is."""
CANCEL_WAIT_S = 5.0
MOST_ERRORS = 100
"""Of jobs that ended here, by which their errors can still be raised as they were; the store keeps all as text."""
LATE_AFTER = timedelta(seconds=4 * HEARTBEAT_S)
"""A job of another process whose heart was silent for that long may have lost its process: worth a look."""

OnProgress = Callable[[Job], Awaitable[None]]


class JobEngine:
    """Jobs of the given kinds, run in `tasks`. The store is opened when something first needs it."""

    def __init__(self, workspace: Workspace, runners: Runners, tasks: TaskGroup) -> None:
        self.workspace = workspace
        self._runners = runners
        self._tasks = tasks
        self._running: dict[str, JobRun] = {}
        self._errors: dict[str, PluginEvalError] = {}

    @classmethod
    @asynccontextmanager
    async def open(cls, workspace: Workspace, runners: Runners) -> "AsyncGenerator[JobEngine]":
        """Jobs run inside this block; leaving it interrupts them, to be resumed, and closes the workspace."""
        try:
            async with anyio.create_task_group() as tasks:
                yield cls(workspace, runners, tasks)
                tasks.cancel_scope.cancel()
        finally:
            await workspace.aclose()

    async def start(self, kind: str, params: Json, *, job_id: str | None = None) -> Job:
        """Create a job and run it here; the job as it was created. Its id is made where none is given."""
        store = await self.workspace.store()
        job = await store.jobs.create(kind, params, job_id=job_id)
        return await self.resume(job.id)

    async def resume(self, job_id: str) -> Job:
        """Run a queued or interrupted job here; one that is over, or runs elsewhere, is returned as it is."""
        store = await self.workspace.store()
        if job_id in self._running:
            await self._running[job_id].say_again()
        claimed = await store.jobs.claim(job_id)
        if claimed is None:
            return await self._look(store, job_id)
        self._errors.pop(job_id, None)
        run = self._running[job_id] = JobRun(self.workspace, store, claimed)
        self._tasks.start_soon(self._run, run, claimed)
        return claimed

    async def cancel(self, job_id: str, *, wait_s: float = CANCEL_WAIT_S) -> Job:
        """Ask for a stop, wherever the job runs, and wait a little for it; what was done is kept."""
        job = await (await self.workspace.store()).jobs.request_cancel(job_id)
        if job_id in self._running:
            self._running[job_id].cancel()
        return await self.wait(job_id, wait_s) if job.state is JobState.RUNNING else job

    async def wait(
        self,
        job_id: str,
        seconds: float = math.inf,
        on_progress: OnProgress | None = None,
        *,
        until: Callable[[Job], bool] | None = None,
    ) -> Job:
        """The job when it has ended, when `until` holds, after `seconds`, or when this process is about to end;
        `on_progress` hears how far it is.
        """
        store = await self.workspace.store()
        job = await self._look(store, job_id)
        with anyio.move_on_after(seconds):
            while job.state in (JobState.QUEUED, JobState.RUNNING):
                if on_progress is not None:
                    await on_progress(job)
                if self.workspace.leaving or (until is not None and until(job)):
                    break
                await self._until_next_look(job_id)
                job = await self._look(store, job_id)
        return job

    async def result(self, job_id: str, on_progress: OnProgress | None = None) -> Json:
        """The result of a job when it has ended, wherever it ran; the error that ended it is raised."""
        job = await self.wait(job_id, on_progress=on_progress)
        if job.state is JobState.COMPLETED:
            return job.result
        error = self._errors.get(job_id) or _end_of(job)
        error.job_id = job_id
        raise error

    async def _look(self, store: "Store", job_id: str) -> Job:
        """The job as it is now: with what the store learns a little later, or without a process that is gone."""
        job = await store.jobs.get(job_id)
        run = self._running.get(job_id)
        if run is not None:
            return run.live(job)
        if job.state is JobState.RUNNING and _silent(job):
            await store.jobs.mark_interrupted()
            return await store.jobs.get(job_id)
        return job

    async def _until_next_look(self, job_id: str) -> None:
        run = self._running.get(job_id)
        with anyio.move_on_after(HEARTBEAT_S if run is None else LOOK_S):
            await (anyio.sleep_forever() if run is None else run.news())

    def _remember(self, job_id: str, error: PluginEvalError) -> None:
        """A server fails jobs for months: of the last ones the sentence is kept, and nothing that their frames held."""
        error.__cause__ = error.__context__ = None
        self._errors[job_id] = error.with_traceback(None)
        if len(self._errors) > MOST_ERRORS:
            del self._errors[next(iter(self._errors))]

    async def _run(self, run: JobRun, job: Job) -> None:
        try:
            await run.run(self._runners.get(job.kind))
        finally:
            if run.error is not None:
                self._remember(job.id, run.error)
            if run.unsaid is None and self._running.get(job.id) is run:
                del self._running[job.id]


def _silent(job: Job) -> bool:
    return job.heartbeat_at is None or datetime.now(UTC) - job.heartbeat_at > LATE_AFTER


def _end_of(job: Job) -> PluginEvalError:
    """The end of a job that ended elsewhere."""
    match job.state:
        case JobState.FAILED:
            return PluginEvalError(job.error or f"job {job.id} failed")
        case JobState.CANCELLED:
            return IncompleteError(
                f"job {job.id} was cancelled; what it did is kept", next_step="start the work again when it is wanted"
            )
        case _:
            return IncompleteError(job.error or f"job {job.id} is {job.state.value}")
