"""The journal of a job on which several processes work: each asks the database before it pays for a call."""

from collections.abc import Awaitable, Callable

import anyio

from plugineval.pccf.ledger import CallKey
from plugineval.server.store.journal import Journal
from plugineval.server.store.store import Store


class SharedJournal(Journal):
    """A `Ledger` of one shard, which reads nothing ahead: what others answer meanwhile would be missing in it.

    `fresh` are the stages in which nobody can have asked anything before, so that nothing is looked up: those of a
    shard that is taken for the first time.
    """

    def __init__(self, store: Store, scope: str, *, fresh: frozenset[str] = frozenset()) -> None:
        super().__init__(store, scope)
        self._fresh = fresh
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
            answer = None if key.stage in self._fresh else await self._found(digest)
            if answer is not None:
                self.replayed[key.stage] += 1
            else:
                made = await make()
                # Where another process was first, its answer counts.
                answer = await self._calls.record(self.scope, digest, key, made) or made
                self.made[key.stage] += 1
            self._answers[digest] = answer
            return answer
        finally:
            del self._asking[digest]
            finished.set()

    async def _found(self, digest: str) -> str | None:
        return (await self._calls.find(self.scope, [digest])).get(digest)
