"""Waiting: as long as the provider asks, bounded in tries and time, spread by chance; measured without waiting."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

import anyio
import pytest

from plugineval.clients.models.failures import TryFailed
from plugineval.clients.models.patience import Patience
from plugineval.pccf.routing import FailureKind

NOW = datetime(2026, 3, 2, 9, 0, 0, tzinfo=UTC)


class Clock:
    """Time that passes only by sleeping."""

    def __init__(self, *, chance: float = 0.0) -> None:
        self.waits: list[float] = []
        self.patience = Patience(
            sleep=self._sleep, clock=lambda: sum(self.waits), now=lambda: NOW, chance=lambda: chance
        )

    async def _sleep(self, seconds: float) -> None:
        self.waits.append(seconds)


def _failing(*errors: TryFailed | Exception) -> Callable[[], Awaitable[str]]:
    remaining = list(errors)

    async def make() -> str:
        await anyio.lowlevel.checkpoint()
        if remaining:
            raise remaining.pop(0)
        return "answer"

    return make


def _busy(retry_after_s: float | None = None) -> TryFailed:
    return TryFailed(FailureKind.RATE_LIMITED, "busy", retry_after_s=retry_after_s)


@pytest.mark.anyio
async def test_waits_double_up_to_a_limit() -> None:
    clock = Clock()
    answer = await clock.patience.repeat(_failing(*[_busy()] * 8), max_retries=8, deadline_s=1000)
    assert answer == ("answer", 9)
    assert clock.waits == [0.5, 1, 2, 4, 8, 16, 20, 20]


@pytest.mark.anyio
async def test_the_provider_s_wish_is_kept_and_chance_only_lengthens_it() -> None:
    clock = Clock(chance=1.0)
    await clock.patience.repeat(_failing(_busy(2.0), _busy()), max_retries=4, deadline_s=100)
    assert clock.waits == [2.5, 1.25]


@pytest.mark.anyio
async def test_tries_are_bounded_and_counted() -> None:
    clock = Clock()
    with pytest.raises(TryFailed, match="busy") as caught:
        await clock.patience.repeat(_failing(*[_busy()] * 9), max_retries=2, deadline_s=100)
    assert (caught.value.attempts, len(clock.waits)) == (3, 2)


@pytest.mark.anyio
async def test_a_wait_beyond_the_deadline_is_not_begun() -> None:
    clock = Clock()
    with pytest.raises(TryFailed) as caught:
        await clock.patience.repeat(_failing(_busy(2), _busy(3600)), max_retries=9, deadline_s=300)
    assert (caught.value.attempts, clock.waits) == (2, [2])


@pytest.mark.anyio
async def test_what_cannot_change_is_not_tried_again() -> None:
    clock = Clock()
    with pytest.raises(TryFailed):
        await clock.patience.repeat(
            _failing(TryFailed(FailureKind.PROVIDER_ERROR, "bad key", retryable=False)), max_retries=9, deadline_s=300
        )
    with pytest.raises(ZeroDivisionError):
        await clock.patience.repeat(_failing(ZeroDivisionError()), max_retries=9, deadline_s=300)
    assert clock.waits == []


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "2"}, 2.0),
        ({"retry-after": "0.25"}, 0.25),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after": "Mon, 02 Mar 2026 09:01:00 GMT"}, 60.0),
        ({"retry-after": "Mon, 02 Mar 2026 08:00:00 GMT"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-5"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({}, None),
    ],
)
def test_the_wish_is_read_in_seconds_milliseconds_and_dates(headers: dict[str, str], seconds: float | None) -> None:
    assert Clock().patience.retry_after_s(headers) == seconds
