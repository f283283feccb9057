"""What grading one row costs where cases and answers are there, in units of what parsing it costs in the same run."""

import pytest

from benchmarks.call_rows import call_rows
from benchmarks.grading import grade_all, least_s, parse_s, rows_of

pytestmark = pytest.mark.speed

CASES = 800


@pytest.mark.parametrize(("right", "most"), [(True, 1.5), (False, 5.0)], ids=["right", "three of five off"])
def test_grading_a_row_costs_about_what_parsing_it_costs(right: bool, most: float) -> None:
    """About 0.5 and 2.2 when it was written."""
    documents = list(call_rows(CASES, right=right))
    rows = rows_of(documents)
    assert len(rows) == 5 * CASES
    assert not [row for row in grade_all(rows) if row.exclusion is not None], "all of them are decidable"
    grading, parsing = least_s(lambda: grade_all(rows)), parse_s(documents)
    assert grading <= most * parsing, f"{len(rows) / grading:,.0f} rows/s, {grading / parsing:.1f} of parsing"
