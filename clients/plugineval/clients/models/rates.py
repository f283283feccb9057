"""A rate that calls are kept within: each reserves its turn at once and learns how long to wait for it.

The virtual scheduling form of a token bucket (GCRA) in a few lines of arithmetic: libraries for it are bound to asyncio
(aiolimiter), or say only "not yet" and neither reserve a turn nor take one back (limits, throttled, pyrate-limiter).
"""

import time
from collections.abc import Callable

BURST_S = 1.0
"""So much of the rate may be used at once: no minute ever holds more than the rate and this."""


class Rate:
    """At most `per_minute` units a minute, in reserved turns."""

    def __init__(self, per_minute: float, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.per_minute = per_minute
        self._clock = clock
        self._free_at = 0.0

    def reserve(self, units: float = 1.0) -> float:
        """Seconds until the reserved turn; a turn of any size is granted, and those after it wait for it."""
        now = self._clock()
        start = max(self._free_at, now - BURST_S)
        self._free_at = start + self._seconds(units)
        return max(0.0, start - now)

    def correct(self, units: float) -> None:
        """A reserved turn used `units` more than was thought; less where negative."""
        self._free_at += self._seconds(units)

    def _seconds(self, units: float) -> float:
        return units * 60.0 / self.per_minute
