"""The harness's view of one row: the six outcomes, in the order in which they are ruled out (B1, B3).

Two readings of one row: with lossless coercion allowed, and strict, where every broken schema rule is one (D14).
"""

from plugineval.harness.cases import Case
from plugineval.harness.evidence import Evidence
from plugineval.harness.outcomes import Outcome
from plugineval.harness.policies import ExtraCalls
from plugineval.pccf.examples import SampleType


def outcome_of(case: Case, evidence: Evidence, extra_calls: ExtraCalls, *, strict: bool = False) -> Outcome:
    """The outcome; with several gold calls, `wrong_tool` means that what was called is not all that is required.

    A call beyond a right answer is a `spurious_call` only where the policy `extra_calls` refuses it (D6), or where it
    is the very target that a negative forbids.
    """
    if not evidence.checks:
        return Outcome.NO_CALL if case.gold else Outcome.CORRECT
    if not case.gold:
        return Outcome.SPURIOUS_CALL
    if evidence.missing_tools:
        return Outcome.WRONG_TOOL
    if evidence.violations if strict else evidence.blamed:
        return Outcome.INVALID_ARGS
    if evidence.mismatches:
        return Outcome.VALID_BUT_WRONG
    return Outcome.SPURIOUS_CALL if _refused(case, evidence, extra_calls) else Outcome.CORRECT


def _refused(case: Case, evidence: Evidence, extra_calls: ExtraCalls) -> bool:
    forbidden = case.target_tool if case.sample_type is SampleType.TARGETED_NEGATIVE else None
    if any(check.name == forbidden for check in evidence.checks):
        return True
    match extra_calls:
        case "ignore":
            return False
        case "read_only":
            return any(not check.read_only for check in evidence.extra)
        case "forbid":
            return bool(evidence.extra)
