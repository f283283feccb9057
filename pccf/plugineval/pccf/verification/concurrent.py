"""Several awaitables at once, their results in the order asked: whatever finishes first, a replay reads the same."""

from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar, cast

import anyio

T = TypeVar("T")


async def in_order(makes: Sequence[Callable[[], Awaitable[T]]]) -> list[T]:
    """The results of all `makes`, run concurrently; the first error as itself, cancellation as cancellation."""
    results: dict[int, T] = {}

    async def run(position: int, make: Callable[[], Awaitable[T]]) -> None:
        results[position] = await make()

    try:
        async with anyio.create_task_group() as group:
            for position, make in enumerate(makes):
                group.start_soon(run, position, make)
    except ExceptionGroup as failed:
        raise _first(failed) from None
    return [results[position] for position in range(len(makes))]


def _first(group: ExceptionGroup[Exception]) -> Exception:
    first = group.exceptions[0]
    return _first(cast("ExceptionGroup[Exception]", first)) if isinstance(first, ExceptionGroup) else first
