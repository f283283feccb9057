"""Invariants of the metrics, over generated rows; and the interval against its defining equation."""

from math import isclose, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval.harness.metrics import ModelMetrics, metrics_of
from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, GradedRow, Outcome, ParameterSubtype
from plugineval.harness.tally import Tally
from plugineval.harness.uncertainty import Z95, Rate, wilson
from plugineval.pccf.examples import Difficulty, SampleType
from plugineval.pccf.scenarios import ScenarioKind

POSITIVE = SampleType.POSITIVE
FAILURES = st.sampled_from(
    [
        (Outcome.NO_CALL, ErrorCategory.MISS_RECALL, None),
        (Outcome.INVALID_ARGS, ErrorCategory.PARAMETER_ERROR, ParameterSubtype.MISSING_ARGUMENT),
        (Outcome.VALID_BUT_WRONG, ErrorCategory.PARAMETER_ERROR, ParameterSubtype.TEMPORAL),
        (Outcome.VALID_BUT_WRONG, ErrorCategory.PARAMETER_ERROR, ParameterSubtype.INCORRECT_VALUE),
        (None, ErrorCategory.JUDGE_FAILURE, None),
    ]
)


@st.composite
def rows(draw: st.DrawFn) -> GradedRow:
    confusion = draw(st.sampled_from([*Confusion, None]))
    outcome: Outcome | None = Outcome.CORRECT if confusion else None
    category: ErrorCategory | None = None
    subtype: ParameterSubtype | None = None
    if confusion is Confusion.FN:
        outcome, category, subtype = draw(FAILURES)
    if confusion is Confusion.FP:
        outcome, category = Outcome.SPURIOUS_CALL, ErrorCategory.OVER_RECALL
    negative = confusion in {Confusion.TN, Confusion.FP}
    return GradedRow(
        case_id=draw(st.sampled_from("abc")),
        model="m",
        repeat=draw(st.integers(0, 2)),
        sample_type=SampleType.GLOBAL_NEGATIVE if negative else POSITIVE,
        scenario_kind=draw(st.sampled_from([None, ScenarioKind.TYPE_A, ScenarioKind.TYPE_C])) if negative else None,
        difficulty=draw(st.sampled_from([*Difficulty, None])),
        outcome=outcome,
        confusion=confusion,
        category=category,
        subtype=subtype,
        exclusion=None if confusion else draw(st.sampled_from(Exclusion)),
        called=draw(st.booleans()),
    )


def measured(found: list[GradedRow]) -> ModelMetrics:
    tally = Tally()
    for row in found:
        tally.add(row)
    return metrics_of(tally)


@pytest.mark.requirement("P52", "P50", "X10")
@given(st.lists(rows(), max_size=40))
def test_counts_add_up(found: list[GradedRow]) -> None:
    m = measured(found)
    e = m.errors
    assert m.rows == len(found) == m.graded + sum(m.exclusions.values())
    assert m.positives + m.negatives == m.graded == sum(m.confusion.values())
    assert m.confusion[Confusion.FN] == e.miss.numerator + e.parameter.numerator + e.judge_failure.numerator
    assert m.confusion[Confusion.FP] == e.over.numerator
    assert e.parameter.numerator == e.temporal.numerator + e.missing.numerator + e.value.numerator
    assert sum(m.outcomes.values()) == sum(cell.rows for cell in m.views)
    assert sum(m.outcomes.values()) == m.graded - e.judge_failure.numerator


@pytest.mark.requirement("P53", "P49")
@given(st.lists(rows(), max_size=40))
def test_every_rate_has_the_denominator_it_is_defined_with(found: list[GradedRow]) -> None:
    m = measured(found)
    e = m.errors
    assert {rate.denominator for rate in (m.recall, e.miss, e.parameter, e.temporal, e.missing, e.value)} == {
        m.positives
    }
    assert e.over.denominator == m.negatives
    assert m.accuracy.denominator == m.graded
    assert sum(s.recall.denominator + s.specificity.denominator for s in m.by_difficulty.values()) == m.graded
    assert sum(rate.denominator for rate in m.by_negative_kind.values()) == m.negatives


@pytest.mark.requirement("X10")
@given(st.lists(rows(), max_size=20), st.randoms())
def test_the_order_of_rows_changes_nothing(found: list[GradedRow], random: Random) -> None:
    before = measured(found)
    random.shuffle(found)
    assert measured(found) == before


@pytest.mark.requirement("X11", "E3")
@given(st.lists(rows(), max_size=20), st.integers(1, 5))
def test_an_excluded_row_moves_no_rate(found: list[GradedRow], number: int) -> None:
    lost = GradedRow(case_id="z", model="m", repeat=0, sample_type=POSITIVE, exclusion=Exclusion.TIMEOUT)
    graded = [row for row in found if row.exclusion is None] + [lost]
    before, after = measured(graded), measured(graded + [lost] * number)
    assert (after.recall, after.accuracy, after.errors) == (before.recall, before.accuracy, before.errors)
    assert after.exclusions[Exclusion.TIMEOUT] == number + 1


@pytest.mark.requirement("X10")
@given(st.integers(1, 500).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_the_bounds_of_the_interval_solve_wilsons_equation(counts: tuple[int, int]) -> None:
    numerator, n = counts
    share = numerator / n
    for bound in wilson(numerator, n):
        if 0 < bound < 1:
            assert isclose(abs(share - bound), Z95 * sqrt(bound * (1 - bound) / n), rel_tol=1e-6, abs_tol=1e-9)
        else:
            assert bound == share


@pytest.mark.requirement("X10")
@given(st.integers(1, 200).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), st.integers(2, 5))
def test_repeating_the_same_cases_narrows_no_interval(counts: tuple[int, int], repeats: int) -> None:
    once = Rate.of(*counts)
    again = Rate.of(counts[0] * repeats, counts[1] * repeats, repeats=repeats)
    assert isclose(again.low or 0, once.low or 0, abs_tol=1e-12)
    assert isclose(again.high or 0, once.high or 0, abs_tol=1e-12)
