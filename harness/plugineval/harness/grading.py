"""Grade one attempt: exclusions first, then evidence, then both views derived from the same row.

Pure: the same case, attempt, policy and settlements give the same row, so stored runs can be graded again without a
call (X9). A row that is wrong whatever is still open asks nobody; one that hangs on an open value has no verdict until
a judge has settled it.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Protocol

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.comparing import Comparing
from plugineval.harness.confusion import over_recalled, paper_view
from plugineval.harness.evidence import CallCheck, Evidence, examine
from plugineval.harness.explanation import judge_failure_reason, reason_of
from plugineval.harness.outcomes import Exclusion, GradedRow
from plugineval.harness.policies import ExtraCalls, Meaning
from plugineval.harness.questions import JudgeQuestion, Settlement
from plugineval.harness.right_rows import right_row
from plugineval.harness.run import RunConfig
from plugineval.harness.semantic_checks import SemanticChecks
from plugineval.harness.six_outcomes import outcomes_of
from plugineval.pccf.examples import SampleType
from plugineval.pccf.records import SchemaViolation
from plugineval.pccf.routing import EmittedCall, Failure
from plugineval.pccf.values import Value

NOTHING_SETTLED: Mapping[str, Settlement] = MappingProxyType({})
NO_CHECKS: SemanticChecks = MappingProxyType({})


class GradingPolicy(Value):
    """What may be decided either way; printed in the report."""

    extra_calls: ExtraCalls = "ignore"
    meaning: Meaning = "settle"

    @classmethod
    def of(cls, config: RunConfig) -> "GradingPolicy":
        """The policy of a run."""
        return cls(extra_calls=config.extra_calls, meaning=config.meaning)


def grade(
    case: Case,
    attempt: Attempt,
    *,
    policy: GradingPolicy,
    settled: Mapping[str, Settlement] = NOTHING_SETTLED,
    checks: SemanticChecks = NO_CHECKS,
) -> GradedRow:
    """The graded row of one attempt: a verdict in both views, or an exclusion with its reason.

    `settled` maps a question's key to its settlement; `checks` are the user's own, by tool (B5). A failure of the
    provider or of the parser never becomes a verdict (E3, E6). Nothing expected and nothing called on a row that is
    not declared negative is `both_empty` (D3).
    """
    identity: dict[str, object] = {
        "case_id": case.id,
        "model": attempt.model,
        "repeat": attempt.repeat,
        "variant": attempt.variant,
    }
    return _row(identity, case, attempt.reply, policy, settled, checks)


class Answer(Protocol):
    """What grading needs of a reply."""

    @property
    def calls(self) -> tuple[EmittedCall, ...]:
        """The calls, in order."""
        ...

    @property
    def failure(self) -> Failure | None:
        """The boundary that broke, where one did."""
        ...


def grade_reply(
    case: Case,
    reply: Answer,
    *,
    policy: GradingPolicy,
    settled: Mapping[str, Settlement] = NOTHING_SETTLED,
    checks: SemanticChecks = NO_CHECKS,
) -> GradedRow:
    """The same for a reply that belongs to no run: `model` is empty."""
    return _row({"case_id": case.id, "model": "", "repeat": 0}, case, reply, policy, settled, checks)


def open_questions(
    case: Case,
    attempt: Attempt,
    *,
    policy: GradingPolicy,
    settled: Mapping[str, Settlement] = NOTHING_SETTLED,
    checks: SemanticChecks = NO_CHECKS,
) -> tuple[JudgeQuestion, ...]:
    """What a judge must still settle; empty for a row that has its verdict. Answers may raise further questions,
    where they change which call answers which.
    """
    return grade(case, attempt, policy=policy, settled=settled, checks=checks).questions


def _row(
    identity: dict[str, object],
    case: Case,
    reply: Answer,
    policy: GradingPolicy,
    settled: Mapping[str, Settlement],
    checks: SemanticChecks,
) -> GradedRow:
    identity |= {
        "sample_type": case.sample_type,
        "scenario_kind": case.scenario_kind,
        "difficulty": case.difficulty,
    }
    failure, calls = reply.failure, reply.calls
    if failure is not None:
        return GradedRow.trusted({**_BLANK, **identity, **_excluded(Exclusion.of(failure.kind), failure.detail)})
    if not calls and not case.gold and case.sample_type is SampleType.POSITIVE:
        detail = "nothing expected, nothing called, not declared a negative"
        return GradedRow.trusted({**_BLANK, **identity, **_excluded(Exclusion.BOTH_EMPTY, detail)})
    comparing = Comparing(case, meaning=policy.meaning, settled=settled, checks=checks)
    if right := right_row(identity, case, calls, comparing):
        return right
    evidence = examine(case, calls, comparing)
    facts, verdict = _facts(case, evidence), _verdict(case, evidence, comparing, policy)
    return GradedRow.trusted({**_BLANK, **identity, **facts, **verdict})


_BLANK = vars(GradedRow(case_id="", model="", repeat=0, sample_type=SampleType.POSITIVE))
"""Every field as it is where nothing was found. What is laid over it was made by rules here, of checked values."""


def _excluded(exclusion: Exclusion, detail: str) -> dict[str, object]:
    return {"exclusion": exclusion, "exclusion_detail": detail, "reason": f"excluded: {exclusion.value}"}


def _verdict(case: Case, evidence: Evidence, comparing: Comparing, policy: GradingPolicy) -> dict[str, object]:
    if not evidence.decided:
        if evidence.crashed:
            return _excluded(Exclusion.CHECK_FAILED, evidence.crashed)
        if doubts := evidence.doubts:
            questions = tuple(comparing.question(tool, finding) for tool, finding in doubts)
            detail = "; ".join(f"{finding.path}: {finding.reason}" for _, finding in doubts)
            return _excluded(Exclusion.UNSURE, detail) | {"questions": questions}
    view = paper_view(case, evidence)
    verdict: dict[str, object] = {"confusion": view.confusion, "category": view.category, "subtype": view.subtype}
    if evidence.judge_failed and not evidence.decided:
        return verdict | {"reason": judge_failure_reason(evidence)}
    outcome, strict = outcomes_of(case, evidence, policy.extra_calls)
    verdict["outcome"], verdict["outcome_strict"] = outcome, strict
    verdict["reason"] = reason_of(outcome, case, evidence)
    return verdict


def _facts(case: Case, evidence: Evidence) -> dict[str, object]:
    """What is known of the row whatever its verdict; nothing is said of what was not found."""
    checks, extra = evidence.checks, evidence.extra
    found: dict[str, object] = {
        "called": bool(checks),
        "right_tools": not evidence.missing_tools if case.gold else not over_recalled(case, evidence),
        "mismatches": evidence.mismatches,
        "missing_tools": evidence.missing_tools,
        "duplicate_calls": evidence.duplicates,
        "coerced": evidence.coerced,
        "rules": evidence.rules,
    }
    violations: list[SchemaViolation] = []
    unknown: list[str] = []
    renamed: list[str] = []
    for check in checks:
        violations += check.violations
        unknown += check.unknown
        if check.emitted != check.name:
            renamed.append(f"{check.emitted} -> {check.name}")
    found["schema_valid"] = bool(checks) and not violations
    for name, listed in (("violations", violations), ("unknown_arguments", unknown), ("renamed_calls", renamed)):
        if listed:
            found[name] = tuple(listed)
    if judged := [judged for comparison in evidence.comparisons for judged in comparison.judged]:
        found["judged"] = tuple(judged)
    return found | _extra_facts(extra) if extra else found


def _extra_facts(extra: Sequence[CallCheck]) -> dict[str, object]:
    return {
        "extra_calls": tuple([check.name for check in extra]),
        "unsafe_extra_calls": tuple([check.name for check in extra if not check.read_only]),
    }
