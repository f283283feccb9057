"""What starts an audit: the sample, who reviews it, and what people have said already."""

from pathlib import Path

from pydantic import Field

from plugineval.harness.audits.opinions import Opinion
from plugineval.harness.gradings import FIRST
from plugineval.pccf.values import Value

SEED = 20260725
"""The paper's seed."""
CASES = 300
REVIEWERS = 3


class GivenReview(Value):
    """One review that was read from a file."""

    reviewer: str
    subject: str
    opinion: Opinion


class AuditWishes(Value):
    """What was said about an audit."""

    sample: int | None = Field(default=None, ge=1)
    """Cases of a reference audit; rows of all strata together of a judge audit. None: as the paper has it."""
    seed: int = SEED
    reviewers: int = Field(default=REVIEWERS, ge=1)
    models: tuple[str, ...] = ()
    """Chat models that review."""
    answers: Path | None = None
    """A file of reviews. Only the command line names one."""
    preflight: bool = True


class AuditParams(Value):
    """Who reviews, decided when the job was planned. Every reviewer answers every subject once."""

    seed: int = SEED
    models: tuple[str, ...] = ()
    given: tuple[GivenReview, ...] = ()
    agents: int = Field(default=0, ge=0)
    """Seats for connected agents."""
    preflight: bool = True

    @property
    def people(self) -> tuple[str, ...]:
        """Names in the file of reviews."""
        return tuple(dict.fromkeys(review.reviewer for review in self.given))

    @property
    def raters(self) -> int:
        """How many reviews each subject should get."""
        return len(self.models) + len(self.people) + self.agents


class ReferenceAuditParams(AuditParams):
    """Review a sample of a benchmark's gold (P60)."""

    benchmark_id: str
    cases: int = Field(default=CASES, ge=1)


class JudgeAuditParams(AuditParams):
    """Review a sample of a run's verdicts (P61)."""

    of_run: str
    grading: str = FIRST
    strata: dict[str, int]
    """Class -> rows."""
