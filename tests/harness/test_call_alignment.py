from itertools import permutations

import pytest

from doubles.harness import INTEGER, call, gold, graded, positive, schema, tool
from plugineval.harness.outcomes import Confusion, ErrorCategory, Outcome, ParameterSubtype

BOOK = tool("book", schema("a", "b", "c", a=INTEGER, b=INTEGER, c=INTEGER))
F = tool("f", schema("n", n=INTEGER))


@pytest.mark.requirement("D7", "E4")
def test_calls_pair_whatever_their_order() -> None:
    case = positive(gold("f", n=1), gold("f", n=2), tools=(F,))
    assert graded(case, call("f", n=2), call("f", n=1)).outcome is Outcome.CORRECT


@pytest.mark.requirement("D7")
def test_an_ordered_case_is_not_answered_in_another_order() -> None:
    case = positive(gold("f", n=1), gold("f", n=2), tools=(F,), ordered=True)
    assert graded(case, call("f", n=1), call("f", n=2)).confusion is Confusion.TP
    assert graded(case, call("f", n=2), call("f", n=1)).confusion is Confusion.FN


@pytest.mark.requirement("D7")
def test_in_an_ordered_case_extra_calls_may_stand_between() -> None:
    case = positive(gold("f", n=1), gold("f", n=2), tools=(F, BOOK), ordered=True)
    row = graded(case, call("f", n=1), call("book", a=1, b=1, c=1), call("f", n=3), call("f", n=2))
    assert (row.confusion, row.extra_calls) == (Confusion.TP, ("book", "f"))


@pytest.mark.requirement("D7")
def test_verdict_and_differences_do_not_depend_on_the_order_of_either_side() -> None:
    wanted = (gold("book", a=1, b=1, c=1), gold("book", a=1, b=1, c=2))
    made = (call("book", a=1, b=1, c=2), call("book", a=1, b=5, c=5))
    cases = [positive(*golds, tools=(BOOK,)) for golds in permutations(wanted)]
    rows = [graded(case, *calls) for case in cases for calls in permutations(made)]
    assert {(row.confusion, row.category, row.subtype) for row in rows} == {
        (Confusion.FN, ErrorCategory.PARAMETER_ERROR, ParameterSubtype.INCORRECT_VALUE)
    }
    assert {row.mismatches for row in rows} == {rows[0].mismatches}
    assert [(m.argument, m.gold, m.predicted) for m in rows[0].mismatches] == [("b", 1, 5), ("c", 1, 5)]


@pytest.mark.requirement("D7")
def test_pairing_is_not_greedy() -> None:
    """A first-come pairing gives the call that both could take to the gold call that has another choice."""
    flexible = tool("g", schema(n=INTEGER | {"default": 1}, m=INTEGER | {"default": 1}))
    case = positive(gold("g", n=2), gold("g", n=2, m=2), tools=(flexible,))
    row = graded(case, call("g", n=2, m=2), call("g", n=2))
    assert row.outcome is Outcome.CORRECT


@pytest.mark.requirement("P44")
def test_one_call_does_not_answer_two_equal_gold_calls() -> None:
    case = positive(gold("f", n=1), gold("f", n=1), tools=(F,))
    row = graded(case, call("f", n=1))
    assert (row.category, row.missing_tools) == (ErrorCategory.MISS_RECALL, ("f",))


@pytest.mark.requirement("D6")
def test_the_right_one_of_many_calls_is_the_one_that_is_paired() -> None:
    case = positive(gold("f", n=7), tools=(F,))
    row = graded(case, *(call("f", n=n) for n in range(40)))
    assert (row.confusion, len(row.extra_calls)) == (Confusion.TP, 39)


@pytest.mark.requirement("D7")
def test_among_wrong_pairings_the_one_with_fewest_differences_is_reported() -> None:
    case = positive(gold("book", a=1, b=9, c=9), gold("book", a=2, b=1, c=1), tools=(BOOK,))
    row = graded(case, call("book", a=1, b=1, c=1), call("book", a=2, b=9, c=9))
    assert [mismatch.argument for mismatch in row.mismatches] == ["a", "a"]
