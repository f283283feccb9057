"""A report counts rows by narrow columns, and says what it would say if it had read every row whole."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from doubles.store import NOON, a_case, a_row, a_run, an_attempt, engine_of
from plugineval.harness.attempts import Attempt
from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.outcomes import Confusion, ErrorCategory, GradedRow, Mismatch, Outcome, ParameterSubtype
from plugineval.harness.report_builder import ReportBuilder
from plugineval.harness.row_facts import RowFacts, Steps
from plugineval.harness.run import RunConfig
from plugineval.pccf.spending import Spent
from plugineval.server.jobs.evaluate_report import FLOORS, keep_report
from plugineval.server.store import Store, tables

pytestmark = [pytest.mark.anyio]
CASES, REPEATS, MODELS = 9, 2, ("a", "m")
WRONG = Mismatch(tool="forecast", argument="city", subtype=ParameterSubtype.INCORRECT_VALUE, rule="text")


def row_of(number: int, model: str, repeat: int) -> GradedRow:
    kind = (number + repeat + (model == "m")) % 4
    row = a_row(number, model=model, repeat=repeat, outcome=Outcome.CORRECT if kind else Outcome.VALID_BUT_WRONG)
    if kind == 0:
        wrong = {"category": ErrorCategory.PARAMETER_ERROR, "subtype": WRONG.subtype, "mismatches": (WRONG,)}
        return row.model_copy(update={"confusion": Confusion.FN, **wrong})
    return row.model_copy(update={"unsafe_extra_calls": ("drop",), "extra_calls": ("drop",)}) if kind == 1 else row


def attempt_of(number: int, model: str, repeat: int) -> Attempt:
    found = an_attempt(number, model=model, repeat=repeat)
    spent = None if number == 0 else Spent(calls=1, input_tokens=7, output_tokens=number, cost=0.1 * number)
    reply = found.reply.model_copy(update={"spent": spent, "raw": {"model": f"{model}-2026"} if number % 2 else None})
    return found.model_copy(update={"reply": reply})


@pytest.fixture
async def filled(store: Store) -> Store:
    """A run of two models on nine cases, some right, some with an argument that is wrong or a call too many."""
    run = a_run().model_copy(update={"config": RunConfig(models=MODELS, repeats=REPEATS)})
    await store.runs.create(run, cases=[a_case(number) for number in range(CASES)])
    for number in range(CASES):
        for model in MODELS:
            for repeat in range(REPEATS):
                await store.attempts.append("run-a", attempt_of(number, model, repeat), row_of(number, model, repeat))
    return store


def forget(where: str) -> None:
    """As rows are that an earlier version wrote."""
    attempts, graded = (tables.table_of(table) for table in (tables.Attempts, tables.Graded))
    columns = ("served", "calls", "input_tokens", "output_tokens", "cost")
    engine = engine_of(where)
    with engine.begin() as connection:
        connection.execute(update(attempts).values(dict.fromkeys(columns)))
        connection.execute(update(graded).values(steps=None))
    engine.dispose()


async def test_the_facts_of_a_row_are_read_as_they_are_told_by_the_whole_row(filled: Store, where: str) -> None:
    told = [RowFacts.of(attempt, row) for attempt, row in await filled.attempts.graded("run-a")]
    found = list(await filled.attempts.facts("run-a"))
    assert [facts._replace(row=None) for facts in found] == [facts._replace(row=None) for facts in told]
    whole = [facts for facts in found if facts.row is not None]
    assert {facts.verdict.category for facts in whole} == {ErrorCategory.PARAMETER_ERROR}
    assert all(facts in told for facts in whole)
    forget(where)
    assert list(await filled.attempts.facts("run-a")) == told


@pytest.mark.requirement("X10")
@pytest.mark.parametrize("written", ["now", "before"])
async def test_a_report_of_facts_is_the_report_of_whole_rows(filled: Store, where: str, written: str) -> None:
    if written == "before":
        forget(where)
    info, cases = await filled.runs.get("run-a"), await filled.runs.packed_cases("run-a")
    named = {case.id: case for case in cases}
    builder = ReportBuilder(info, floors=FLOORS, beside=degenerate_models())
    for attempt, row in await filled.attempts.graded("run-a"):
        builder.add(named[row.case_id], attempt, row)
    wanted = builder.build(now=NOON + timedelta(days=1))
    found = await keep_report(filled, info, cases, await filled.gradings.get("run-a"))
    apart = {"reported_at": wanted.reported_at, "grading": None}
    assert found.model_copy(update=apart) == wanted
    assert len(found.errors) > 4
    assert found.models[0].served_by == ("a-2026",)


async def test_chosen_rows_are_read_whole_and_those_that_are_gone_left_out(filled: Store) -> None:
    found = await filled.attempts.chosen("run-a", "first", [("m", "case-00001", 1), ("m", "case-99999", 0)])
    assert found == ((attempt_of(1, "m", 1), row_of(1, "m", 1)),)
    assert await filled.attempts.chosen("run-a", "first", []) == ()


def test_steps_are_the_same_after_they_were_written_as_bits() -> None:
    for bits in range(64):
        assert Steps.read(bits).bits == bits
    assert Steps(coerced=True).bits == 8
