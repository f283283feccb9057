"""Runs jobs in this process: claims them, beats their hearts, writes what came of them, and lets others wait.

The store is the truth; this class only holds the scopes of what runs here. A call that waits for a job may be
cancelled, a client may go away, the process may be killed: the job is there, and is resumed from its journal.
"""

import logging
import math
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
from anyio.abc import TaskGroup

from plugineval.pccf.errors import IncompleteError, PluginEvalError
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import JobContext, Runners
from plugineval.server.jobs.progress import Progress
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job, JobChange
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

HEARTBEAT_S = 0.5
"""How often progress is written and a wish to cancel is read."""

logger = logging.getLogger(__name__)

OnProgress = Callable[[Job], Awaitable[None]]


class JobEngine:
    """Jobs of the given kinds, run in `tasks`. The store is opened when something first needs it."""

    def __init__(self, workspace: Workspace, runners: Runners, tasks: TaskGroup) -> None:
        self.workspace = workspace
        self._runners = runners
        self._tasks = tasks
        self._running: dict[str, Progress] = {}
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

    async def start(self, kind: str, params: Json) -> Job:
        """Create a job and run it here; the job as it was created."""
        store = await self.workspace.store()
        job = await store.jobs.create(kind, params)
        return await self.resume(job.id)

    async def resume(self, job_id: str) -> Job:
        """Run a queued or interrupted job here; one that is over, or runs elsewhere, is returned as it is."""
        store = await self.workspace.store()
        claimed = await store.jobs.claim(job_id)
        if claimed is None:
            return await store.jobs.get(job_id)
        progress = self._running[job_id] = Progress(claimed.done, claimed.total)
        self._tasks.start_soon(self._run, store, claimed, progress)
        return claimed

    async def cancel(self, job_id: str) -> Job:
        """Ask for a stop, wherever the job runs; what was done is kept."""
        job = await (await self.workspace.store()).jobs.request_cancel(job_id)
        if job_id in self._running:
            self._running[job_id].cancel()
            return await self.wait(job_id, 5.0)
        return job

    async def wait(self, job_id: str, seconds: float = math.inf, on_progress: OnProgress | None = None) -> Job:
        """The job when it has ended or after `seconds`, whichever comes first; `on_progress` hears of every change."""
        store = await self.workspace.store()
        job = await store.jobs.get(job_id)
        with anyio.move_on_after(seconds):
            while job.state in (JobState.QUEUED, JobState.RUNNING):
                if on_progress is not None:
                    await on_progress(self._live(job))
                await self._until_changed(job_id)
                job = await store.jobs.get(job_id)
        return self._live(job)

    async def result(self, job_id: str, on_progress: OnProgress | None = None) -> Json:
        """The result of a job that was started here, when it has ended; the error that ended it is raised again."""
        job = await self.wait(job_id, on_progress=on_progress)
        if job.state is JobState.COMPLETED:
            return job.result
        if job_id in self._errors:
            raise self._errors[job_id]
        raise IncompleteError(
            job.error or f"job {job_id} is {job.state.value}", next_step=f"run `plugineval resume {job_id}`"
        )

    def _live(self, job: Job) -> Job:
        """The job with the progress of this moment, which the store learns a little later."""
        progress = self._running.get(job.id)
        return job.model_copy(update=progress.fields) if progress and job.state is JobState.RUNNING else job

    async def _until_changed(self, job_id: str) -> None:
        progress = self._running.get(job_id)
        with anyio.move_on_after(HEARTBEAT_S):
            if progress is None:
                await anyio.sleep_forever()
            else:
                await progress.changed()

    async def _run(self, store: "Store", job: Job, progress: Progress) -> None:
        change = JobChange(state=JobState.INTERRUPTED, message="the process stopped; resume it")
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._beat, store, job.id, progress)
                change = await self._outcome(store, job, progress)
                group.cancel_scope.cancel()
        finally:
            # Whatever ended the job, its state is written: a running job that nobody runs would look alive.
            with anyio.CancelScope(shield=True):
                self._running.pop(job.id, None)
                final = {**progress.fields, **change.model_dump(exclude_unset=True)}
                await store.jobs.update(job.id, JobChange.model_validate(final))
                progress.finish()
                await self.workspace.announce(f"plugineval://jobs/{job.id}")

    async def _outcome(self, store: "Store", job: Job, progress: Progress) -> JobChange:
        from plugineval.server.store.journal import Journal

        context = JobContext(
            job_id=job.id,
            params=job.params,
            workspace=self.workspace,
            store=store,
            journal=Journal(store, job.id),
            progress=progress.report,
        )
        try:
            with progress.scope:
                result = await self._runners[job.kind](context)
                return JobChange(state=JobState.COMPLETED, result=result, message="done")
            return JobChange(state=JobState.CANCELLED, message="cancelled; what was done is kept")
        except IncompleteError as error:
            self._errors[job.id] = error
            return JobChange(state=JobState.INTERRUPTED, error=str(error), message="incomplete; resume it")
        except PluginEvalError as error:
            self._errors[job.id] = error
            return JobChange(state=JobState.FAILED, error=str(error), message="failed")
        except Exception as error:
            # The boundary of a job: a bug in one must not take the server, or other jobs, down.
            logger.exception("job %s failed", job.id)
            return JobChange(state=JobState.FAILED, error=f"internal error: {type(error).__name__}", message="failed")

    async def _beat(self, store: "Store", job_id: str, progress: Progress) -> None:
        while True:
            await anyio.sleep(HEARTBEAT_S)
            job = await store.jobs.update(job_id, JobChange.model_validate(progress.fields))
            if job.cancel_requested:
                progress.cancel()
            await self.workspace.announce(f"plugineval://jobs/{job_id}")
