"""The endpoints that this process shares with others: one membership for each load, kept in a task beside the calls."""

from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager

import anyio
from anyio.abc import TaskGroup

from plugineval.clients.models.load import Load
from plugineval.clients.models.membership import Membership
from plugineval.clients.models.pace import SharedPace


class Sharing:
    """Makes loads members of what their endpoints are shared by."""

    def __init__(self, pace: SharedPace, tasks: TaskGroup) -> None:
        self._pace = pace
        self._tasks = tasks

    def join(self, load: Load, endpoint: str) -> None:
        """Let `load` keep within its limits together with all others at `endpoint`."""
        member = Membership(self._pace, endpoint, load, sleep=load.sleep, clock=load.clock)
        load.join(member)
        self._tasks.start_soon(member.keep)

    @classmethod
    @asynccontextmanager
    async def open(cls, pace: SharedPace) -> "AsyncGenerator[Sharing]":
        """Memberships last as long as this block."""
        with _alone():
            async with anyio.create_task_group() as tasks:
                yield cls(pace, tasks)
                tasks.cancel_scope.cancel()


@contextmanager
def _alone() -> Generator[None]:
    """What ended the work, and not that a group held it, is what is told."""
    try:
        yield
    except BaseExceptionGroup as group:
        raise (group.exceptions[0] if len(group.exceptions) == 1 else group) from None
