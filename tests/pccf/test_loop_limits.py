"""A hard limit stops a construction cleanly: no further call, everything verified is kept, and it can go on."""

import pytest

from doubles.construction import MemoryLedger, ScriptedRouter, World, calling, scenario, world
from plugineval.pccf.config import BuildConfig, BuildLimits
from plugineval.pccf.construction.events import RecordVerified
from plugineval.pccf.construction.results import ConstructionResult, StopReason
from plugineval.pccf.loop import construct
from plugineval.pccf.metering import Meter
from plugineval.pccf.scenarios import ScenarioKind

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X3")]

ALL = tuple(scenario(kind, "weather", lookalike="clock") for kind in ScenarioKind)


async def built(made: World) -> ConstructionResult:
    return await construct(made.plan, made.roles, made.hear)


def limited(calls: int | None, ledger: MemoryLedger | None = None) -> World:
    made = world(BuildConfig(size=12, negative_share=0.5, calibration_runs=3), ALL)
    made.router = ScriptedRouter(script=lambda query, seed: calling("weather") if seed == 2 else calling())
    made.ledger = ledger or MemoryLedger()
    made.meter = Meter(BuildLimits(calls=calls))
    return made


async def test_a_limit_keeps_what_was_verified_in_a_finished_benchmark() -> None:
    made = limited(40)
    result = await built(made)
    assert (result.stop_reason, result.incomplete) == (StopReason.CALL_LIMIT, None)
    assert made.meter is not None
    assert made.meter.spent.calls == len(made.ledger.answers) == 40
    assert 0 < len(result.benchmark.examples) < 12
    assert result.counts.undecided > 0
    assert result.benchmark.stop_reason == "call_limit"


async def test_a_calibration_that_a_limit_cuts_short_decides_nothing() -> None:
    made = limited(46)
    await built(made)
    cut = [
        event.record
        for event in made.events
        if isinstance(event, RecordVerified) and len(event.record.router_replies) > 0 and event.record.p_k is None
    ]
    assert cut
    assert {(record.verdict, record.reason) for record in cut} <= {
        ("undecided", "a hard limit cut the calibration short"),
        ("undecided", "no usable run of the reference router"),
    }


async def test_a_limit_before_there_is_any_scenario_ends_with_an_empty_benchmark() -> None:
    result = await built(limited(1))
    assert (result.stop_reason, result.benchmark.examples, result.rounds) == (StopReason.CALL_LIMIT, (), ())


async def test_with_a_higher_limit_it_goes_on_without_repeating_a_call_and_ends_as_if_there_had_been_none() -> None:
    whole = await built(limited(None))
    ledger = MemoryLedger()
    for calls in (10, 40, 60):
        stopped = await built(limited(calls, ledger))
        assert stopped.stop_reason is StopReason.CALL_LIMIT
        assert len(ledger.answers) == calls
    resumed = limited(None, ledger)
    result = await built(resumed)
    assert result.benchmark.content_hash == whole.benchmark.content_hash
    assert result.rounds == whole.rounds
    assert resumed.meter is not None
    assert resumed.meter.spent.calls == len(ledger.answers)
