"""The journal of a job that may be told to end: what went through its door is recorded before the door is quiet."""

from collections.abc import Awaitable, Callable
from functools import partial

from plugineval.pccf.doors import Door
from plugineval.pccf.ledger import CallKey
from plugineval.server.store.journal import Journal
from plugineval.server.store.store import Store


class GatedJournal(Journal):
    """A `Journal`."""

    def __init__(self, store: Store, scope: str, door: Door) -> None:
        super().__init__(store, scope)
        self._door = door

    async def text(self, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        """As every journal."""
        return await self._door.passed(partial(super().text, key, make))
