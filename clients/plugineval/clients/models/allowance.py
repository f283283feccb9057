"""Turns of a shared rate that this process was granted ahead of time: it spends them by itself, each at its moment.

A turn that is not used for `SLICE_S` seconds is lost: turns are not saved up, here and in other processes at once.
"""

import time
from collections.abc import Callable

from plugineval.clients.models.pace import SLICE_S


class Allowance:
    """What is left of one rate; `per_minute` None: nothing is counted."""

    def __init__(self, per_minute: float | None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._seconds = None if per_minute is None else 60.0 / per_minute
        self._clock = clock
        self._left = 0.0
        self._next_at = clock()

    def holds(self, units: float) -> bool:
        """Whether `units` may be taken."""
        if self._seconds is None:
            return True
        stale = (self._clock() - SLICE_S - self._next_at) / self._seconds
        if stale > 0 and self._left > 0:
            lost = min(stale, self._left)
            self._left -= lost
            self._next_at += lost * self._seconds
        return self._left >= units - 1e-6

    @property
    def wait(self) -> float:
        """Seconds until the next turn."""
        return 0.0 if self._seconds is None else max(0.0, self._next_at - self._clock())

    def wanted(self, units: float, members: int) -> float:
        """What to ask for, so that `units` and a slice of the rate are held; 0 where enough is."""
        return 0.0 if self._seconds is None or self.holds(units) else max(units - self._left, self._slice(members))

    def surplus(self, members: int) -> float:
        """What to give back: tokens were reserved for answers that turned out shorter."""
        spare = 0.0 if self._seconds is None else self._left - 2 * max(1.0, self._slice(members))
        return max(0.0, spare)

    def add(self, units: float, wait_s: float) -> None:
        """`units` were granted, the first of them in `wait_s` seconds; negative: given back."""
        if self._seconds is None or not units:
            return
        if units > 0:
            kept = max(0.0, self._left)
            self._next_at = max(self._next_at if kept else 0.0, self._clock() + wait_s - kept * self._seconds)
        self._left += units

    def correct(self, units: float) -> None:
        """Take `units` of what is held, or give some back where negative."""
        if self._seconds is not None:
            self._left -= units
            self._next_at += units * self._seconds

    def _slice(self, members: int) -> float:
        return 0.0 if self._seconds is None else SLICE_S / self._seconds / max(1, members)
