"""The paper's view of one row: its place in the confusion matrix and its one error category (P44 to P52, D4, D5)."""

from typing import NamedTuple

from plugineval.harness.cases import Case
from plugineval.harness.evidence import Evidence
from plugineval.harness.outcomes import Confusion, ErrorCategory, ParameterSubtype
from plugineval.harness.taxonomy import leading_subtype
from plugineval.pccf.examples import SampleType


class PaperView(NamedTuple):
    """Confusion cell and, for a failed query, category and subtype."""

    confusion: Confusion
    category: ErrorCategory | None = None
    subtype: ParameterSubtype | None = None


def paper_view(case: Case, evidence: Evidence) -> PaperView:
    """Place the row; extra calls on a positive never fail it here (D6)."""
    if case.sample_type is SampleType.POSITIVE and case.gold:
        return _positive(evidence)
    if over_recalled(case, evidence):
        return PaperView(Confusion.FP, ErrorCategory.OVER_RECALL)
    return PaperView(Confusion.TN)


def _positive(evidence: Evidence) -> PaperView:
    if evidence.missing_tools:
        return PaperView(Confusion.FN, ErrorCategory.MISS_RECALL)
    if evidence.mismatches:
        return PaperView(Confusion.FN, ErrorCategory.PARAMETER_ERROR, leading_subtype(evidence.mismatches))
    if evidence.judge_failed:
        return PaperView(Confusion.FN, ErrorCategory.JUDGE_FAILURE)
    return PaperView(Confusion.TP)


def over_recalled(case: Case, evidence: Evidence) -> bool:
    """A targeted negative fails only by its target (P46), a global one by any call (P47).

    A row of no target and no gold that calls something is counted like a global negative.
    """
    if case.sample_type is SampleType.TARGETED_NEGATIVE and case.target_tool is not None:
        return any(check.name == case.target_tool for check in evidence.checks)
    return bool(evidence.checks)
