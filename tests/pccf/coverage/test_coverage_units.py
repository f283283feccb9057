import pytest

from plugineval.pccf.coverage.deficits import coverage_of
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import Difficulty

EASY, HARD = (CoverageUnit(scenario="a|b", difficulty=d) for d in (Difficulty.EASY, Difficulty.HARD))


@pytest.mark.requirement("P25", "P36")
def test_a_unit_is_read_back_from_its_key_and_from_a_gap() -> None:
    assert (HARD.key, HARD.gap(3)) == ("a|b|hard", "a|b|hard@3")
    assert CoverageUnit.of(HARD.key) == CoverageUnit.of(HARD.gap(3)) == HARD


@pytest.mark.parametrize("text", ["a", "a|", "a|tough", "hard"])
def test_what_is_no_unit_is_refused_with_the_allowed_forms(text: str) -> None:
    with pytest.raises(InvalidRecordError, match=r"scenario\|easy"):
        CoverageUnit.of(text)


@pytest.mark.requirement("P28")
def test_a_deficit_is_what_the_budget_is_short_of_and_never_negative() -> None:
    table = coverage_of({EASY: 3, HARD: 1}, {EASY: 1, HARD: 2})
    assert [(row.unit, row.verified, row.deficit) for row in table.rows] == [(EASY, 1, 2), (HARD, 2, 0)]
    assert table.deficit == 2
    assert [row.unit for row in table.short] == [EASY]


def test_a_unit_without_a_budget_is_not_in_the_table() -> None:
    assert [row.unit for row in coverage_of({EASY: 1}, {HARD: 5}).rows] == [EASY]
