"""A graded row as one line of verdicts: what a script needs to know of one case and one reply."""

from collections.abc import Mapping
from typing import Literal

from plugineval.harness.cases import Case
from plugineval.harness.grading import NO_CHECKS, NOTHING_SETTLED, GradingPolicy, grade_reply
from plugineval.harness.outcomes import (
    Confusion,
    ErrorCategory,
    Exclusion,
    GradedRow,
    Outcome,
    ParameterSubtype,
)
from plugineval.harness.questions import Settlement
from plugineval.harness.semantic_checks import SemanticChecks
from plugineval.pccf.examples import SampleType
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.values import Value


class RowVerdict(Value):
    """One row. `unsure` is every row without a verdict; `exclusion` says why."""

    id: str
    verdict: Literal["correct", "incorrect", "unsure"]
    category: ErrorCategory | None = None
    subtype: ParameterSubtype | None = None
    outcome: Outcome | None = None
    outcome_strict: Outcome | None = None
    rules: tuple[str, ...] = ()
    reason: str = ""
    exclusion: Exclusion | None = None


def grade_row(
    case: Case,
    reply: RouterReply,
    *,
    policy: GradingPolicy,
    settled: Mapping[str, Settlement] = NOTHING_SETTLED,
    checks: SemanticChecks = NO_CHECKS,
) -> RowVerdict:
    """The verdict on one reply."""
    return verdict_of_row(grade_reply(case, reply, policy=policy, settled=settled, checks=checks))


def verdict_of_row(row: GradedRow) -> RowVerdict:
    """The verdict in the paper's view; a call that the policy `extra_calls` refuses fails a positive too (D6)."""
    return RowVerdict.trusted(
        {
            "id": row.case_id,
            "verdict": _verdict(row),
            "category": row.category,
            "subtype": row.subtype,
            "outcome": row.outcome,
            "outcome_strict": row.outcome_strict,
            "rules": row.rules,
            "reason": row.exclusion_detail or row.reason,
            "exclusion": row.exclusion,
        }
    )


def _verdict(row: GradedRow) -> Literal["correct", "incorrect", "unsure"]:
    if row.confusion is None or row.category is ErrorCategory.JUDGE_FAILURE:
        return "unsure"
    refused = row.sample_type is SampleType.POSITIVE and row.outcome is Outcome.SPURIOUS_CALL
    return "correct" if row.confusion in {Confusion.TP, Confusion.TN} and not refused else "incorrect"
