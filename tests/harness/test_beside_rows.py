"""Rows of degenerate models that are not graded one by one count as if they had been."""

from collections.abc import Sequence
from itertools import product

import pytest

from doubles.harness import AT, INTEGER, TEXT, gold, negative, positive, schema, tool
from plugineval.harness.attempts import Attempt
from plugineval.harness.beside import BesideRows
from plugineval.harness.cases import Case
from plugineval.harness.degenerate import Degenerate, degenerate_models
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.outcomes import GradedRow
from plugineval.harness.statistics.case_results import Mark, mark_of
from plugineval.harness.tally import Cell
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.values import Json

DEFAULTED: dict[str, Json] = {"type": "string", "default": "metric"}
LIST: dict[str, Json] = {"type": "array", "items": TEXT}
TOOLS = (
    tool("first", schema("a", a=INTEGER, unit=DEFAULTED, tags=LIST, note={"type": ["string", "null"]})),
    tool("second", schema("a", a=INTEGER)),
)
VALUES: Sequence[dict[str, Json]] = (
    {},
    {"a": 1},
    {"a": 0},
    {"a": 7, "tags": []},
    {"a": 7, "tags": ["x"]},
    {"a": 1, "unit": "metric"},
    {"a": 1, "unit": "imperial"},
    {"a": None},
    {"a": 2, "note": None},
    {"a": 2, "note": ""},
    {"tags": ["x"]},
    {"unit": "metric"},
    {"unit": "imperial"},
    {"unknown": 1},
)


def cases() -> list[Case]:
    """Each kind of gold beside each other, so that a row that is remembered wrongly is handed out wrongly."""
    singles = [gold(name, **value) for name, value in product(("first", "second", "third"), VALUES)]
    either = [
        GoldCall(tool="first", arguments={"a": 1}, accepted={"a": Accepted(values=(1, 2), omittable=omittable)})
        for omittable in (True, False)
    ]
    calls = [(call,) for call in (*singles, *either)] + [(singles[1], singles[4]), (singles[1], singles[1])]
    return [positive(*gold, tools=TOOLS, case_id=f"c{index}") for index, gold in enumerate(calls)]


def counted(row: GradedRow) -> tuple[Cell, Mark | None]:
    return Cell.of(row), mark_of(row)


@pytest.mark.requirement("X8")
@pytest.mark.parametrize("model", degenerate_models(), ids=lambda model: model.id)
@pytest.mark.parametrize("policy", [GradingPolicy(), GradingPolicy(extra_calls="forbid", meaning="ask")])
def test_a_remembered_row_counts_like_a_graded_one(model: Degenerate, policy: GradingPolicy) -> None:
    asked = [*cases(), negative(tools=TOOLS, case_id="none")]
    for order in (asked, asked[::-1]):
        rows = BesideRows(policy, at=AT)
        for case in order:
            found = rows.row(case, model, 2)
            reply = model.reply(case.toolset)
            attempt = Attempt(
                case_id=case.id,
                model=model.id,
                repeat=2,
                reply=reply,
                toolset_hash=case.toolset.content_hash,
                at=AT,
            )
            wanted = grade(case, attempt, policy=policy)
            assert counted(found) == counted(wanted), case.gold
            assert (found.case_id, found.model, found.repeat) == (case.id, model.id, 2)
