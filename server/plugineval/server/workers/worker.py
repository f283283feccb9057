"""A worker: takes shards and jobs off the queue until it is told to leave, and sees that nothing is forgotten there.

Procrastinate delivers, and delivers again what is with a worker that fell silent. Whatever our own tables know to be
waiting, and the queue does not, is put on it again, so that no delivery that is lost on the way stops a run.
"""

from collections import Counter
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Protocol, cast

import anyio

from plugineval.pccf.errors import PluginEvalError, StoreError
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import Runners
from plugineval.server.store.shard_notes import WaitingShard
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.store.trouble_notes import Trouble
from plugineval.server.workers.fitness import needs_of, settings_for
from plugineval.server.workers.holding import Hold
from plugineval.server.workers.leaving import give_up, until_gone
from plugineval.server.workers.posts import Post, open_post
from plugineval.server.workers.posts_open import OpenPosts
from plugineval.server.workers.queue import JOB_TASK, JOBS, SHARD_TASK, Delivery, Queue, shard_queue
from plugineval.server.workers.spreading import Spreading
from plugineval.server.workers.telling import Tell, worker_name
from plugineval.server.workers.whole_jobs import WholeJob
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

JOBS_AT_ONCE = 8
"""Whole jobs of one worker; those that watch over a run cost it nearly nothing."""
LOOK_S = 0.5


class Fetcher(Protocol):
    """What takes deliveries off the queue and calls our tasks with them: a worker of Procrastinate."""

    async def run(self) -> None:
        """Until it is stopped."""
        ...

    def stop(self) -> None:
        """Take no more; `run` ends with what was taken."""
        ...


