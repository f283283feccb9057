"""Small inputs on which popular graders are known to be wrong, in our own words, with the verdict that is right."""

from typing import NamedTuple

import pytest

from doubles.harness import INTEGER, NUMBER, TEXT, call, gold, graded, positive, schema, tool
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, GradedRow, Outcome, ParameterSubtype
from plugineval.harness.policies import ExtraCalls
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.values import Json

VALUE, TIME = ParameterSubtype.INCORRECT_VALUE, ParameterSubtype.TEMPORAL
LIST: dict[str, Json] = {"type": "array", "items": TEXT}
UNITS: dict[str, Json] = {"type": "string", "enum": ["celsius", "kelvin"]}


class Wrong(NamedTuple):
    name: str
    subschema: dict[str, Json]
    wanted: Json
    got: Json
    subtype: ParameterSubtype = VALUE
    outcome: Outcome = Outcome.VALID_BUT_WRONG


def one(name: str, subschema: dict[str, Json], wanted: Json, got: Json) -> GradedRow:
    spec = tool("act", {"type": "object", "properties": {name: subschema}, "required": [name]})
    return graded(positive(gold("act", **{name: wanted}), tools=(spec,)), call("act", **{name: got}))


@pytest.mark.requirement("P41", "P51")
@pytest.mark.parametrize(
    "wrong",
    [
        Wrong("date", TEXT, "3/12/2025", "12/2/2025", TIME),
        Wrong("release", TEXT, "v2.4", "v24"),
        Wrong("amount", TEXT, "-7.00", "700"),
        Wrong("city", TEXT, "New London", "London"),
        Wrong("limit", INTEGER, 10, 12),
        Wrong("rate", NUMBER, 0.05, 0.2),
        Wrong("query", TEXT, "trains to Bern", "", ParameterSubtype.MISSING_ARGUMENT),
        Wrong("flag", {"type": "boolean"}, True, 1, VALUE, Outcome.INVALID_ARGS),
        Wrong("unit", UNITS, "kelvin", "Kelvin", VALUE, Outcome.INVALID_ARGS),
        Wrong("tags", LIST, ["x", "y"], ["y", "x"]),
        Wrong("kind", TEXT, "string", "anything"),
    ],
)
def test_what_only_looks_alike_is_wrong(wrong: Wrong) -> None:
    row = one(wrong.name, wrong.subschema, wrong.wanted, wrong.got)
    assert (row.confusion, row.category) == (Confusion.FN, ErrorCategory.PARAMETER_ERROR)
    assert (row.outcome, row.subtype) == (wrong.outcome, wrong.subtype)


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("name", "subschema", "wanted", "got"),
    [
        ("date", TEXT, "2025-04-06", "April 6, 2025"),
        ("amount", NUMBER, 40, 40.0),
        ("count", INTEGER, 3, 3.0),
        ("tags", {**LIST, "uniqueItems": True}, ["x", "y"], ["Y", "x"]),
        ("tags", {**LIST, "description": "In any order."}, ["x", "y"], ["y", "x"]),
    ],
)
def test_what_is_only_written_otherwise_is_right(
    name: str, subschema: dict[str, Json], wanted: Json, got: Json
) -> None:
    row = one(name, subschema, wanted, got)
    assert (row.outcome, row.outcome_strict, row.confusion) == (Outcome.CORRECT, Outcome.CORRECT, Confusion.TP)


@pytest.mark.requirement("P41", "P42")
@pytest.mark.parametrize(("wanted", "got"), [("Zürich", "Zurich"), ("Los Angeles", "LA")])
def test_another_name_of_a_place_is_for_the_judge(wanted: str, got: str) -> None:
    row = one("city", TEXT, wanted, got)
    assert (row.exclusion, row.outcome, row.confusion) == (Exclusion.UNSURE, None, None)
    assert [(question.gold, question.predicted) for question in row.questions] == [(wanted, got)]


@pytest.mark.requirement("D7")
def test_a_flexible_gold_call_leaves_the_only_partner_to_the_strict_one() -> None:
    spec = tool("act", schema("n", n=INTEGER))
    flexible = GoldCall(tool="act", arguments={"n": 1}, accepted={"n": Accepted(values=(1, 2))})
    case = positive(flexible, gold("act", n=1), tools=(spec,))
    assert graded(case, call("act", n=1), call("act", n=2)).outcome is Outcome.CORRECT


@pytest.mark.requirement("D6")
@pytest.mark.parametrize(("policy", "passes"), [("ignore", True), ("read_only", False), ("forbid", False)])
def test_a_further_call_with_side_effects_fails_where_the_policy_says_so(policy: ExtraCalls, passes: bool) -> None:
    tools = (tool("act", schema("n", n=INTEGER)), tool("remove"))
    case = positive(gold("act", n=1), tools=tools)
    row = graded(case, call("act", n=1), call("remove"), policy=GradingPolicy(extra_calls=policy))
    assert (row.outcome is Outcome.CORRECT) is passes
    assert (row.confusion, row.unsafe_extra_calls) == (Confusion.TP, ("remove",))
