"""The call journal: a paid call is made once per scope, whatever crashes, is cancelled or is asked twice at once.

A scope is one job. Its recorded answers are read in one go when the first call comes, so a replay costs no query.
Beyond a memory budget only their keys are kept: an answer is then fetched together with the next ones in the order
they were made, which is about the order in which a replay asks.
"""

from collections import Counter
from collections.abc import Awaitable, Callable

import anyio

from plugineval.pccf.ledger import CallKey, TextLedger
from plugineval.pccf.values import Json
from plugineval.server.store.bodies import from_text, to_text
from plugineval.server.store.store import Store

MEMORY_BUDGET = 64 * 1024 * 1024
READ_AHEAD = 256


class Journal(TextLedger):
    """A `Ledger` on the store. `made` and `replayed` count calls by stage."""

    def __init__(self, store: Store, scope: str, *, memory_budget: int = MEMORY_BUDGET) -> None:
        self.scope = scope
        self.made: Counter[str] = Counter()
        self.replayed: Counter[str] = Counter()
        self._calls = store.calls
        self._budget = memory_budget
        self._loading = anyio.Lock()
        self._known: dict[str, str | None] | None = None
        self._here: set[int] = set()
        """Those recorded by this process, shortened: there may be a hundred thousand, and a run asks for each once."""
        self._ahead: dict[str, str] = {}
        self._under_way: dict[str, anyio.Event | None] = {}
        """Digest of a call that somebody makes -> who else waits for it, if anybody does."""

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        """The recorded answer, or that of `make()`, committed before it is returned; otherwise like `text`."""
        made: dict[str, Json] = {}

        async def text() -> str:
            answer = await make()
            written = to_text(answer)
            made[written] = answer
            return written

        found = await self.text(key, text)
        return made[found] if found in made else from_text(found)

    async def text(self, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        """The recorded answer as JSON, or that of `make()`, committed before it is returned.

        Who asks for a call that is under way waits for its answer; if it fails, the next one makes its own. What
        `make` raises passes through and is not recorded. An answer that has arrived is committed even if the task is
        cancelled at that moment.
        """
        known = self._known if self._known is not None else await self._load()
        digest = key.digest
        while digest not in known and _short(digest) not in self._here:
            if digest not in self._under_way:
                return await self._make(digest, key, make)
            waiting = self._under_way[digest] = self._under_way[digest] or anyio.Event()
            await waiting.wait()
        self.replayed[key.stage] += 1
        return known.get(digest) or self._ahead.get(digest) or await self._fetch(digest)

    async def _make(self, digest: str, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        self._under_way[digest] = None
        try:
            answer = await make()
            first = await self._calls.record(self.scope, digest, key, answer)
            self._here.add(_short(digest))
            self.made[key.stage] += 1
            return answer if first is None else first
        finally:
            waiting = self._under_way.pop(digest)
            if waiting is not None:
                waiting.set()

    async def _fetch(self, digest: str) -> str:
        async with self._loading:
            if digest not in self._ahead:
                self._ahead = await self._calls.from_key(self.scope, digest, limit=READ_AHEAD)
            return self._ahead[digest]

    async def _load(self) -> dict[str, str | None]:
        async with self._loading:
            if self._known is None:
                self._known = await self._calls.load(self.scope, budget=self._budget)
            return self._known


def _short(digest: str) -> int:
    """A third of the memory of the digest, and still more than enough to tell it from all others."""
    return int(digest[:30], 16)
