"""Ctrl-C and SIGTERM end a command like an error does: in a sentence that says how to go on, with nothing left behind.

The first signal lets everything close in order (plugins, the job's state, the database); a second one ends the process
at once and without a word, as a kill would: what was done is kept all the same.
"""

import signal
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

from plugineval.pccf.errors import IncompleteError

SHELL_OFFSET = 128
"""Shells report a process that a signal ended as 128 + its number."""


class StoppedError(IncompleteError):
    """Somebody stopped the command; `signum` tells how."""

    def __init__(self, signum: int, *, next_step: str | None = None) -> None:
        super().__init__(f"stopped by {signal.Signals(signum).name}; what was done is kept", next_step=next_step)
        self.signum = signum

    @property
    def exit_code(self) -> int:
        """130 after Ctrl-C, 143 after SIGTERM."""
        return SHELL_OFFSET + self.signum


@dataclass
class Stop:
    """The signal that left the block early; it means nothing where the block was left otherwise."""

    signum: int = signal.SIGINT


@asynccontextmanager
async def stopping() -> AsyncGenerator[Stop]:
    """A block that SIGINT or SIGTERM leaves early: what follows it is reached then, and its value says which it was."""
    stop = Stop()
    async with anyio.create_task_group() as tasks:
        if sys.platform != "win32":
            await tasks.start(_watch, stop, tasks.cancel_scope)
        yield stop
        tasks.cancel_scope.cancel()


async def _watch(stop: Stop, scope: anyio.CancelScope, *, task_status: anyio.abc.TaskStatus[None]) -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as received:
        task_status.started()
        async for signum in received:
            stop.signum = signum
            scope.cancel()
            break
    # Left to Python, a second Ctrl-C would be raised in the midst of the closing, and told in a hundred lines of trace.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
