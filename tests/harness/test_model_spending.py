"""Tokens and money of a model, each with the rows they are known of; what is unknown is said and never 0."""

import pytest

from doubles.harness import attempt
from doubles.reports import case_of, little_run, reply_of
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.model_spending import SpendingTally
from plugineval.harness.rendering.model_tables import spending
from plugineval.harness.report import Report
from plugineval.harness.report_builder import ReportBuilder
from plugineval.harness.row_facts import Cost
from plugineval.pccf.spending import Spent

pytestmark = pytest.mark.requirement("X10")

PRICED = Spent(calls=1, input_tokens=90, output_tokens=10, cost=0.5)
UNPRICED = PRICED.model_copy(update={"cost": None})


def report_of(answers: dict[str, tuple[str, Spent | None]]) -> Report:
    """Model -> one mark per case, and what each of its answers spent."""
    length = max(len(marks) for marks, _ in answers.values())
    cases = [case_of(index) for index in range(length)]
    run = little_run(cases, {model: list(marks) for model, (marks, _) in answers.items()})
    builder = ReportBuilder(run)
    for model, (marks, spent) in answers.items():
        for case, mark in zip(cases, marks, strict=True):
            found = attempt(case, reply_of(case, mark).model_copy(update={"spent": spent}), model=model)
            builder.add(case, found, grade(case, found, policy=GradingPolicy()))
    return builder.build(now=run.started_at)


def test_a_report_tells_cost_and_cost_per_correct_row_with_the_rows_they_are_known_of() -> None:
    report = report_of({"fast": ("110.", PRICED), "plain": ("1100", UNPRICED), "silent": ("1100", None)})
    fast, plain, silent = (model.spending for model in report.models)
    assert fast is not None
    assert plain is not None
    assert silent is not None
    assert (fast.rows, fast.correct, fast.input_tokens, fast.output_tokens) == (4, 2, 360, 40)
    assert (fast.cost, fast.per_correct, fast.priced_rows, fast.counted_rows) == (2.0, 1.0, 4, 4)
    assert (plain.cost, plain.per_correct, plain.priced_rows, plain.counted_rows) == (None, None, 0, 4)
    assert (silent.cost, silent.counted_rows, silent.rows) == (None, 0, 4)
    assert (silent.input_tokens, silent.output_tokens) == (None, None)


@pytest.mark.parametrize(
    ("spent", "told"),
    [
        (Spent(calls=1, cost=None), ("unknown", "unknown", "0", "price unknown", "0")),  # an agent
        (Spent(), ("0", "0", "2", "0", "2")),  # a model that is embedded
    ],
)
def test_what_an_agent_spends_is_unknown_and_what_asks_nobody_spends_nothing(
    spent: Spent, told: tuple[str, ...]
) -> None:
    [row] = spending(report_of({"m": ("11", spent)}).models).rows
    assert row[2:7] == told


def test_the_table_says_that_a_price_is_unknown_and_leaves_floors_out() -> None:
    report = report_of({"fast": ("110.", PRICED), "plain": ("1100", UNPRICED), "degenerate:never-call": ("0000", None)})
    rows = {row[0]: row for row in spending(report.models).rows}
    assert rows["fast"] == ("fast", "4", "360", "40", "4", "2", "4", "2", "1")
    assert rows["plain"][5:] == ("price unknown", "0", "2", "price unknown")
    assert len(rows) == 2


def test_a_model_that_got_nothing_right_has_no_cost_per_correct_row() -> None:
    tally = SpendingTally()
    tally.count(Cost.of(PRICED), correct=False)
    found = tally.result()
    assert (found.cost, found.per_correct) == (0.5, None)


def test_reports_of_earlier_versions_have_no_spending() -> None:
    report = report_of({"fast": ("11", PRICED)})
    body = report.model_dump(mode="json")
    for model in body["models"]:
        del model["spending"]
    assert Report.model_validate(body).models[0].spending is None
