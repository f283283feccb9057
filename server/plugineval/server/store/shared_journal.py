"""The journal of a job on which several processes work: each asks the database before it pays for a call.

What other shards may want as well is asked by one of them, and the others wait for its answer.
"""

from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import NamedTuple

import anyio

from plugineval.pccf.errors import StoreError
from plugineval.pccf.ledger import CallKey
from plugineval.server.store.journal import Journal
from plugineval.server.store.shard_notes import ShardLease
from plugineval.server.store.store import Store

AGAIN_S, SELDOM_S = 0.05, 0.5
"""How soon is looked again, at first and later, for the answer that another shard waits for."""


class Sharing(NamedTuple):
    """A shard among the others of its job. `own` are the stages whose calls no other shard makes."""

    lease: ShardLease
    stale_after: timedelta
    """How long the holder of another shard may be silent before what it asked is asked again."""
    own: frozenset[str] = frozenset()


class SharedJournal(Journal):
    """A `Ledger` of one shard, which reads nothing ahead: what others answer meanwhile would be missing in it.

    `LostShardError` where the shard is not this process's any more: then it asks nothing that others may want.
    """

    def __init__(self, store: Store, sharing: Sharing) -> None:
        super().__init__(store, sharing.lease.job_id)
        self._sharing = sharing
        self._claims = store.claims
        # Of a shard that is taken for the first time nobody can have asked anything before.
        self._fresh = sharing.own if sharing.lease.epoch == 1 else frozenset[str]()
        self._answers: dict[str, str] = {}
        self._asking: dict[str, anyio.Event] = {}

    async def text(self, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        """The recorded answer as JSON, or that of `make()`, committed before it is returned; as every journal."""
        digest = key.digest
        while digest not in self._answers:
            waiting = self._asking.get(digest)
            if waiting is None:
                return await self._ask(digest, key, make)
            await waiting.wait()
        self.replayed[key.stage] += 1
        return self._answers[digest]

    async def _ask(self, digest: str, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        finished = self._asking[digest] = anyio.Event()
        try:
            answer = await self._answer(digest, key, make)
            self._answers[digest] = answer
            return answer
        finally:
            del self._asking[digest]
            finished.set()

    async def _answer(self, digest: str, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        answer = None if key.stage in self._fresh else await self._found(digest, key)
        if answer is not None:
            return answer
        if key.stage in self._sharing.own:
            return await self._made(digest, key, make)
        return await self._in_turn(digest, key, make)

    async def _in_turn(self, digest: str, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        lease, stale_after, pause = self._sharing.lease, self._sharing.stale_after, AGAIN_S
        while not await self._claims.take(lease, digest, stale_after=stale_after):
            await anyio.sleep(pause)
            pause = min(2 * pause, SELDOM_S)
            if (answer := await self._found(digest, key)) is not None:
                return answer
        try:
            # Whoever asked before may have been answered since the last look.
            return await self._found(digest, key) or await self._made(digest, key, make)
        finally:
            with anyio.CancelScope(shield=True):
                await self._release(digest)

    async def _release(self, digest: str) -> None:
        try:
            await self._claims.release(self._sharing.lease, digest)
        except StoreError:
            # It is void as soon as the shard is.
            return

    async def _made(self, digest: str, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        made = await make()
        # Where another process was first, its answer counts.
        answer = await self._calls.record(self.scope, digest, key, made) or made
        self.made[key.stage] += 1
        return answer

    async def _found(self, digest: str, key: CallKey) -> str | None:
        answer = (await self._calls.find(self.scope, [digest])).get(digest)
        if answer is not None:
            self.replayed[key.stage] += 1
        return answer
