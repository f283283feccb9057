"""Invariants of pairing and of the graded row, over generated calls."""

from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from doubles.harness import INTEGER, TEXT, graded, negative, positive, schema, tool
from plugineval.harness.assignment import assign
from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, Outcome
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.values import Json

TOOLS = (
    tool("f", schema("n", n=INTEGER, s=TEXT | {"default": "x"})),
    tool("g", schema(tags={"type": "array", "items": TEXT, "uniqueItems": True}, closed=False)),
)
CHOICES: list[Json] = [0, 1, 2, "x", "1", "", None, True, ["a"]]
ARGUMENTS = st.dictionaries(st.sampled_from(["n", "s", "tags", "other"]), st.sampled_from(CHOICES), max_size=3)
CALLS = st.lists(st.builds(EmittedCall, name=st.sampled_from(["f", "g", "h"]), arguments=ARGUMENTS), max_size=4)
GOLD = st.lists(st.builds(GoldCall, tool=st.sampled_from(["f", "g"]), arguments=ARGUMENTS), max_size=4)


def matrices(columns: int) -> st.SearchStrategy[list[list[int]]]:
    row = st.lists(st.integers(0, 9), min_size=columns, max_size=columns)
    return st.lists(row, min_size=1, max_size=5)


@pytest.mark.requirement("D7")
@given(st.integers(1, 5).flatmap(matrices))
@settings(deadline=None)
def test_an_assignment_is_complete_and_none_is_cheaper(cost: list[list[int]]) -> None:
    pairs = assign([[(part,) for part in row] for row in cost])
    rows, columns = len(cost), len(cost[0])
    assert len({row for row, _ in pairs}) == len({column for _, column in pairs}) == len(pairs) == min(rows, columns)
    wide = cost if rows <= columns else list(map(list, zip(*cost, strict=True)))
    best = min(sum(wide[i][c] for i, c in enumerate(p)) for p in permutations(range(len(wide[0])), len(wide)))
    assert sum(cost[row][column] for row, column in pairs) == best


@pytest.mark.requirement("D7")
@given(GOLD, CALLS, st.randoms())
@settings(deadline=None)
def test_shuffling_gold_or_calls_moves_no_verdict(
    golds: list[GoldCall], calls: list[EmittedCall], random: Random
) -> None:
    before = graded(positive(*golds, tools=TOOLS), *calls)
    random.shuffle(golds)
    random.shuffle(calls)
    after = graded(positive(*golds, tools=TOOLS), *calls)
    assert (after.outcome, after.confusion, after.category, after.subtype) == (
        before.outcome,
        before.confusion,
        before.category,
        before.subtype,
    )
    assert sorted(map(str, after.mismatches)) == sorted(map(str, before.mismatches))


@pytest.mark.requirement("P50", "P52")
@given(GOLD, CALLS)
@settings(deadline=None)
def test_a_positive_row_has_one_verdict_or_one_exclusion(golds: list[GoldCall], calls: list[EmittedCall]) -> None:
    row = graded(positive(*golds, tools=TOOLS), *calls)
    assert (row.exclusion is None) == (row.outcome is not None) == (row.confusion is not None)
    assert (row.exclusion is Exclusion.UNSURE) == bool(row.questions)
    assert (row.category is None) == (row.confusion in {None, Confusion.TP, Confusion.TN})
    assert (row.subtype is None) == (row.category is not ErrorCategory.PARAMETER_ERROR)
    if row.outcome is Outcome.CORRECT:
        assert row.confusion is Confusion.TP
    if golds and row.confusion is Confusion.TP:
        assert row.right_tools
        assert not row.mismatches


@pytest.mark.requirement("P46", "P47")
@given(CALLS, st.sampled_from([None, "f", "g"]))
@settings(deadline=None)
def test_a_negative_fails_exactly_when_what_is_forbidden_is_called(
    calls: list[EmittedCall], target: str | None
) -> None:
    row = graded(negative(tools=TOOLS, target=target), *calls)
    fired = any(target in {None, call.name} for call in calls)
    assert row.confusion is (Confusion.FP if fired else Confusion.TN)
    assert row.outcome is (Outcome.SPURIOUS_CALL if calls else Outcome.CORRECT)
