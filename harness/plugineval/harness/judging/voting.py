"""From votes to a settlement: one verdict, two that agree, a majority of three, or no verdict at all."""

from collections.abc import Sequence
from typing import Literal, TypeAlias

from plugineval.harness.parameter_subtypes import ParameterSubtype
from plugineval.harness.questions import JudgeFailure, Settlement
from plugineval.pccf.routing import Failure
from plugineval.pccf.values import Value

_Verdict: TypeAlias = Literal["equal", "different"]
_VERDICTS: tuple[_Verdict, ...] = ("equal", "different")


class Vote(Value):
    """One answer of the judge, as the journal keeps it. Without a verdict, `problem` says in which way."""

    verdict: _Verdict | None = None
    subtype: ParameterSubtype | None = None
    justification: str = ""
    problem: JudgeFailure | None = None
    raw: str = ""
    failure: Failure | None = None
    """An outage: never recorded."""


def disagree(votes: Sequence[Vote]) -> bool:
    """Whether two verdicts were given and differ."""
    return len({vote.verdict for vote in votes if vote.verdict}) > 1


def settlement_of(votes: Sequence[Vote], *, judge: str, prompt_hash: str) -> Settlement:
    """What `votes` amount to: the verdict that more than half of them give."""
    outage = next((vote.failure for vote in votes if vote.failure), None)
    if outage is not None:
        return _none(JudgeFailure.OUTAGE, f"{outage.kind.value}: {outage.detail}", votes, judge, prompt_hash)
    verdict: _Verdict | None = next(
        (said for said in _VERDICTS if 2 * sum(vote.verdict == said for vote in votes) > len(votes)), None
    )
    if verdict is None:
        problem = next((vote.problem for vote in votes if vote.problem), JudgeFailure.DISAGREEMENT)
        return _none(problem, "", votes, judge, prompt_hash)
    carrying = [vote for vote in votes if vote.verdict == verdict]
    order = list(ParameterSubtype)
    subtypes = sorted((vote.subtype for vote in carrying if vote.subtype), key=order.index)
    chosen = next((vote for vote in carrying if subtypes and vote.subtype == subtypes[0]), carrying[0])
    return Settlement(
        verdict=verdict,
        subtype=chosen.subtype,
        justification=chosen.justification,
        judge=judge,
        prompt_hash=prompt_hash,
    )


def _none(kind: JudgeFailure, reason: str, votes: Sequence[Vote], judge: str, prompt_hash: str) -> Settlement:
    raw = "\n\n".join(vote.raw for vote in votes if vote.raw)
    return Settlement(
        verdict="failure", failure=kind, justification=reason, judge=judge, prompt_hash=prompt_hash, raw=raw
    )
