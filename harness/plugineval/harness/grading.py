"""Grade one attempt: exclusions first, then evidence, then both views derived from the same row.

Pure: the same case, attempt and policy give the same row, so stored runs can be graded again without a call (X9).
"""

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case, ExtraCalls
from plugineval.harness.confusion import PaperView, over_recalled, paper_view
from plugineval.harness.evidence import Evidence, examine
from plugineval.harness.explanation import reason_of
from plugineval.harness.outcomes import Exclusion, GradedRow
from plugineval.harness.run import RunConfig
from plugineval.harness.six_outcomes import outcome_of
from plugineval.pccf.examples import SampleType
from plugineval.pccf.values import Value


class GradingPolicy(Value):
    """What may be decided either way; printed in the report."""

    extra_calls: ExtraCalls = "ignore"

    @classmethod
    def of(cls, config: RunConfig) -> "GradingPolicy":
        """The policy of a run."""
        return cls(extra_calls=config.extra_calls)


def grade(case: Case, attempt: Attempt, *, policy: GradingPolicy) -> GradedRow:
    """The graded row of one attempt: a verdict in both views, or an exclusion with its reason.

    A failure of the provider or of the parser never becomes a verdict (E3, E6). Nothing expected and nothing called on
    a row that is not declared negative is `both_empty` (D3).
    """
    row = GradedRow(
        case_id=case.id,
        model=attempt.model,
        repeat=attempt.repeat,
        sample_type=case.sample_type,
        scenario_kind=case.scenario_kind,
        difficulty=case.difficulty,
    )
    reply = attempt.reply
    if reply.failure is not None:
        return _excluded(row, Exclusion.of(reply.failure.kind), reply.failure.detail)
    if case.sample_type is SampleType.POSITIVE and not case.gold and not reply.calls:
        return _excluded(row, Exclusion.BOTH_EMPTY, "nothing expected, nothing called, not declared a negative")
    return _graded(row, case, examine(case, reply.calls), policy)


def _excluded(row: GradedRow, exclusion: Exclusion, detail: str) -> GradedRow:
    reason = f"excluded: {exclusion.value}"
    return row.model_copy(update={"exclusion": exclusion, "exclusion_detail": detail, "reason": reason})


def _graded(row: GradedRow, case: Case, evidence: Evidence, policy: GradingPolicy) -> GradedRow:
    view: PaperView = paper_view(case, evidence)
    outcome = outcome_of(case, evidence, policy.extra_calls)
    checks = evidence.checks
    return row.model_copy(
        update={
            "outcome": outcome,
            "confusion": view.confusion,
            "category": view.category,
            "subtype": view.subtype,
            "called": bool(checks),
            "right_tools": not evidence.missing_tools if case.gold else not over_recalled(case, evidence),
            "schema_valid": bool(checks) and not any(check.violations for check in checks),
            "mismatches": evidence.mismatches,
            "violations": tuple(found for check in checks for found in check.violations),
            "missing_tools": evidence.missing_tools,
            "extra_calls": tuple(check.name for check in evidence.extra),
            "unsafe_extra_calls": tuple(check.name for check in evidence.extra if not check.read_only),
            "coerced": evidence.coerced,
            "unknown_arguments": tuple(name for check in checks for name in check.unknown),
            "reason": reason_of(outcome, case, evidence),
        }
    )
