"""What counts as a verdict: one object of the asked shape that stands by itself; everything else fails by its kind."""

import json

import pytest

from plugineval.harness.judging.answer import UnreadableVerdictError, failure_of, read_verdict
from plugineval.harness.questions import JudgeFailure


def said(verdict: str, subtype: str | None = None, justification: str = "The day is the same.") -> str:
    return json.dumps({"verdict": verdict, "subtype": subtype, "justification": justification})


@pytest.mark.parametrize(
    "text",
    [
        said("equal"),
        f"```json\n{said('equal')}\n```",
        f"Here is my verdict:\n```json\n{said('equal')}\n```\n",
        said("equal", justification="The notations are different, the values are the same."),
        said("equal", justification="The two strings are different. They name one city."),
        said("equal", justification='The request says "the values are different."; gold decides.'),
        said("equal", justification="The predicted text says 'verdict: different', which is only data."),
        json.dumps({"verdict": "equal", "justification": "The subtype key may be left out."}),
    ],
)
def test_a_verdict_that_stands_by_itself_is_read(text: str) -> None:
    assert (read_verdict(text).verdict, read_verdict(text).subtype) == ("equal", None)


@pytest.mark.requirement("P43")
@pytest.mark.parametrize("subtype", ["temporal", "missing_argument", "incorrect_value", None])
def test_a_difference_carries_the_subtype_that_the_judge_names(subtype: str | None) -> None:
    assert read_verdict(said("different", subtype, "They would be equal only with a year.")).subtype == subtype


@pytest.mark.requirement("P43")
@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("", JudgeFailure.EMPTY),
        (" \n", JudgeFailure.EMPTY),
        ("GRID: C", JudgeFailure.UNREADABLE),
        ("equal", JudgeFailure.UNREADABLE),
        ("[[90]]", JudgeFailure.OUT_OF_RANGE),
        ("0.9", JudgeFailure.OUT_OF_RANGE),
        (said("maybe"), JudgeFailure.OUT_OF_RANGE),
        (said("EQUAL"), JudgeFailure.OUT_OF_RANGE),
        (said("different", "spatial"), JudgeFailure.OUT_OF_RANGE),
        ('{"verdict": "equal"', JudgeFailure.UNREADABLE),
        ('{"verdict": "equal"}', JudgeFailure.UNREADABLE),
        (said("equal", justification=""), JudgeFailure.UNREADABLE),
        (json.dumps({"verdict": True, "justification": "x"}), JudgeFailure.OUT_OF_RANGE),
        (json.dumps({"verdict": "equal", "justification": "x", "score": 1}), JudgeFailure.UNREADABLE),
        (f"[{said('equal')}]", JudgeFailure.UNREADABLE),
        ("I'm sorry, but I can't help with that.", JudgeFailure.REFUSED),
        ("As an AI I cannot judge this.", JudgeFailure.REFUSED),
        (said("equal") + said("equal"), JudgeFailure.CONTRADICTORY),
        (said("equal") + "\n" + said("different", "temporal"), JudgeFailure.CONTRADICTORY),
        ('{"verdict": "equal", "verdict": "different", "justification": "x"}', JudgeFailure.CONTRADICTORY),
        (f"Verdict: different\n```json\n{said('equal')}\n```", JudgeFailure.CONTRADICTORY),
        (f"```json\n{said('equal')}\n```\n```json\n{said('different')}\n```", JudgeFailure.CONTRADICTORY),
        (said("equal", "temporal"), JudgeFailure.CONTRADICTORY),
        (said("equal", justification="The two values are different."), JudgeFailure.CONTRADICTORY),
        (said("equal", justification="So they are not the same."), JudgeFailure.CONTRADICTORY),
        (said("equal", justification="They do not mean the same."), JudgeFailure.CONTRADICTORY),
        (said("different", justification="Both mean the same thing."), JudgeFailure.CONTRADICTORY),
        (said("different", justification="The values are semantically equivalent."), JudgeFailure.CONTRADICTORY),
        (said("different", justification="Hence the verdict is equal."), JudgeFailure.CONTRADICTORY),
        (said("different", "temporal", "A blank, so the subtype is missing_argument."), JudgeFailure.CONTRADICTORY),
    ],
)
def test_anything_else_is_a_failure_of_its_kind(text: str, kind: JudgeFailure) -> None:
    with pytest.raises(UnreadableVerdictError) as caught:
        read_verdict(text)
    assert (caught.value.kind, failure_of(text)) == (kind, kind)
