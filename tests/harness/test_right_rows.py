"""The short way to a right row says what the long way says."""

from unittest.mock import patch

import pytest

from doubles.harness import INTEGER, TEXT, call, gold, graded, positive, schema, tool
from plugineval.harness import grading
from plugineval.harness.cases import Case
from plugineval.harness.outcomes import GradedRow, Outcome
from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.routing import EmittedCall

OPEN = tool("open", schema(a=INTEGER, b=TEXT))
CLOSED = tool("closed", schema(a=INTEGER, closed=True))
LISTED = GoldCall(tool="open", arguments={"a": 1}, accepted={"a": Accepted(values=(1, 2))})


def the_long_way(case: Case, *calls: EmittedCall) -> GradedRow:
    with patch.object(grading, "right_row", return_value=None):
        return graded(case, *calls)


@pytest.mark.requirement("P45", "B1", "B9")
@pytest.mark.parametrize(
    ("case", "calls"),
    [
        (positive(gold("open", a=1), tools=(OPEN,)), [call("open", a=1)]),
        (
            positive(gold("open", a=1), gold("closed", a=2), tools=(OPEN, CLOSED)),
            [call("open", a=1), call("closed", a=2)],
        ),
        (
            positive(gold("open", a=1), gold("closed", a=2), tools=(OPEN, CLOSED)),
            [call("closed", a=2), call("open", a=1)],
        ),
        (positive(LISTED, tools=(OPEN,)), [call("open", a=2)]),
        (positive(gold("open", a=1, c=3), tools=(OPEN,)), [call("open", a=1, c=3)]),
        (positive(gold("closed", a="x"), tools=(CLOSED,)), [call("closed", a="x")]),
        (positive(gold("open", a=1), tools=(OPEN,)), [call("srv__open", a=1)]),
        (positive(gold("open", a=1), tools=(OPEN,)), [call("open", a=1.0)]),
        (positive(gold("open", a=1), tools=(OPEN,)), [call("open", a=True)]),
    ],
)
def test_both_ways_give_the_same_row(case: Case, calls: list[EmittedCall]) -> None:
    short = graded(case, *calls)
    assert short == the_long_way(case, *calls)
    assert short.model_dump(mode="json") == the_long_way(case, *calls).model_dump(mode="json")


def test_a_row_that_is_right_to_the_letter_takes_the_short_way() -> None:
    with patch.object(grading, "examine", side_effect=AssertionError):
        assert graded(positive(gold("open", a=1), tools=(OPEN,)), call("open", a=1)).outcome is Outcome.CORRECT
