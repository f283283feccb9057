"""What never moves a verdict (X6): the order and spelling of things that mean the same; and which side is gold."""

import json
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doubles.harness import INTEGER, NUMBER, TEXT, graded, positive, schema, tool
from plugineval.harness.equivalence.arguments import compare
from plugineval.harness.equivalence.findings import Comparison
from plugineval.harness.equivalence.verdicts import CallContext
from plugineval.harness.outcomes import GradedRow
from plugineval.harness.prepared_tools import prepared
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.values import Arguments, Json

TAGS: dict[str, Json] = {"type": "array", "items": TEXT, "uniqueItems": True}
STEPS: dict[str, Json] = {"type": "array", "items": TEXT}
DETAIL: dict[str, Json] = {"type": "object", "properties": {"n": NUMBER, "note": {**TEXT, "default": "none"}}}
SPEC = tool(
    "act",
    schema(
        n=INTEGER,
        ratio=NUMBER | {"default": 1},
        city=TEXT,
        day=TEXT,
        order_id=TEXT,
        tags=TAGS,
        steps=STEPS,
        detail=DETAIL,
        free={},
        maybe={"type": ["string", "null"]},
        closed=False,
    ),
)
SPELLED = (
    "Oslo|oslo |Rome|New York|York|NYC|7|07|7.0|seven|1,000|1000|1.000|v1.2|v12|not a|a||true|null|5%|5 km|5000 m|"
    '2026-03-04|4 March 2026|03/04/2026|20260304|tomorrow|10:30|10:30 am|{"a": 1}|{ "a":1.0 }|'
    "a@b.org|https://b.org|https://b.org/|./a.csv|a.csv"
)
WORDS = st.sampled_from(SPELLED.split("|"))
NUMBERS = st.sampled_from([0, 1, 1.0, 7, 7.0, 7.5, -7, 1000, 20260304, 1e3])
SCALARS: st.SearchStrategy[Json] = st.one_of(WORDS, NUMBERS, st.booleans(), st.none())
LISTS: st.SearchStrategy[Json] = st.lists(WORDS, max_size=3, unique=True).map(lambda found: [*found])
OBJECTS: st.SearchStrategy[Json] = st.dictionaries(st.sampled_from(["n", "note", "x"]), SCALARS, max_size=3).map(
    lambda found: {**found}
)
VALUES = st.one_of(SCALARS, LISTS, OBJECTS)
NAMES = ["n", "ratio", "city", "day", "order_id", "tags", "steps", "detail", "free", "maybe", "other"]
ARGUMENTS = st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5)
ONE_ARGUMENT = st.dictionaries(st.sampled_from(NAMES), VALUES, min_size=1, max_size=1)
GOLD = st.lists(ARGUMENTS, min_size=1, max_size=3)


def compared(wanted: Arguments, got: Arguments) -> Comparison:
    context = CallContext(query="From Oslo to Rome on 4 March 2026")
    return compare(GoldCall(tool="act", arguments=wanted), got, prepared(SPEC).root, context)


def row(gold: list[Arguments], calls: list[Arguments]) -> GradedRow:
    case = positive(*(GoldCall(tool="act", arguments=each) for each in gold), tools=(SPEC,))
    return graded(case, *(EmittedCall(name="act", arguments=each) for each in calls))


def verdict(found: GradedRow) -> tuple[object, ...]:
    return found.outcome, found.confusion, found.category, found.subtype, found.exclusion


def without_subtype(found: GradedRow) -> tuple[object, ...]:
    """A default that is wrong is a missing argument where it is left out, and an incorrect value where it is said."""
    return found.outcome, found.confusion, found.category, found.exclusion


def answer(found: Comparison) -> str:
    return "different" if found.differences else "unsure" if found.unsure else "equal"


@pytest.mark.requirement("X6", "P42")
@given(ARGUMENTS, ARGUMENTS)
@settings(max_examples=400, deadline=None)
def test_swapping_gold_and_prediction_never_turns_equal_into_different(one: Arguments, other: Arguments) -> None:
    assert {answer(compared(one, other)), answer(compared(other, one))} != {"equal", "different"}


@pytest.mark.requirement("X6")
@given(ONE_ARGUMENT, ONE_ARGUMENT)
@settings(max_examples=400, deadline=None)
def test_one_argument_is_answered_alike_from_both_sides(one: Arguments, other: Arguments) -> None:
    assert {answer(compared(one, other)), answer(compared(other, one))} != {"equal", "different"}


@pytest.mark.requirement("X6", "D7")
@given(GOLD, GOLD, st.randoms())
@settings(max_examples=150, deadline=None)
def test_the_order_of_calls_and_of_keys_moves_no_verdict(
    gold: list[Arguments], calls: list[Arguments], random: Random
) -> None:
    before = row(gold, calls)
    after = row(_shuffled(gold, random), _shuffled(calls, random))
    assert verdict(after) == verdict(before)


def _shuffled(calls: list[Arguments], random: Random) -> list[Arguments]:
    calls = [dict(random.sample(sorted(call.items()), len(call))) for call in calls]
    random.shuffle(calls)
    return calls


RESPELLINGS: dict[str, Callable[[str, Json], Json]] = {
    "numbers": lambda _, value: float(value) if type(value) is int else value,
    "sets": lambda name, value: [*reversed(value)] if name == "tags" and isinstance(value, list) else value,
    "json": lambda _, value: json.loads(json.dumps(value, indent=2, sort_keys=True)),
}


@pytest.mark.requirement("X6", "P42")
@pytest.mark.parametrize("spelling", list(RESPELLINGS))
@given(wanted=ARGUMENTS, got=ARGUMENTS)
@settings(max_examples=150, deadline=None)
def test_another_spelling_of_the_same_value_moves_no_verdict(spelling: str, wanted: Arguments, got: Arguments) -> None:
    respell = RESPELLINGS[spelling]
    for side in (True, False):
        sides = [{name: respell(name, value) for name, value in each.items()} for each in (wanted, got)]
        changed = row([sides[0]], [got]) if side else row([wanted], [sides[1]])
        assert verdict(changed) == verdict(row([wanted], [got]))


@pytest.mark.requirement("X6", "D13")
@given(ARGUMENTS, ARGUMENTS)
@settings(max_examples=150, deadline=None)
def test_an_explicit_default_moves_no_verdict(wanted: Arguments, got: Arguments) -> None:
    before = row([wanted], [got])
    for explicit in ({"ratio": 1}, {"ratio": 1.0}):
        if "ratio" not in wanted:
            assert without_subtype(row([{**wanted, **explicit}], [got])) == without_subtype(before)
        if "ratio" not in got:
            assert without_subtype(row([wanted], [{**got, **explicit}])) == without_subtype(before)


@pytest.mark.requirement("X6")
@given(ARGUMENTS)
@settings(max_examples=200, deadline=None)
def test_every_call_is_equal_to_itself(arguments: Arguments) -> None:
    assert compared(arguments, dict(reversed(arguments.items()))) == Comparison()


@pytest.mark.requirement("P41")
@given(ARGUMENTS, ARGUMENTS, st.permutations(["Oslo", 7, "never said"]))
@settings(max_examples=100, deadline=None)
def test_the_order_of_alternatives_moves_no_verdict(wanted: Arguments, got: Arguments, values: list[Json]) -> None:
    def with_choices(order: list[Json]) -> str:
        gold = GoldCall(tool="act", arguments=wanted, accepted={"free": Accepted(values=tuple(order))})
        return answer(compare(gold, got, prepared(SPEC).root, CallContext()))

    assert with_choices(values) == with_choices([*reversed(values)])
