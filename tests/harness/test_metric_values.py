"""Numbers worked out by hand."""

import pytest

from doubles.harness import INTEGER, TEXT, call, gold, graded, negative, positive, schema, tool
from plugineval.harness.comparison import ModelComparison, compare_models
from plugineval.harness.metrics import metrics_of
from plugineval.harness.outcomes import Confusion, Exclusion, GradedRow, Outcome
from plugineval.harness.statistics.case_results import Arm
from plugineval.harness.statistics.ledger import CaseLedger
from plugineval.harness.tally import Tally
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.examples import Difficulty, SampleType

BOOK = tool("book", schema("seat", "date", seat=INTEGER, date=TEXT))
OTHER = tool("other")
TOOLS = (BOOK, OTHER)
CASE = positive(gold("book", seat=1, date="2026-01-01"), tools=TOOLS)
TARGETED = negative(tools=TOOLS, target="book")
GLOBAL = negative(tools=TOOLS)

ROWS = (
    graded(CASE, call("book", seat=1, date="2026-01-01")),
    graded(CASE, call("book", seat=1, date="2026-01-01")),
    graded(CASE, call("book", seat=1, date="2026-01-01"), call("other")),
    graded(CASE),
    graded(CASE, call("other")),
    graded(CASE, call("book", seat=2, date="2026-01-02")),
    graded(CASE, call("book", seat=2, date="2026-01-01")),
    graded(CASE, call("book", seat=1)),
    graded(TARGETED),
    graded(TARGETED, call("other")),
    graded(TARGETED, call("book", seat=1, date="x")),
    graded(GLOBAL, call("other")),
    graded(positive(tools=TOOLS)),
)


def tally(*rows: GradedRow) -> Tally:
    found = Tally()
    for row in rows:
        found.add(row)
    return found


def counts(rate: Rate) -> tuple[int, int]:
    return rate.numerator, rate.denominator


@pytest.mark.requirement("P49", "P45", "P46", "P47", "P48", "X10")
def test_recall_and_accuracy_leave_excluded_rows_out() -> None:
    m = metrics_of(tally(*ROWS))
    assert m.confusion == {Confusion.TP: 3, Confusion.FN: 5, Confusion.TN: 2, Confusion.FP: 2}
    assert (counts(m.recall), m.recall.value) == ((3, 8), 0.375)
    assert (counts(m.accuracy), m.accuracy.value) == ((5, 12), 5 / 12)
    assert m.exclusions == {Exclusion.BOTH_EMPTY: 1}
    assert (m.rows, m.graded) == (13, 12)


@pytest.mark.requirement("P53", "P50", "P51")
def test_error_rates_are_per_positive_and_over_recall_is_per_negative() -> None:
    e = metrics_of(tally(*ROWS)).errors
    assert [counts(rate) for rate in (e.miss, e.parameter, e.temporal, e.missing, e.value, e.over)] == [
        (2, 8),
        (3, 8),
        (1, 8),
        (1, 8),
        (1, 8),
        (2, 4),
    ]


@pytest.mark.requirement("B9", "B10")
def test_how_far_the_model_got_is_four_numbers() -> None:
    s = metrics_of(tally(*ROWS)).steps
    assert [counts(r) for r in (s.called, s.right_tools, s.schema_valid, s.semantically_right)] == [
        (7, 8),
        (6, 8),
        (6, 7),
        (3, 8),
    ]


@pytest.mark.requirement("B1", "B10", "D15")
def test_the_six_outcomes_and_where_they_part_from_the_papers_view() -> None:
    m = metrics_of(tally(*ROWS))
    assert list(m.outcomes.values()) == [1, 3, 1, 1, 2, 4]
    assert [(c.confusion, c.outcome, c.rows) for c in m.views if not c.agree] == [
        (Confusion.TN, Outcome.SPURIOUS_CALL, 1)
    ]
    assert sum(cell.rows for cell in m.views) == m.graded


