"""The harness's view of one row: the six outcomes, in the order in which they are ruled out (B1, B3).

Two readings of one row: with lossless coercion allowed, and strict, where every broken schema rule is one (D14).
"""

from typing import NamedTuple

from plugineval.harness.cases import Case
from plugineval.harness.evidence import Evidence
from plugineval.harness.outcomes import Outcome
from plugineval.harness.policies import ExtraCalls
from plugineval.pccf.examples import SampleType


class Outcomes(NamedTuple):
    """The two readings."""

    outcome: Outcome
    strict: Outcome


def outcomes_of(case: Case, evidence: Evidence, extra_calls: ExtraCalls) -> Outcomes:
    """The outcome in both readings; with several gold calls, `wrong_tool` means that what was called is not all that is
    required.

    A call beyond a right answer is a `spurious_call` only where the policy `extra_calls` refuses it (D6), or where it
    is the very target that a negative forbids.
    """
    found = _before_arguments(case, evidence)
    if found is not None or evidence.blamed:
        found = found or Outcome.INVALID_ARGS
        return Outcomes(found, found)
    if evidence.mismatches:
        found = Outcome.VALID_BUT_WRONG
    else:
        found = Outcome.SPURIOUS_CALL if _refused(case, evidence, extra_calls) else Outcome.CORRECT
    return Outcomes(found, Outcome.INVALID_ARGS if evidence.violations else found)


def _before_arguments(case: Case, evidence: Evidence) -> Outcome | None:
    """What rules the row out before its arguments are looked at."""
    if not evidence.checks:
        return Outcome.NO_CALL if case.gold else Outcome.CORRECT
    if not case.gold:
        return Outcome.SPURIOUS_CALL
    return Outcome.WRONG_TOOL if evidence.missing_tools else None


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
