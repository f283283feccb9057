"""One run of one job in this process: its heartbeat, its work, and the last word that the store gets about it.

Nothing that goes wrong in a job leaves this class: an error becomes the job's state, a store that cannot be written is
logged, and a job that another process has taken over is left to it. Only being cancelled passes through, after the
job's state was written.
"""

import logging
from traceback import format_exception
from typing import TYPE_CHECKING

import anyio

from plugineval.pccf.doors import Door
from plugineval.pccf.errors import IncompleteError, PluginEvalError, StoreError, bug_told, mendable
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import JobContext, Runner
from plugineval.server.jobs.progress import Progress
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job, JobChange
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.journal import Journal
    from plugineval.server.store.store import Store
    from plugineval.server.work.desk import WorkDesk

HEARTBEAT_S = 0.5
"""How often progress is written and a wish to cancel is read."""
CANCELLED = "cancelled; what was done is kept"

_STOPPED = {
    "here": JobChange(state=JobState.INTERRUPTED, message="the process stopped; resume it"),
    "workers": JobChange(state=JobState.QUEUED, message="a worker stopped; waits for another"),
}
"""The last word of a process that ends before its job."""

logger = logging.getLogger(__name__)


class JobRun:
    """`ended` is set when the job has; `error` is what ended it, if something did. A `door` may let its calls begin, or
    not, where the process may be told to end.
    """

    def __init__(self, workspace: Workspace, store: "Store", job: Job, door: Door | None = None) -> None:
        self.ended = anyio.Event()
        self.error: PluginEvalError | None = None
        self.unsaid: JobChange | None = None
        """The last word, where the store could not take it."""
        self._workspace = workspace
        self._store = store
        self._job = job
        self._door = door
        self._progress = Progress(job.done, job.total)
        self._lost = False

    def live(self, job: Job) -> Job:
        """The stored job with what this process knows and the store does not yet."""
        if job.state is not JobState.RUNNING or self._lost:
            return job
        said = {} if self.unsaid is None else self.unsaid.model_dump(exclude_unset=True)
        return job.model_copy(update={**self._progress.fields, **said})

    async def news(self) -> None:
        """Wait for another message, or for the end."""
        if not self.ended.is_set():
            await self._progress.news.wait()

    def cancel(self) -> None:
        """Stop the work at its next await."""
        self._progress.cancel()

    async def run(self, runner: Runner | None) -> None:
        """Do the work, whatever comes of it."""
        change = _STOPPED[self._job.engine]
        try:
            async with anyio.create_task_group() as group:
                group.start_soon(self._beat)
                change = await self._outcome(runner)
                group.cancel_scope.cancel()
        finally:
            # Whatever ended the job, its state is written: a running job that nobody runs would look alive.
            with anyio.CancelScope(shield=True):
                await self._say(change)
                self.ended.set()
                self._progress.tell()
                await self._workspace.announce(f"plugineval://jobs/{self._job.id}")

    async def _outcome(self, runner: Runner | None) -> JobChange:
        try:
            with self._progress.scope:
                return JobChange(state=JobState.COMPLETED, result=await self._work(runner), message="done")
        except Exception as error:  # noqa: BLE001 - the boundary of a job: a bug in one must not take down the others
            return self._failed(error)
        return JobChange(state=JobState.CANCELLED, message=CANCELLED)

    async def _work(self, runner: Runner | None) -> Json:
        if runner is None:
            raise PluginEvalError(
                f"this version runs no jobs of kind {self._job.kind!r}", next_step="run it with the version it is from"
            )
        context = JobContext(
            job_id=self._job.id,
            params=self._job.params,
            workspace=self._workspace,
            store=self._store,
            journal=self._journal(),
            progress=self._progress.report,
            work=self._desk(),
        )
        return await runner(context)

    def _journal(self) -> "Journal":
        from plugineval.server.jobs.gated_journal import GatedJournal
        from plugineval.server.store.journal import Journal

        door = self._door
        return Journal(self._store, self._job.id) if door is None else GatedJournal(self._store, self._job.id, door)

    def _desk(self) -> "WorkDesk":
        from plugineval.server.work.desk import WorkDesk

        desk = WorkDesk(self._store.work, self._job, in_session=self._workspace.in_session)
        self._progress.waiting_for = lambda: desk.message
        return desk

    def _failed(self, error: Exception) -> JobChange:
        told = mendable(error)
        if told is None:
            logger.error("job %s failed\n%s", self._job.id, self._trace(error))
            told = PluginEvalError(bug_told(error), next_step="report it, with what the log says of it")
        self.error = told
        if isinstance(told, IncompleteError | StoreError):
            # What was answered so far is in the journal, and a store can be mended: the job goes on from there.
            return JobChange(state=JobState.INTERRUPTED, error=str(told), message="incomplete; resume it")
        return JobChange(state=JobState.FAILED, error=str(told), message="failed")

    def _trace(self, error: Exception) -> str:
        """The traceback without secrets: errors of the libraries below quote addresses and answers."""
        from plugineval.clients.redaction import Redactor

        redactor = Redactor(each.get_secret_value() for each in self._workspace.settings.secrets)
        return redactor.text("".join(format_exception(error)).rstrip())

    async def _say(self, change: JobChange) -> None:
        if self._progress.scope.cancel_called and change.state is not JobState.COMPLETED:
            change = change.model_copy(update={"state": JobState.CANCELLED, "message": CANCELLED})
        await self._write(JobChange.model_validate({**self._progress.fields, **change.model_dump(exclude_unset=True)}))

    async def say_again(self) -> None:
        """Write the last word, where the store could not take it yet."""
        if self.unsaid is not None:
            await self._write(self.unsaid)

    async def _write(self, last: JobChange) -> None:
        """Only what could not be written is told before it is: who hears of an end finds it in the store."""
        if self._lost:
            self.unsaid = None
            return
        try:
            await self._store.jobs.update(self._job.id, last)
        except IncompleteError:
            self._give_up()
        except Exception as error:
            # Still the boundary of the job. Until it is written, `live` tells it, and the next process finds it dead.
            told = mendable(error)
            self.error = self.error or told
            # A store that cannot be written is told to whoever waits; only what nobody expects is worth a trace.
            level, trace = (logging.WARNING, None) if isinstance(told, StoreError) else (logging.ERROR, error)
            self.unsaid = last
            said = "job %s is %s, which could not be written: %s"
            logger.log(level, said, self._job.id, last.state, error, exc_info=trace)
            return
        self.unsaid = None

    async def _beat(self) -> None:
        told: dict[str, int | str | None] = {}
        while True:
            await anyio.sleep(HEARTBEAT_S)
            fields = self._progress.fields
            try:
                job = await self._store.jobs.update(self._job.id, JobChange.model_validate(fields))
            except IncompleteError:
                self._give_up()
                return
            except StoreError as error:
                # The work itself meets a store that cannot be written; a lock that was held too long is over by then.
                logger.warning("job %s: heartbeat not written: %s", self._job.id, error)
                continue
            if job.cancel_requested:
                self.cancel()
            if fields != told:
                told = fields
                await self._workspace.announce(f"plugineval://jobs/{self._job.id}")

    def _give_up(self) -> None:
        """Another process took this one for dead and runs the job: two must not."""
        logger.warning("job %s is left to the process that took it over", self._job.id)
        self._lost = True
        self.cancel()
