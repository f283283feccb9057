"""How the writer thread wakes a waiting task: it leaves a note with the task's event loop and goes on at once.

anyio's own way from a thread into a loop blocks the thread until the loop has answered; a writer that waits for one
busy loop would hold up everybody, and a loop that waits for the writer would never wake up.
"""

from collections.abc import Callable
from typing import Protocol, cast, runtime_checkable

from anyio import Event
from anyio.lowlevel import EventLoopToken, current_token


@runtime_checkable
class _Asyncio(Protocol):
    def call_soon_threadsafe(self, callback: Callable[[], object], /) -> object: ...


class _Trio(Protocol):
    def run_sync_soon(self, sync_fn: Callable[[], object], /) -> None: ...


class Wakeup:
    """An event of the loop it was made in, set from any thread."""

    __slots__ = ("_event", "loop")

    def __init__(self) -> None:
        self.loop: EventLoopToken = current_token()
        self._event = Event()

    async def wait(self) -> None:
        """Wait until it is set."""
        await self._event.wait()

    def ring(self) -> None:
        """Set it; only in its own loop."""
        self._event.set()


def wake(wakeups: list[Wakeup]) -> None:
    """Set all of them, with one note for each loop. A loop that has ended has nobody left to wake."""
    loops: dict[object, list[Wakeup]] = {}
    for wakeup in wakeups:
        loops.setdefault(wakeup.loop.native_token, []).append(wakeup)
    for native, sleepers in loops.items():
        _leave_note(native, sleepers)


def _leave_note(native: object, sleepers: list[Wakeup]) -> None:
    def ring() -> None:
        for sleeper in sleepers:
            sleeper.ring()

    try:
        if isinstance(native, _Asyncio):
            native.call_soon_threadsafe(ring)
        else:
            cast("_Trio", native).run_sync_soon(ring)
    except RuntimeError:
        # asyncio's "Event loop is closed" and trio's RunFinishedError: whoever waited is gone.
        return