class Worker:
    """One worker of a workspace. `concurrency`: calls in flight at most, per model of a run; None: as the run says."""

    def __init__(self, workspace: Workspace, store: "Store", queue: Queue, runners: Runners, tell: Tell) -> None:
        self._workspace, self._store, self._queue, self._tell = workspace, store, queue, tell
        self._options = workspace.settings.workers
        self._runners: Runners = {**runners, "evaluate": Spreading(queue, self._wake)}
        self._drain, self._kick = anyio.Event(), anyio.Event()
        self._fetchers: set[Fetcher] = set()
        self._served: list[str] = []
        self._refused: set[str] = set()
        self._holding: Counter[tuple[str, str]] = Counter()
        self._posts: OpenPosts | None = None
        self.concurrency: int | None = None
        self.name = worker_name()

    async def serve(self, leave: anyio.Event) -> None:
        """Work until `leave` is set; then nothing new begins, and what is under way finishes or is given back."""
        self._queue.app.task(name=SHARD_TASK)(self._take_shard)
        self._queue.app.task(name=JOB_TASK)(self._run_job)
        async with anyio.create_task_group() as standing:
            self._posts = OpenPosts(standing, self._open)
            standing.start_soon(self._look_after)
            async with anyio.create_task_group() as working:
                working.start_soon(self._fetch, self._shards)
                working.start_soon(self._fetch, self._whole_jobs)
                await leave.wait()
                self._leave()
                standing.start_soon(self._see_off, working.cancel_scope)
            standing.cancel_scope.cancel()

    async def _see_off(self, working: anyio.CancelScope) -> None:
        """Wait no longer for what is under way than the database is there."""
        await until_gone(self._store)
        await give_up(self._store, self._queue, self._options, self._tell)
        working.cancel()

    def _leave(self) -> None:
        self._tell("leaving", "takes nothing more; calls in flight finish, the rest goes to other workers")
        self._drain.set()
        for fetcher in self._fetchers:
            fetcher.stop()

    def _open(self, job: Job, model: str) -> AbstractAsyncContextManager[Post]:
        return open_post(self._workspace, self._store, job, model, self.concurrency)

    def _wake(self) -> None:
        self._kick.set()

    async def _take_shard(self, job_id: str, number: int, model: str) -> None:
        self._holding[job_id, model] += 1
        try:
            post = await self._post(await self._store.jobs.get(job_id), model)
            if post is not None and not await self._hold(post, job_id, number):
                await self._queue.put_back(Delivery(job_id, number, model))
        finally:
            self._holding[job_id, model] -= 1

    async def _hold(self, post: Post, job_id: str, number: int) -> bool:
        """False where others should have the shard at once."""
        if self._drain.is_set():
            return False
        lease = await self._store.shards.claim(job_id, number, stale_after=self._options.silence)
        if lease is None:
            return True
        hold = Hold(post, lease, self._options, self._drain)
        self._tell("took", f"took {hold.name}: {lease.plan.total} cells of {post.router.id}", **hold.facts)
        return await hold.run(self._tell)

    async def _run_job(self, job_id: str) -> None:
        try:
            needs = await needs_of(self._store, await self._store.jobs.get(job_id))
            settings = settings_for(self._workspace.settings, self._workspace.environ, needs)
        except PluginEvalError as error:
            trouble = Trouble(what="refused", worker=self.name, reason=str(error))
            await self._refuse(f"{job_id} is left to other workers: {error}", job_id, trouble)
            await self._store.jobs.refuse(job_id, f"no worker takes it; {self.name}: {error}")
            return
        claimed = await self._store.jobs.claim(job_id, stale_after=self._options.silence)
        if claimed is None:
            return
        self._tell("job", f"runs {claimed.kind} {job_id}", job_id=job_id, kind=claimed.kind)
        job = WholeJob(self._workspace.under(settings), claimed, self._drain, self._options.grace_s)
        if not await job.run(self._runners.get(claimed.kind)):
            self._tell("gave_back", f"{claimed.kind} {job_id} was given back", job_id=job_id, kind=claimed.kind)
            await self._queue.put_back(Delivery(job_id))

    async def _fetch(self, make: Callable[[], Fetcher]) -> None:
        from procrastinate.exceptions import AppNotOpen, ConnectorException

        while not self._drain.is_set():
            fetcher = make()
            self._fetchers.add(fetcher)
            try:
                await fetcher.run()
            except (ConnectorException, AppNotOpen) as error:
                # The server went away, or took this worker for dead and forgot it: it comes back as a new one.
                if not self._drain.is_set():
                    self._tell("trouble", f"joins the queue again ({type(error).__name__})")
            finally:
                self._fetchers.discard(fetcher)
            with anyio.move_on_after(self._options.heartbeat_s):
                await self._drain.wait()

    def _shards(self) -> Fetcher:
        return self._fetcher(self._served, self._options.shards_at_once)

    def _whole_jobs(self) -> Fetcher:
        return self._fetcher([JOBS], JOBS_AT_ONCE)

    def _fetcher(self, queues: list[str], at_once: int) -> Fetcher:
        from procrastinate.worker import Worker as Procrastinate

        made = Procrastinate(
            self._queue.app,
            # Read at every look: the list of served queues grows and shrinks in place.
            queues=queues,
            name=self.name,
            concurrency=at_once,
            fetch_job_polling_interval=min(LOOK_S, self._options.heartbeat_s),
            listen_notify=False,
            delete_jobs="always",
            install_signal_handlers=False,
            update_heartbeat_interval=self._options.heartbeat_s,
            stalled_worker_timeout=self._options.stalled_after_s,
        )
        return cast("Fetcher", made)

    async def _look_after(self) -> None:
        while True:
            self._kick = anyio.Event()
            try:
                await self._queue.retry_stalled(self._options.stalled_after_s)
                await self._store.jobs.release_lost(stale_after=self._options.silence)
                jobs = await self._store.jobs.on_queue()
                waiting = await self._store.shards.waiting(stale_after=self._options.silence)
                await self._queue.deliver(_missing(jobs, waiting))
                await self._serve({job.id: job for job in jobs}, waiting)
            except StoreError as error:
                self._tell("trouble", str(error))
            with anyio.move_on_after(self._options.heartbeat_s):
                await self._kick.wait()

    async def _serve(self, jobs: dict[str, Job], waiting: tuple[WaitingShard, ...]) -> None:
        """Look at the queues of the models that can be asked from here, and at no others."""
        # A job that was put on the queue between the two looks is seen at the next one.
        known = dict.fromkeys((shard.job_id, shard.model) for shard in waiting if shard.job_id in jobs)
        for job_id, model in known:
            await self._post(jobs[job_id], model)
        assert self._posts is not None
        held = {job_id for (job_id, _), number in self._holding.items() if number}
        self._served[:] = [shard_queue(*key) for key in self._posts.of({*jobs, *held})]

    async def _post(self, job: Job, model: str) -> Post | None:
        assert self._posts is not None
        try:
            return await self._posts.get(job, model)
        except PluginEvalError as error:
            trouble = Trouble(what="refused", worker=self.name, model=model, reason=str(error))
            await self._refuse(f"{model} of {job.id} is left to other workers: {error}", job.id, trouble)
            await self._store.shards.refuse(job.id, model, f"{self.name}: {error}")
            return None

    async def _refuse(self, sentence: str, job_id: str, trouble: Trouble) -> None:
        """Say why, once."""
        if sentence in self._refused:
            return
        self._refused.add(sentence)
        facts: dict[str, Json] = {"model": trouble.model} if trouble.model else {}
        self._tell("refused", sentence, job_id=job_id, reason=trouble.reason, **facts)
        await self._store.troubles.note(job_id, trouble)


def _missing(jobs: tuple[Job, ...], waiting: tuple[WaitingShard, ...]) -> list[Delivery]:
    whole = [Delivery(job.id) for job in jobs if job.state is JobState.QUEUED]
    return [*whole, *(Delivery(*shard) for shard in waiting)]
