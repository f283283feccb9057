import pytest

from doubles.construction import scenario, tool
from plugineval.pccf.coverage.budgets import Budgets
from plugineval.pccf.coverage.deficits import coverage_of
from plugineval.pccf.coverage.moving import BudgetMove, Mover
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset

pytestmark = pytest.mark.requirement("D2", "X11")

TOOLS = Toolset(tools=(tool("weather"), tool("clock"), tool("tide")))
W0, W1 = (scenario(ScenarioKind.TRIGGER, "weather", n) for n in range(2))
CLOCK, TIDE = scenario(ScenarioKind.TRIGGER, "clock"), scenario(ScenarioKind.TRIGGER, "tide")
TYPE_A = scenario(ScenarioKind.TYPE_A, "tide")
MOVER = Mover((W0, W1, CLOCK, TIDE, TYPE_A), TOOLS)


def hard(of: Scenario) -> CoverageUnit:
    return CoverageUnit(scenario=of.id, difficulty=Difficulty.HARD)


def moved(budgets: Budgets, *unwritable: CoverageUnit, verified: int = 0) -> tuple[BudgetMove, ...]:
    table = coverage_of(budgets, {hard(W0): verified})
    return MOVER.move(budgets, table.short, set(unwritable))


def test_what_is_missing_moves_to_the_least_served_tool_of_the_same_kind_and_difficulty() -> None:
    budgets = {hard(W0): 3, hard(CLOCK): 1}
    moves = moved(budgets, hard(W0), verified=1)
    assert moves == (
        BudgetMove(source=hard(W0), target=hard(TIDE), count=1),
        BudgetMove(source=hard(W0), target=hard(CLOCK), count=1),
    )
    assert budgets == {hard(W0): 1, hard(CLOCK): 2, hard(TIDE): 1}


def test_a_unit_that_nobody_can_write_for_takes_nothing() -> None:
    budgets = {hard(W0): 1}
    assert [m.target for m in moved(budgets, hard(W0), hard(TIDE), hard(CLOCK))] == [hard(W1)]
    assert sum(budgets.values()) == 1


def test_without_a_unit_to_take_it_the_budget_stays() -> None:
    budgets = {hard(TYPE_A): 2}
    assert MOVER.move(budgets, coverage_of(budgets, {}).short, {hard(TYPE_A)}) == ()
    assert budgets == {hard(TYPE_A): 2}


def test_a_unit_that_was_written_for_keeps_its_budget() -> None:
    budgets = {hard(W0): 2}
    assert moved(budgets, hard(CLOCK)) == ()
