"""Rows that an independent reader wrote against the comparator and that it once decided otherwise."""

import pytest

from doubles.harness import TEXT, call, gold, graded, positive, schema
from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.ruling import ruling
from plugineval.harness.equivalence.verdicts import Agreement, CallContext, Place
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.outcomes import Outcome
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json

EQUAL, DIFFERENT, UNSURE = Agreement.EQUAL, Agreement.DIFFERENT, Agreement.UNSURE


def agreement(name: str, one: str, other: str, said: str = "") -> Agreement:
    schema: dict[str, Json] = {"type": "string", "description": said}
    place = Place(Node.of_root(schema), name, CallContext())
    there, back = ruling(one, other, place), ruling(other, one, place)
    assert there.agreement is back.agreement
    return there.agreement


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("es", "et", DIFFERENT),
        ("fr", "ar", DIFFERENT),
        ("et", "ar", DIFFERENT),
        ("no", "nb", UNSURE),
        ("ms", "id", UNSURE),
        ("zh", "cmn", UNSURE),
    ],
)
def test_a_language_is_open_only_beside_one_it_may_be_a_part_of(one: str, other: str, expected: Agreement) -> None:
    assert agreement("target", one, other, "Target language code.") is expected


@pytest.mark.requirement("P42", "D14")
@pytest.mark.parametrize(
    ("said", "expected"),
    [("Login, case-sensitive.", DIFFERENT), ("Login, not case-sensitive.", UNSURE), ("Login.", UNSURE)],
)
def test_case_of_an_identifier_counts_where_the_tool_says_so(said: str, expected: Agreement) -> None:
    assert agreement("username", "MRiv_7", "mriv_7", said) is expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("said", "expected"), [("Matching is case sensitive.", DIFFERENT), ("Matching isn't case sensitive.", EQUAL)]
)
def test_a_negated_case_sensitivity_is_none(said: str, expected: Agreement) -> None:
    assert agreement("town", "Lund", "lund", said) is expected


@pytest.mark.requirement("P41", "P42")
def test_spaces_beside_a_dash_of_a_title_prove_no_other_title() -> None:
    assert agreement("title", "Storm—River", "Storm - River") is not DIFFERENT
    assert agreement("title", "Milk run", "Milkrun") is DIFFERENT


@pytest.mark.requirement("D13")
@pytest.mark.parametrize(
    ("does", "verdict"),
    [
        ("List files in a folder.", Outcome.CORRECT),
        ("Change a file's fields.", None),
        ("", None),
    ],
)
def test_null_for_a_nullable_filter_of_a_lookup_is_an_omission(does: str, verdict: Outcome | None) -> None:
    owner: Json = {"type": ["string", "null"]}
    listing = ToolSpec(name="files", description=does, input_schema=schema("folder", folder=TEXT, owner=owner))
    left_out: dict[str, Json] = {"folder": "x"}
    nulled: dict[str, Json] = {"folder": "x", "owner": None}
    for wanted, got in ((left_out, nulled), (nulled, left_out)):
        case = positive(gold("files", **wanted), tools=(listing,))
        row = graded(case, call("files", **got), policy=GradingPolicy(meaning="ask"))
        assert row.outcome is verdict
