"""One sentence that says why a row has its outcome, short enough for a table."""

import json

from plugineval.harness.cases import Case
from plugineval.harness.evidence import Evidence
from plugineval.harness.outcomes import Mismatch, Outcome
from plugineval.pccf.records import SchemaViolation
from plugineval.pccf.values import Json

_WIDTH = 60
_WRITTEN = json.JSONEncoder(ensure_ascii=False).encode


def reason_of(outcome: Outcome, case: Case, evidence: Evidence) -> str:
    """Why; empty for a plainly correct row."""
    match outcome:
        case Outcome.VALID_BUT_WRONG:
            return "; ".join(map(_difference, evidence.mismatches[:3]))
        case Outcome.INVALID_ARGS:
            return "; ".join(map(_violation, evidence.blamed[:3]))
        case Outcome.WRONG_TOOL:
            return f"called {_called(evidence)}; not called: {', '.join(evidence.missing_tools)}"
        case Outcome.NO_CALL:
            return f"nothing called; expected {_names(case)}"
        case Outcome.SPURIOUS_CALL:
            return f"called {_called(evidence)}; expected {_names(case) or 'no call'}"
        case Outcome.CORRECT:
            return f"extra calls: {', '.join(check.name for check in evidence.extra)}" if evidence.extra else ""


def _called(evidence: Evidence) -> str:
    return ", ".join(dict.fromkeys(check.name for check in evidence.checks))


def judge_failure_reason(evidence: Evidence) -> str:
    """What no judge could settle."""
    failed = [finding for comparison in evidence.comparisons for finding in comparison.failed]
    return "; ".join(f"{finding.path}: {finding.rule} gave no verdict" for finding in failed[:3])


def _names(case: Case) -> str:
    return ", ".join(dict.fromkeys(gold.tool for gold in case.gold))


def _violation(found: SchemaViolation) -> str:
    return f"{found.path}: {found.message}" if found.path else found.message


def _difference(mismatch: Mismatch) -> str:
    argument, gold, predicted = mismatch.argument or "arguments", mismatch.gold, mismatch.predicted
    if gold is not None:
        return f"{argument}: {_short(predicted)} instead of {_short(gold)}"
    why = mismatch.reason or mismatch.rule
    return f"{argument}: {why}" if predicted is None else f"{argument}: {_short(predicted)}, {why}"


def _short(value: Json) -> str:
    text = str(value) if type(value) is int else _WRITTEN(value)
    return text if len(text) <= _WIDTH else text[: _WIDTH - 1] + "…"
