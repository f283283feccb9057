"""A run against an older run, and two gradings of one run."""

from collections.abc import Sequence
from datetime import timedelta

import pytest

from doubles.harness import AT
from doubles.reports import case_of, little_report, little_run, rows_of
from doubles.results import marked_row
from plugineval.harness.drift import Drift, Drifting
from plugineval.harness.gradings import Grading
from plugineval.harness.regrading import Crossing, SideBySide, verdict_name
from plugineval.pccf.errors import InvalidRecordError

CASES = [case_of(index) for index in range(60)]


def drift(old: dict[str, list[str]], new: dict[str, list[str]], *, dropped: int = 0) -> Drift:
    later = CASES[dropped:]
    then, now = little_report(old, cases=CASES), little_report(new, cases=later)
    drifting = Drifting(then, now, listed=3)
    for row in rows_of(little_run(CASES, old), CASES, old):
        drifting.add_old(row)
    for row in rows_of(little_run(later, new), later, new):
        drifting.add_new(row)
    return drifting.result()


def metric(found: Drift, name: str) -> tuple[float, bool]:
    entry = next(entry for entry in found.metrics if entry.metric == name)
    assert entry.difference is not None
    return round(entry.difference.value, 4), entry.moved


@pytest.mark.requirement("B27")
def test_the_same_run_again_has_not_drifted() -> None:
    answers = {"m": ["11"] * 30 + ["00"] * 30}
    found = drift(answers, answers)
    assert (found.moved, found.scope, found.changed_cases, found.models[0].p) == (False, (), 0, 1.0)


@pytest.mark.requirement("B27")
def test_what_got_worse_is_named_with_its_interval_and_cases() -> None:
    found = drift({"m": ["11"] * 60}, {"m": ["11"] * 40 + ["vv"] * 20})
    assert metric(found, "accuracy") == (-0.3333, True)
    assert metric(found, "parameter") == (0.3333, True)
    assert metric(found, "miss") == (0.0, False)
    (model,) = found.models
    assert (model.common_cases, model.better, model.worse, model.p < 0.001) == (60, 0, 20, True)
    assert (found.changed_cases, [case.case_id for case in found.cases]) == (20, ["c040", "c041", "c042"])
    assert (found.cases[0].old, found.cases[0].new) == (1.0, 0.0)


@pytest.mark.requirement("B27", "B7")
def test_a_change_inside_the_run_to_run_spread_is_none() -> None:
    shaky = {"m": ["11"] * 30 + ["10"] * 30}
    steady = {"m": ["11"] * 60}
    assert metric(drift(shaky, steady), "accuracy") == (0.25, False)


@pytest.mark.requirement("B27")
def test_runs_with_different_repeats_are_compared_case_by_case() -> None:
    found = drift({"m": ["1"] * 60}, {"m": ["110"] * 10 + ["111"] * 50})
    assert (found.models[0].better, found.models[0].worse) == (0, 10)


@pytest.mark.requirement("B27", "B19")
def test_a_changed_scope_and_cases_and_models_that_came_or_went_are_said() -> None:
    found = drift({"m": ["1"] * 60, "old": ["1"] * 60}, {"m": ["1"] * 50, "new": ["1"] * 50}, dropped=10)
    changed = {change.field: (change.old, change.new) for change in found.scope}
    assert changed["cases"] == ("60", "50")
    assert "gold_hash" in changed
    assert (found.gone_models, found.added_models, found.gone_cases, found.added_cases) == (("old",), ("new",), 10, 0)
    assert {metric.model for metric in found.metrics} == {"m"}


def side_by_side(old: Sequence[str], new: Sequence[str], *, listed: int = 50) -> SideBySide:
    first = Grading(judge="none", at=AT)
    found = SideBySide(first, Grading(judge="j", version="2", at=AT + timedelta(days=1)), listed=listed)
    for index, (before, after) in enumerate(zip(old, new, strict=True)):
        case = f"c{index:03}"
        found.add(marked_row(before, case=case), marked_row(after, case=case))
    return found


@pytest.mark.requirement("X9")
def test_both_gradings_stay_with_their_judges_and_the_rows_that_flipped() -> None:
    found = side_by_side("1110v.", "11v0v1").result()
    assert (found.old.judge, found.new.judge, found.new.version) == ("none", "j", "2")
    assert (found.rows, found.agreement.numerator, found.flipped) == (6, 4, 2)
    assert Crossing(old="correct", new="valid_but_wrong", rows=1) in found.table
    assert Crossing(old="excluded: timeout", new="correct", rows=1) in found.table
    assert [(flip.case_id, flip.old, flip.new) for flip in found.flips] == [
        ("c002", "correct", "valid_but_wrong"),
        ("c005", "excluded: timeout", "correct"),
    ]
    model = found.models["m"]
    assert (model.old_accuracy.numerator, model.old_accuracy.denominator) == (3, 5)
    assert (model.new_accuracy.numerator, model.new_accuracy.denominator, model.flips) == (3, 6, 2)


@pytest.mark.requirement("X9")
def test_the_kappa_of_two_gradings_is_that_of_their_verdicts() -> None:
    assert side_by_side("1" * 5 + "0" * 5, "1" * 4 + "0" * 6).result().kappa == pytest.approx(0.8)
    assert side_by_side("11", "11").result().kappa is None


@pytest.mark.requirement("X9")
def test_many_flips_are_counted_and_the_first_ones_listed() -> None:
    found = side_by_side("1" * 40, "0" * 40, listed=3).result()
    assert (found.flipped, [flip.case_id for flip in found.flips]) == (40, ["c000", "c001", "c002"])


@pytest.mark.requirement("X9")
def test_rows_of_two_attempts_are_refused() -> None:
    found = side_by_side("", "")
    with pytest.raises(InvalidRecordError, match="two attempts"):
        found.add(marked_row("1"), marked_row("1", repeat=1))


def test_a_row_has_one_name_whatever_it_is() -> None:
    assert [verdict_name(marked_row(mark)) for mark in "1v-."] == [
        "correct",
        "valid_but_wrong",
        "spurious_call",
        "excluded: timeout",
    ]
