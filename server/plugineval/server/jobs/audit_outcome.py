"""What an audit ends with, in the shape that scripts read (`audit --json`); kept with its job."""

from plugineval.harness.audits.reference import ReferenceFindings
from plugineval.harness.audits.verdicts import VerdictFindings
from plugineval.pccf.values import Value


class AuditFacts(Value):
    """What is said of every audit beside its findings."""

    job_id: str
    raters: int
    """Reviews wanted of every subject."""
    reviewed: int
    prompt_hash: str
    """Of the question that models and agents were asked."""
    outside: tuple[str, ...] = ()
    """Subjects of reviews in the file that the sample does not hold."""
    calls: int = 0
    calls_replayed: int = 0
    seconds: float = 0.0
    next_step: str = ""


class ReferenceAuditOutcome(ReferenceFindings, AuditFacts):
    """The audit of a benchmark's gold (P60)."""

    benchmark_id: str
    name: str
    content_hash: str
    """Of what was audited: revised gold is another benchmark."""


class JudgeAuditOutcome(VerdictFindings, AuditFacts):
    """The audit of a run's verdicts (P61)."""

    run_id: str
    grading: str
    benchmark: str
    judge: str
    rows: int
    """Rows with a verdict; of equal answers to one case one is audited."""
    left_out: dict[str, int] = {}
    """Why rows have no verdict to be audited -> how many."""
