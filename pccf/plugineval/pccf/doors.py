"""The door before every call of a job: it stands open until the process that makes the calls is to end.

Once it is closed no further call begins, and those that went through are answered and recorded. Whoever makes calls
asks `go_through` right before each; what has to be kept of a call is the work of a ledger, which says when it `passed`.
"""

from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import TypeVar

import anyio

T = TypeVar("T")


class Door:
    """Of one job."""

    def __init__(self) -> None:
        self.quiet = anyio.Event()
        """Set when the door is closed, and every call that went through it is recorded."""
        self._closed = False
        self._inside = 0

    def close(self) -> None:
        """Let no further call begin."""
        self._closed = True
        self._look()

    async def passed(self, call: Callable[[], Awaitable[T]]) -> T:
        """One call with all that is to be done before its answer counts; `go_through` within it comes here."""
        step = _Step(self)
        token = _STEP.set(step)
        try:
            return await call()
        finally:
            _STEP.reset(token)
            if step.through:
                self._inside -= 1
                self._look()

    async def enter(self, step: "_Step") -> None:
        """Go through, once for a step; never, where the door is closed."""
        if step.through:
            return
        if self._closed:
            await anyio.sleep_forever()
        step.through = True
        self._inside += 1

    def _look(self) -> None:
        if self._closed and not self._inside:
            self.quiet.set()


class _Step:
    def __init__(self, door: Door) -> None:
        self.door = door
        self.through = False


_STEP: ContextVar[_Step | None] = ContextVar("step", default=None)


async def go_through() -> None:
    """Right before a call, after every other wait: at once, or never where the job is to call nobody any more."""
    step = _STEP.get()
    if step is not None:
        await step.door.enter(step)
