"""Every stop reason is told in words, with the number that decided (P35)."""

import pytest

from plugineval.pccf.config import BuildConfig, BuildLimits
from plugineval.pccf.construction.results import StopReason
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.coverage.deficits import CoverageTable
from plugineval.pccf.coverage.moving import BudgetMove
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


def ended(number: int, gain: int, *, moves: tuple[BudgetMove, ...] = ()) -> ConstructionRound:
    return ConstructionRound(
        number=number,
        deficit_before=4 + gain,
        deficit_after=4,
        candidates=3,
        accepted=gain,
        rejected=0,
        undecided=0,
        moves=moves,
        coverage=CoverageTable(),
    )


OUT_OF_REACH = "the 4 examples still missing proved out of reach: try after try came out otherwise"
MOVE = BudgetMove(
    source=CoverageUnit(scenario="s", difficulty=Difficulty.EASY),
    target=CoverageUnit(scenario="t", difficulty=Difficulty.EASY),
    count=1,
)


@pytest.mark.parametrize(
    ("rounds", "told"),
    [
        ([ended(1, 3)], OUT_OF_REACH),
        (
            [ended(1, 3), ended(2, 0)],
            OUT_OF_REACH,
        ),
        (
            [ended(1, 3), ended(2, 0), ended(3, 0)],
            "the last 2 rounds brought hardly any of the 4 examples still missing; 2 rounds like that end it",
        ),
        (
            [ended(1, 0, moves=(MOVE,)), ended(2, 0), ended(3, 0)],
            "the last 3 rounds brought hardly any of the 4 examples still missing; 2 rounds like that end it, "
            "not counting 1 after which budgets moved to other scenarios",
        ),
    ],
)
def test_whether_asking_brought_nothing_or_nothing_was_left_to_ask_for(
    rounds: list[ConstructionRound], told: str
) -> None:
    config = CONFIG.model_copy(update={"size": 9})
    assert stopped_because("gain_below_threshold", config, rounds) == f"gain_below_threshold: {told}"
