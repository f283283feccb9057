"""Coverage at a glance: units added up by tool and kind, what is missing in brackets, what is done with a mark."""

import pytest

from doubles.construction import scenario
from plugineval.pccf.coverage.deficits import CoverageTable, coverage_of, deficits_by_kind, grid_of
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.server.coverage_tables import DONE, grid_table, rounds_table

pytestmark = pytest.mark.requirement("P25", "P28")

SCENARIOS = (
    scenario(ScenarioKind.TRIGGER, "weather", 0),
    scenario(ScenarioKind.TRIGGER, "weather", 1),
    scenario(ScenarioKind.TYPE_A, "weather"),
    scenario(ScenarioKind.TRIGGER, "clock"),
)


def unit(number: int, difficulty: Difficulty) -> CoverageUnit:
    return CoverageUnit(scenario=SCENARIOS[number].id, difficulty=difficulty)


def table(**verified: int) -> CoverageTable:
    budgets = {
        unit(0, Difficulty.EASY): 2,
        unit(1, Difficulty.EASY): 1,
        unit(2, Difficulty.HARD): 1,
        unit(3, Difficulty.EASY): 1,
    }
    filled = {
        unit(int(name[1:]), Difficulty.HARD if name == "_2" else Difficulty.EASY): n for name, n in verified.items()
    }
    return coverage_of(budgets, filled)


def test_a_surplus_in_one_scenario_hides_no_deficit_in_another() -> None:
    (row, *_) = grid_of(table(_1=5), SCENARIOS)
    cell = row.cells[Difficulty.EASY]
    assert (row.tool, row.kind, cell.budget, cell.verified, cell.deficit) == ("weather", ScenarioKind.TRIGGER, 3, 5, 2)


def test_the_grid_names_a_tool_once_and_marks_what_is_done() -> None:
    shown = grid_table(grid_of(table(_0=1, _1=1, _2=1), SCENARIOS))
    assert [column.name for column in shown.columns] == ["tool", "kind", "easy", "medium", "hard", "missing"]
    assert shown.rows == (
        ("weather", "trigger", "2/3 (1)", "", "", "1"),
        ("", "type_a", "", "", "1/1", DONE),
        ("clock", "trigger", "0/1 (1)", "", "", "1"),
    )


def test_each_round_says_what_is_missing_by_kind() -> None:
    before, after = deficits_by_kind(table(), SCENARIOS), deficits_by_kind(table(_0=2, _1=1, _2=1, _3=1), SCENARIOS)
    assert before == {"trigger": 4, "type_a": 1}
    shown = rounds_table([(1, before), (2, after)])
    assert [column.name for column in shown.columns] == ["round", "trigger", "type_a", "all"]
    assert shown.rows == (("1", "4", "1", "5"), ("2", DONE, DONE, DONE))


def test_units_without_budget_or_example_are_not_shown() -> None:
    empty = coverage_of({unit(0, Difficulty.HARD): 0}, {})
    assert grid_of(empty, SCENARIOS) == ()