@pytest.mark.requirement("D6")
def test_extra_calls_are_counted_beside_the_verdicts() -> None:
    extra = metrics_of(tally(*ROWS)).extra_calls
    assert (extra.rows, extra.not_read_only) == (2, 2)


@pytest.mark.requirement("X10")
def test_an_interval_is_wilsons() -> None:
    rate = Rate.of(81, 263)
    assert (round(rate.low or 0, 4), round(rate.high or 0, 4)) == (0.2553, 0.3662)
    assert Rate.of(0, 0).value is None


def row(
    model: str, confusion: Confusion | None, *, case: str = "c", repeat: int = 0, difficulty: Difficulty | None = None
) -> GradedRow:
    return GradedRow(
        case_id=case,
        model=model,
        repeat=repeat,
        sample_type=SampleType.POSITIVE,
        difficulty=difficulty,
        confusion=confusion,
        exclusion=None if confusion else Exclusion.TIMEOUT,
    )


@pytest.mark.requirement("X10")
def test_the_spread_is_between_the_repeats() -> None:
    rows = [row("m", Confusion.TP, case=c, repeat=r) for c in "abcd" for r in range(3) if (c, r) != ("a", 1)]
    spread = metrics_of(tally(*rows, row("m", Confusion.FN, case="a", repeat=1))).spread
    assert [rates.recall for rates in spread.repeats] == [1.0, 0.75, 1.0]
    assert (spread.recall, spread.accuracy) == (0.25, 0.25)
    assert metrics_of(tally(rows[0])).spread.recall is None


@pytest.mark.requirement("P49")
def test_recall_by_difficulty_counts_each_row_in_its_own() -> None:
    rows = [
        row("m", Confusion.TP, difficulty=Difficulty.EASY),
        row("m", Confusion.FN, difficulty=Difficulty.HARD),
        row("m", Confusion.TP, difficulty=Difficulty.HARD),
        row("m", Confusion.TP),
    ]
    strata = metrics_of(tally(*rows)).by_difficulty
    assert {name: counts(s.recall) for name, s in strata.items()} == {"easy": (1, 1), "hard": (1, 2), "unknown": (1, 1)}


def compared(models: tuple[str, ...], *rows: GradedRow) -> ModelComparison:
    ledger = CaseLedger([Arm(model) for model in models], repeats=1)
    for found in rows:
        ledger.add(found)
    return compare_models(ledger.results())


@pytest.mark.requirement("X10")
def test_models_are_compared_on_the_rows_that_all_of_them_answered() -> None:
    verdicts = {
        "1": (Confusion.TP, Confusion.FN),
        "2": (Confusion.FN, None),
        "3": (Confusion.TP, Confusion.TP),
    }
    rows = [row(model, verdicts[case][index], case=case) for index, model in ((1, "b"), (0, "a")) for case in verdicts]
    found = compared(("a", "b"), *rows, row("a", Confusion.FN, case="4"))
    assert (found.rows, found.dropped) == (2, 2)
    assert {model: counts(result.accuracy) for model, result in found.models.items()} == {"a": (2, 2), "b": (1, 2)}


@pytest.mark.requirement("E3")
def test_a_model_without_any_verdict_does_not_empty_the_comparison_of_the_others() -> None:
    verdicts = (("a", Confusion.TP), ("down", None), ("b", Confusion.TP))
    found = compared(("a", "down", "b"), *(row(model, confusion) for model, confusion in verdicts))
    assert (found.rows, set(found.models)) == (1, {"a", "b"})


def test_memory_does_not_grow_with_rows() -> None:
    found, ledger = Tally(), CaseLedger([Arm("m")], repeats=1)
    for index in range(2000):
        found.add(row("m", Confusion.TP, case=str(index)))
        ledger.add(row("m", Confusion.TP, case=str(index)))
    assert len(list(found.cells())) == 1
    assert len(ledger.results().patterns) == 1
