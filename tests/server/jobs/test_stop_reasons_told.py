"""Every stop reason is told in words, with the number that decided (P35)."""

import pytest

from plugineval.pccf.config import BuildConfig, BuildLimits
from plugineval.pccf.construction.results import StopReason
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.coverage.deficits import CoverageRow, CoverageTable
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty
from plugineval.server.jobs.stop_reasons import stopped_because

pytestmark = pytest.mark.requirement("P35")

CONFIG = BuildConfig(limits=BuildLimits(calls=7, tokens=8_000, cost=1.25, minutes=90))


@pytest.mark.parametrize("reason", list(StopReason))
def test_a_reason_is_told_in_words(reason: StopReason) -> None:
    assert stopped_because(reason.value, CONFIG).startswith(f"{reason.value}: ")
    assert stopped_because(reason.value, None)


@pytest.mark.parametrize(
    ("reason", "number"),
    [("call_limit", "7 calls"), ("token_limit", "8000 tokens"), ("cost_limit", "1.25 dollars"), ("time_limit", "90")],
)
def test_a_limit_is_told_with_its_number(reason: str, number: str) -> None:
    assert number in stopped_because(reason, CONFIG)


@pytest.mark.parametrize(("gain", "told"), [(0, "2 rounds in a row"), (3, "of what is still missing all of it proved")])
def test_a_loop_that_still_gained_did_not_end_by_patience(gain: int, told: str) -> None:
    row = CoverageRow(unit=CoverageUnit(scenario="s", difficulty=Difficulty.EASY), budget=1, verified=0)
    last = ConstructionRound(
        number=2,
        deficit_before=1 + gain,
        deficit_after=1,
        candidates=3,
        accepted=gain,
        rejected=0,
        undecided=0,
        coverage=CoverageTable(rows=(row,)),
    )
    found = stopped_because("gain_below_threshold", CONFIG.model_copy(update={"size": 9}), (last,))
    assert found.startswith(f"gain_below_threshold: {told}")
    assert " or " not in found
