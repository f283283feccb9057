"""Levels 1 and 2 before any proposal (P1, P2, P9): only a query that is positive at both is worth generators."""

from collections.abc import Sequence
from typing import Literal

from plugineval.pccf.labels import Label, label_of
from plugineval.pccf.records import LevelVote
from plugineval.pccf.values import Value


class LevelFinding(Value):
    """What the votes settle without proposals: a negative label, or a rejection because the annotators disagree."""

    verdict: Literal["accepted", "rejected"]
    reason: str
    label: Label | None = None


def settled_by(votes: Sequence[LevelVote]) -> LevelFinding | None:
    """The finding of `votes`, or None where proposals are due: every vote is positive, or there are none.

    A level counts only when its votes agree. Level 2 is not looked at where level 1 is negative (P7).
    """
    for level, negative in ((1, label_of(0, 0, None)), (2, label_of(1, 0, None))):
        answers = {vote.positive for vote in votes if vote.level == level}
        if len(answers) > 1:
            return LevelFinding(verdict="rejected", reason=f"the annotators disagree at level {level}")
        if answers == {False}:
            return LevelFinding(verdict="accepted", reason=f"negative at level {level}", label=negative)
    return None
