"""Rows of any number in flat memory: fetched page by page, each page a short read of its own.

The same stream is walked with `async for` in a task and with `for` in a worker thread.
"""

from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from typing import Any, Generic, TypeVar

from anyio import to_thread

T = TypeVar("T")


class Stream(Generic[T]):
    """`fetch(place)` gives (place, item) pairs after `place`, or from the start for None; an empty page ends it."""

    def __init__(self, fetch: Callable[[Any], Sequence[tuple[Any, T]]]) -> None:
        self._fetch = fetch

    def __iter__(self) -> Iterator[T]:
        page = self._fetch(None)
        while page:
            yield from (item for _, item in page)
            page = self._fetch(page[-1][0])

    async def __aiter__(self) -> AsyncIterator[T]:
        page = await to_thread.run_sync(self._fetch, None)
        while page:
            for _, item in page:
                yield item
            page = await to_thread.run_sync(self._fetch, page[-1][0])
