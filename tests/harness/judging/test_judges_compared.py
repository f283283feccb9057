"""Two judges side by side: a table of who says what, and their agreement where both gave a verdict."""

from typing import Literal

import pytest

from plugineval.harness.judging import compare_judges
from plugineval.harness.outcomes import ParameterSubtype
from plugineval.harness.questions import Settlement


def settled(
    judge: str, verdict: Literal["equal", "different", "failure"], subtype: ParameterSubtype | None = None
) -> Settlement:
    return Settlement(verdict=verdict, subtype=subtype, judge=judge)


@pytest.mark.requirement("X9")
def test_the_table_counts_common_questions_and_names_what_is_left_out() -> None:
    temporal, wrong = ParameterSubtype.TEMPORAL, ParameterSubtype.INCORRECT_VALUE
    first = {
        "1": settled("a", "equal"),
        "2": settled("a", "different", temporal),
        "3": settled("a", "different", temporal),
        "4": settled("a", "failure"),
        "5": settled("a", "equal"),
    }
    second = {
        "1": settled("b", "equal"),
        "2": settled("b", "different", wrong),
        "3": settled("b", "equal"),
        "4": settled("b", "equal"),
        "6": settled("b", "equal"),
        "7": settled("b", "equal"),
    }
    found = compare_judges(first, second)
    assert (found.first, found.second) == ("a", "b")
    assert (found.common, found.only_first, found.only_second) == (4, 1, 2)
    assert found.table["different"] == {"equal": 1, "different": 1, "failure": 0}
    assert found.table["failure"] == {"equal": 1, "different": 0, "failure": 0}
    assert found.subtypes["temporal"]["incorrect_value"] == 1
    assert found.agreement.subjects == 3
    assert found.agreement.observed == pytest.approx(2 / 3)


def test_judges_without_a_common_question_agree_on_nothing() -> None:
    found = compare_judges({"1": settled("a", "equal")}, {})
    assert (found.common, found.agreement.observed, found.second) == (0, None, "")
