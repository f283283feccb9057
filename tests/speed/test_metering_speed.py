"""What counting a call costs, against making it through a ledger that does nothing."""

import time

import anyio
import pytest

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.ledger import CallKey, Ledger, Unjournaled
from plugineval.pccf.metering import Meter
from plugineval.pccf.values import Json

pytestmark = pytest.mark.speed

CALLS = 5_000
MOST_US = 100
"""Microseconds that metering may add to a call; about 16 when it was written."""


def test_metering_a_call_costs_microseconds() -> None:
    meter = Meter(BuildLimits(calls=10**9, tokens=10**12, cost=1e9, minutes=1e6))
    keys = [CallKey(stage="vote", model="m", case=str(number)) for number in range(CALLS)]
    bare, metered = seconds(Unjournaled(), keys, meter), seconds(meter.ledger(Unjournaled()), keys, meter)
    assert meter.spent.calls == CALLS
    assert (metered - bare) / CALLS * 1e6 < MOST_US


def seconds(ledger: Ledger, keys: list[CallKey], meter: Meter) -> float:
    """All calls, whose keys the journal would have hashed anyway."""

    async def make() -> Json:
        assert meter.refusal() is None
        return {"spent": {"calls": 1, "input_tokens": 9, "output_tokens": 1, "cost": 0.001}}

    async def work() -> float:
        started = time.perf_counter()
        for key in keys:
            await ledger.call(key, make)
        return time.perf_counter() - started

    assert all(key.digest for key in keys)
    return anyio.run(work)
