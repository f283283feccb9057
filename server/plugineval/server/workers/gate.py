"""The door through which the cells of a shard go to their model: once it closes, those inside finish, no more begin.

Nobody goes in either while it is not certain that this process still holds the shard: a process that slept for long
asks the database before it pays for anything.
"""

import time
from typing import NamedTuple

import anyio

from plugineval.harness.attempts import Attempt
from plugineval.harness.matrix import AttemptLog
from plugineval.harness.outcomes import GradedRow
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import Router, RouterReply
from plugineval.pccf.tools import Toolset
from plugineval.server.router_around import RouterAround

CLOCK = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
"""Runs on while this process is stopped, and where possible while its machine is."""


class Gate:
    """Counts the cells that are with their model, or answered and not yet stored: each has one of `places`, so that no
    more than these are paid for in vain by a crash. A hold is certain for `certain_s` after it was confirmed.
    """

    def __init__(self, places: anyio.CapacityLimiter, certain_s: float) -> None:
        self._places = places
        self._certain_s = certain_s
        self._certain_until = now() + certain_s
        self._renewed = anyio.Event()
        self.quiet = anyio.Event()
        """Set when the gate is closed and nobody is inside."""
        self._inside: dict[int, _Place] = {}
        self._closed = False

    async def enter(self) -> None:
        """Go in when there is a place; never, once it is closed."""
        place = _Place(self, anyio.get_current_task().id)
        await self._places.acquire_on_behalf_of(place)
        self._inside[place.task] = place
        while now() > self._certain_until:
            await self._renewed.wait()
        if self._closed:
            self.leave()
            await anyio.sleep_forever()

    def leave(self) -> None:
        """The cell of this task is stored."""
        place = self._inside.pop(anyio.get_current_task().id, None)
        if place is not None:
            self._places.release_on_behalf_of(place)
        self._look()

    def clear(self) -> None:
        """Nobody is inside any more: the shard is over, however it ended."""
        for place in self._inside.values():
            self._places.release_on_behalf_of(place)
        self._inside.clear()

    def confirm(self, asked_at: float) -> None:
        """The database said that the shard is held, in answer to a question put at `asked_at` (`now`)."""
        self._certain_until = asked_at + self._certain_s
        self._renewed.set()
        self._renewed = anyio.Event()

    def close(self) -> None:
        """Let nobody in any more."""
        self._closed = True
        self._look()

    def _look(self) -> None:
        if self._closed and not self._inside:
            self.quiet.set()


class _Place(NamedTuple):
    gate: Gate
    task: int


def now() -> float:
    """Seconds of the clock that never stops."""
    return time.clock_gettime(CLOCK)


class GatedRouter(RouterAround):
    """A `Router` behind a gate."""

    def __init__(self, router: Router, gate: Gate) -> None:
        super().__init__(router)
        self._gate = gate

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """Its answer."""
        await self._gate.enter()
        return await self._router.route(query, toolset, seed=seed)


class GatedLog:
    """An `AttemptLog` that lets cells out of the gate when they are stored."""

    def __init__(self, log: AttemptLog, gate: Gate) -> None:
        self._log, self._gate = log, gate

    async def append(self, attempt: Attempt, row: GradedRow) -> None:
        """Keep both."""
        await self._log.append(attempt, row)
        self._gate.leave()
