"""Drift, two gradings and several benchmarks as tables: every rate with its denominator, every judge with its day."""

from datetime import timedelta

import pytest

from doubles.harness import AT
from doubles.reports import case_of, little_report, little_run, rows_of
from doubles.results import marked_row
from plugineval.harness.drift import Drift, Drifting
from plugineval.harness.figures import across_benchmarks
from plugineval.harness.gradings import Grading
from plugineval.harness.judging import compare_judges
from plugineval.harness.questions import Settlement
from plugineval.harness.regrading import Regrading, SideBySide
from plugineval.harness.rendering.benchmark_tables import across_table
from plugineval.harness.rendering.drift_tables import drift_sentence, drift_tables
from plugineval.harness.rendering.regrading_tables import regrading_sentence, regrading_tables

CASES = [case_of(index) for index in range(30)]
EVIL = "m\x1b[31m|"


def drift(old: list[str], new: list[str], *, later: str = EVIL) -> Drift:
    then, now = ({EVIL: old}, {later: new})
    drifting = Drifting(little_report(then, cases=CASES), little_report(now, cases=CASES), listed=3)
    for row in rows_of(little_run(CASES, then), CASES, then):
        drifting.add_old(row)
    for row in rows_of(little_run(CASES, now), CASES, now):
        drifting.add_new(row)
    return drifting.result()


@pytest.mark.requirement("B27", "X10")
def test_a_drift_is_said_with_its_interval_and_the_rest_is_counted() -> None:
    found = drift(["11"] * 30, ["11"] * 10 + ["00"] * 20)
    assert drift_sentence(found).startswith(f"Moved: recall of {EVIL} -66.7 points (-")
    tables = {table.key: table for table in drift_tables(found)}
    assert "drift_scope" not in tables
    row = next(row for row in tables["drift"].rows if row[1] == "recall")
    assert (row[0], row[2], row[3], row[-1]) == ("m\\x1b[31m|", "100.0 % (60/60)", "33.3 % (20/60)", "yes")
    assert len(tables["drift_cases"].rows) == 3
    assert tables["drift_cases"].note == "17 more changed."


@pytest.mark.requirement("B27", "B24")
def test_no_drift_is_said_as_such() -> None:
    found = drift(["11"] * 30, ["11"] * 30)
    assert drift_sentence(found) == "No metric moved by more than its interval and the run-to-run spread."
    assert [table.key for table in drift_tables(found)] == ["drift", "drift_models"]


def test_models_that_came_and_went_are_named() -> None:
    assert drift_sentence(drift(["1"] * 30, ["1"] * 30, later="n")).endswith(f"Gone: {EVIL}. New: n.")


def regrading(old: str, new: str) -> Regrading:
    first = Grading(judge="none", at=AT)
    found = SideBySide(first, Grading(judge=EVIL, version="f" * 64, at=AT + timedelta(days=1), id="g"), listed=1)
    for index, (before, after) in enumerate(zip(old, new, strict=True)):
        found.add(marked_row(before, case=f"c{index}"), marked_row(after, case=f"c{index}"))
    return found.result()


@pytest.mark.requirement("X9", "X10")
def test_two_gradings_are_shown_with_who_when_and_how_far_they_agree() -> None:
    found = regrading("1101", "1v11")
    assert regrading_sentence(found).startswith("Both gradings say the same of 50.0 % (2/4) rows")
    tables = {table.key: table for table in regrading_tables(found)}
    assert [row[1:4] for row in tables["gradings"].rows] == [
        ("none", "–", "2026-01-02 09:30"),
        ("m\\x1b[31m|", "f" * 12, "2026-01-03 09:30"),
    ]
    assert ("correct", "valid_but_wrong", "1") in tables["crossings"].rows
    assert tables["flips"].note == "1 more flipped."
    assert tables["regraded_models"].rows[0][3:5] == ("75.0 % (3/4)", "75.0 % (3/4)")
    assert "judges" not in tables


@pytest.mark.requirement("X9")
def test_judge_against_judge_names_both_with_prompt_and_day() -> None:
    def said(judge: str, *words: str) -> dict[str, Settlement]:
        return {
            str(number): Settlement.model_validate({"verdict": word, "judge": judge})
            for number, word in enumerate(words)
        }

    judges = compare_judges(said("a", "equal", "equal", "failure"), said(EVIL, "equal", "different", "equal"))
    table = {table.key: table for table in regrading_tables(regrading("1", "1"), judges)}["judges"]
    assert table.rows[0] == ("equal", "1", "1", "0")
    assert table.note.startswith("Rows: none, 2026-01-02 09:30. Columns: ")
    assert "(prompt ffffffffffff), 2026-01-03 09:30. 3 common questions" in table.note
    assert "the same verdict on 50.0 % of 2" in table.note


@pytest.mark.requirement("P57")
def test_several_benchmarks_stand_side_by_side_with_ranks_and_range() -> None:
    here = little_report({"a": ["1"] * 9 + ["0"], "b": ["1"] * 5 + ["0"] * 5})
    there = little_report({"a": ["1"] * 4 + ["0"] * 6, "b": ["1"] * 6 + ["0"] * 4})
    table = across_table(across_benchmarks([here, there]))
    assert [column.name for column in table.columns[1:4]] == ["little: Recall", "little: Accuracy", "little: Rank"]
    assert table.rows[0] == (
        *("a", "90.0 % (9/10)", "90.0 % (9/10)", "1", "40.0 % (4/10)", "40.0 % (4/10)", "2"),
        *("50.0 pp", "1 → 2"),
    )
    assert across_table(()).rows == ()
