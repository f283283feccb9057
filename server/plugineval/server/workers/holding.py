"""Holding one shard: its heart beats while it is measured, and it is given back when it cannot be finished here."""

import logging
from typing import TYPE_CHECKING, Literal

import anyio

from plugineval.pccf.errors import IncompleteError, PluginEvalError, StoreError, bug_told, mendable
from plugineval.server.settings.worker_options import WorkerOptions
from plugineval.server.store.shard_notes import ShardLease
from plugineval.server.store.shards import LostShardError
from plugineval.server.store.trouble_notes import Trouble
from plugineval.server.workers.gate import Gate, now
from plugineval.server.workers.measuring import Measured, measure
from plugineval.server.workers.posts import Post
from plugineval.server.workers.telling import Tell, worker_name

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

logger = logging.getLogger(__name__)


class Hold:
    """One shard in this process, from taking it to its end. `drain` is set when the worker is to leave."""

    def __init__(self, post: Post, lease: ShardLease, options: WorkerOptions, drain: anyio.Event) -> None:
        self._worker = worker_name()
        self._post, self._lease, self._options, self._drain = post, lease, options, drain
        self._store: Store = post.context.store
        # One heartbeat less than others wait before they take it over.
        self._gate = Gate(post.places, options.stalled_after_s - options.heartbeat_s)
        self._done = 0
        self._lost = False
        self._scope = anyio.CancelScope()

    async def run(self, tell: Tell) -> bool:
        """Measure it; False where others should have it at once."""
        measured: Measured | None = None
        try:
            with self._scope:
                async with anyio.create_task_group() as group:
                    group.start_soon(self._beat)
                    group.start_soon(self._leave)
                    measured = await measure(self._post, self._lease, self._gate, self._count)
                    group.cancel_scope.cancel()
            if measured is not None:
                await self._store.shards.finish(self._lease, measured.end, unanswered=measured.unanswered)
        except Exception as error:  # noqa: BLE001 - the boundary of a shard: a bug in one must not take down the others
            await self._failed(error)
        finally:
            self._gate.clear()
        # Nothing is given back that another process has taken.
        given = await self._give_back() if measured is None or self._lost else True
        if self._lost:
            await self._note("lost", "another worker has it, or its run was stopped")
            tell("lost", f"{self.name} was taken over, or its run was stopped: late answers are dropped", **self.facts)
            return True
        if not given:
            tell("trouble", f"{self.name} could not be given back: it is taken over when it was silent", **self.facts)
            return False
        if measured is None:
            tell("gave_back", f"{self.name} was given back, {self._done} cells done", **self.facts)
            return False
        tell("finished", f"{self.name} is done", **self.facts)
        return True

    @property
    def name(self) -> str:
        """For people."""
        return f"shard {self._lease.plan.number} of {self._lease.job_id}"

    @property
    def facts(self) -> "dict[str, str | int]":
        """For scripts."""
        plan = self._lease.plan
        return {"job_id": self._lease.job_id, "shard": plan.number, "model": plan.model, "done": self._done}

    def _count(self, done: int) -> None:
        self._done = done

    async def _beat(self) -> None:
        while True:
            await anyio.sleep(self._options.heartbeat_s)
            asked_at = now()
            try:
                await self._store.shards.beat(self._lease, self._done)
                self._gate.confirm(asked_at)
            except LostShardError:
                self._lost = True
                self._scope.cancel()
            except StoreError as error:
                # The work itself meets a database that is gone.
                logger.warning("%s: heartbeat not written: %s", self.name, error)

    async def _leave(self) -> None:
        await self._drain.wait()
        self._gate.close()
        with anyio.move_on_after(self._options.grace_s):
            await self._gate.quiet.wait()
        self._scope.cancel()

    async def _failed(self, error: Exception) -> None:
        told = mendable(error)
        if isinstance(told, LostShardError):
            self._lost = True
            return
        if isinstance(told, StoreError | IncompleteError):
            logger.warning("%s: %s", self.name, told)
            await self._note("gave_back", str(told))
            return
        if told is None:
            logger.error("%s failed", self.name, exc_info=error)
            told = PluginEvalError(bug_told(error))
        await self._note("failed", str(told))
        await self._store.shards.fail(self._lease, str(told))

    async def _note(self, what: Literal["failed", "gave_back", "lost"], reason: str) -> None:
        plan = self._lease.plan
        trouble = Trouble(what=what, worker=self._worker, model=plan.model, shard=plan.number, reason=reason)
        try:
            await self._store.troubles.note(self._lease.job_id, trouble)
        except StoreError as error:
            logger.warning("%s: not noted: %s", self.name, error)

    async def _give_back(self) -> bool:
        """False where nobody hears of it: it is taken over when it has been silent for long enough."""
        try:
            await self._store.shards.release(self._lease, self._done)
        except StoreError as error:
            logger.warning("%s not given back: %s", self.name, error)
            return False
        return True
