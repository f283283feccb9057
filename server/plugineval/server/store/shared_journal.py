"""The journal of a job on which several processes work: each asks the database before it pays for a call."""

from collections.abc import Awaitable, Callable

from plugineval.pccf.ledger import CallKey
from plugineval.server.store.journal import Journal
from plugineval.server.store.store import Store


class SharedJournal(Journal):
    """A `Ledger`. `fresh` are the stages in which nobody can have asked anything before, so that nothing is looked up:
    those of a shard that is taken for the first time.
    """

    def __init__(self, store: Store, scope: str, *, fresh: frozenset[str] = frozenset()) -> None:
        super().__init__(store, scope)
        self._fresh = fresh

    async def _load(self) -> dict[str, str | None]:
        # What others answer meanwhile would be missing in anything that was read ahead.
        self._known = {} if self._known is None else self._known
        return self._known

    async def _make(
        self, digest: str, key: CallKey, make: Callable[[], Awaitable[str]], known: dict[str, str | None]
    ) -> str:
        if key.stage in self._fresh:
            return await super()._make(digest, key, make, known)
        found: dict[str, str] = {}

        async def look() -> str:
            found.update(await self._calls.find(self.scope, [digest]))
            return found[digest] if found else await make()

        answer = await super()._make(digest, key, look, known)
        if found:
            self.made[key.stage] -= 1
            self.replayed[key.stage] += 1
        return answer
