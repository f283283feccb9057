"""The self-test: no verdict of ours moves, and a verdict that does is found and shown."""

import json
from pathlib import Path

import pytest

from doubles.harness import INTEGER, TEXT, call, gold, positive, schema, tool
from plugineval.clients.formats.judge_rows import JudgeRow, JudgeRowReader
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.selftest import built_in_rows, rows_of_case, self_test
from plugineval.harness.selftest.relations import RELATIONS, Relation
from plugineval.harness.selftest.rows import TrialRow
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.values import Json
from plugineval.server.jobs.cases import case_of_record

WRITTEN = Path(__file__).parents[1] / "rows" / "rows.jsonl"
BY_NAME = {relation.name: relation for relation in RELATIONS}


def again(name: str, row: TrialRow) -> TrialRow:
    found = BY_NAME[name].again(row)
    assert found is not None
    return found


@pytest.mark.requirement("X6")
@pytest.mark.parametrize("policy", [GradingPolicy(), GradingPolicy(meaning="ask")], ids=["settle", "ask"])
def test_no_verdict_moves_over_the_built_in_rows_and_every_relation_has_some(policy: GradingPolicy) -> None:
    found = self_test(built_in_rows(), policy=policy)
    assert found.moved == 0, [relation.violations for relation in found.relations]
    assert all(relation.rows >= 5 for relation in found.relations)
    assert len(found.relations) == 9


@pytest.mark.requirement("X6")
def test_no_verdict_moves_over_rows_of_every_kind() -> None:
    lines: list[bytes] = []
    for text in WRITTEN.read_text(encoding="utf-8").splitlines():
        group = json.loads(text)
        calls = [{"name": name, "arguments": arguments} for name, arguments in group["gold"]]
        lines.append(json.dumps({**group, "gold": calls, "predicted": []}).encode())
    rows = [case_of_record(row.case) for row in JudgeRowReader().read(lines) if isinstance(row, JudgeRow)]
    assert len(rows) > 200
    found = self_test(made for case in rows for made in rows_of_case(case))
    assert found.moved == 0, [relation.violations for relation in found.relations]


@pytest.mark.requirement("X6")
def test_a_verdict_that_moves_is_counted_and_shown_with_both_verdicts() -> None:
    def broken(row: TrialRow) -> TrialRow | None:
        return row._replace(calls=(call("act", n=2),))

    row = TrialRow(positive(gold("act", n=1), tools=(tool("act", schema(n=INTEGER)),)), (call("act", n=1),))
    found = self_test([row] * 30, relations=(Relation(name="broken", sentence="1 as 2", again=broken),))
    (relation,) = found.relations
    assert (found.moved, relation.rows, relation.moved, len(relation.violations)) == (30, 30, 30, 20)
    violation = relation.violations[0]
    assert (violation.before["verdict"], violation.after["verdict"]) == ("correct", "incorrect")
    assert violation.after["subtype"] == "incorrect_value"


@pytest.mark.requirement("X6")
@pytest.mark.parametrize(
    ("name", "subschema", "value", "spelled"),
    [
        ("number spelling", INTEGER, 5, 5.0),
        ("set order", {"type": "array", "uniqueItems": True}, ["a", "b"], ["b", "a"]),
        ("time zone", TEXT | {"format": "date-time"}, "2026-07-01T15:00:00Z", "2026-07-01T20:30:00+05:30"),
        ("date notation", TEXT | {"description": "Date."}, "2026-03-14", "14 March 2026"),
    ],
)
def test_a_value_is_respelled_inside_the_call(
    name: str, subschema: dict[str, Json], value: Json, spelled: Json
) -> None:
    spec = tool("act", schema(given={"type": "object", "properties": {"x": subschema}}))
    row = TrialRow(positive(gold("act", given={"x": value}), tools=(spec,)), (call("act", given={"x": value}),))
    assert again(name, row).calls[0].arguments == {"given": {"x": spelled}}


@pytest.mark.requirement("X6")
@pytest.mark.parametrize(
    ("name", "subschema", "value"),
    [
        ("date notation", TEXT | {"pattern": "^....-..-..$"}, "2026-03-14"),
        ("date notation", TEXT | {"enum": ["2026-03-14"]}, "2026-03-14"),
        ("set order", {"type": "array"}, ["a", "b"]),
        ("number spelling", {"type": "boolean"}, True),
        ("gold order", INTEGER, 1),
    ],
)
def test_what_the_schema_fixes_is_left_alone(name: str, subschema: dict[str, Json], value: Json) -> None:
    spec = tool("act", schema(date=subschema))
    row = TrialRow(positive(gold("act", date=value), tools=(spec,)), (call("act", date=value),))
    assert BY_NAME[name].again(row) is None


@pytest.mark.requirement("X6", "D13")
def test_defaults_are_said_aloud_and_order_is_turned_around() -> None:
    spec = tool("act", schema(a=INTEGER, unit=TEXT | {"default": "km"}))
    row = TrialRow(positive(gold("act", a=1), gold("act", a=2), tools=(spec,)), (call("act", a=1), call("act", a=2)))
    assert again("explicit default", row).calls[0].arguments == {"a": 1, "unit": "km"}
    assert [made.arguments for made in again("gold order", row).case.gold] == [{"a": 2}, {"a": 1}]
    assert [made.arguments for made in again("call order", row).calls] == [{"a": 2}, {"a": 1}]
    assert BY_NAME["gold order"].again(row._replace(case=row.case.model_copy(update={"ordered": True}))) is None


@pytest.mark.requirement("X6")
def test_sides_change_only_where_either_call_could_be_gold() -> None:
    spec = tool("act", schema(a=INTEGER, closed=True))
    case = positive(gold("act", a=1), tools=(spec,))
    swapped = again("sides", TrialRow(case, (call("act", a=2),)))
    assert (swapped.case.gold[0].arguments, swapped.calls[0].arguments) == ({"a": 2}, {"a": 1})
    assert BY_NAME["sides"].again(TrialRow(case, (call("act", a="x"),))) is None
    assert BY_NAME["sides"].again(TrialRow(case, (call("other", a=1),))) is None


@pytest.mark.requirement("X6")
def test_a_case_makes_a_right_row_a_short_one_and_one_for_every_argument_twice() -> None:
    spec = tool("act", schema(a=INTEGER, b=TEXT))
    case = positive(GoldCall(tool="act", arguments={"a": 1, "b": "x"}), tools=(spec,))
    made = [tuple(found.arguments for found in row.calls) for row in rows_of_case(case)]
    assert made[0] == ({"a": 1, "b": "x"},)
    assert made[1] == ()
    assert made[2:] == [({"a": 2, "b": "x"},), ({"a": 1, "b": "x and more"},), ({"b": "x"},), ({"a": 1},)]
