"""When a failed try is repeated: bounded tries, a bounded total time, exponential waits with jitter, and whatever the
provider asks for in `Retry-After`, in seconds, milliseconds or as an HTTP date.
"""

import random
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, TypeVar

import anyio

from plugineval.clients.models.failures import TryFailed

if TYPE_CHECKING:
    from tenacity import RetryCallState

T = TypeVar("T")
FIRST_WAIT_S = 0.5
LONGEST_WAIT_S = 20.0
JITTER = 0.25
"""A wait is lengthened by up to this share, so that calls refused together do not return together."""


def _utc_now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, kw_only=True)
class Patience:
    """The clocks, the sleep and the chance that waiting needs; tests give their own."""

    sleep: Callable[[float], Awaitable[None]] = anyio.sleep
    clock: Callable[[], float] = time.monotonic
    now: Callable[[], datetime] = _utc_now
    chance: Callable[[], float] = random.random

    async def repeat(self, make: Callable[[], Awaitable[T]], *, max_retries: int, deadline_s: float) -> tuple[T, int]:
        """The first answer of `make()` and the number of tries; the last `TryFailed` where none answered.

        A wait that would end later than `deadline_s` seconds from now is not begun.
        """
        end = self.clock() + deadline_s
        try:
            return await make(), 1
        except TryFailed as failed:
            return await self._again(failed, make, max_retries=max_retries, end=end)

    async def _again(
        self, first: TryFailed, make: Callable[[], Awaitable[T]], *, max_retries: int, end: float
    ) -> tuple[T, int]:
        """The tries after the first one, which failed: most calls never come here."""
        from tenacity import AsyncRetrying, retry_if_exception

        failures = [first]

        async def retried() -> T:
            if failures:
                raise failures.pop()
            return await make()

        retrying = AsyncRetrying(
            sleep=self.sleep,
            retry=retry_if_exception(lambda error: isinstance(error, TryFailed) and error.retryable),
            wait=self._wait,
            stop=lambda state: state.attempt_number > max_retries or self.clock() + state.upcoming_sleep > end,
            reraise=True,
        )
        try:
            answer: T = await retrying(retried)
        except TryFailed as failed:
            failed.attempts = retrying.statistics["attempt_number"] - (not failed.asked)
            raise
        return answer, retrying.statistics["attempt_number"]

    def _wait(self, state: "RetryCallState") -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after_s if isinstance(error, TryFailed) else None
        wait = min(FIRST_WAIT_S * 2 ** (state.attempt_number - 1), LONGEST_WAIT_S) if asked is None else asked
        return wait * (1 + JITTER * self.chance())

    def retry_after_s(self, headers: Mapping[str, str]) -> float | None:
        """Seconds the provider asks to wait, never negative; None where it does not say, or not readably."""
        if (milliseconds := _number(headers.get("retry-after-ms"))) is not None:
            return milliseconds / 1000
        value = headers.get("retry-after")
        seconds = _number(value)
        return self._until(value) if seconds is None and value else seconds

    def _until(self, date: str) -> float | None:
        try:
            moment = parsedate_to_datetime(date)
        except ValueError:
            return None
        aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return max(0.0, (aware - self.now()).total_seconds())


def _number(text: str | None) -> float | None:
    try:
        value = float(text) if text else None
    except ValueError:
        return None
    return value if value is not None and 0 <= value < float("inf") else None
