"""What a run ends with, in the shape that scripts read (`evaluate --json`), and whether anything is left of a job."""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from plugineval.harness.gradings import Grading
from plugineval.harness.matrix import ANSWERED
from plugineval.harness.model_spending import ModelSpending
from plugineval.harness.outcomes import Exclusion
from plugineval.harness.rehearsal import Rehearsed
from plugineval.harness.report import ModelReport, Report
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.values import Json, Value
from plugineval.server.jobs.drift_note import DriftNote
from plugineval.server.jobs.regrade_outcome import RegradeOutcome
from plugineval.server.jobs.verify_outcome import VerifyOutcome
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job, OutcomeCount
from plugineval.server.store.trouble_notes import Troubles

if TYPE_CHECKING:
    from plugineval.server.store.journal import Journal


class ModelOutcome(Value):
    """One model of a run."""

    id: str
    floor: str | None
    recall: float | None
    accuracy: float | None
    confusion: dict[str, int]
    outcomes: dict[str, int]
    excluded: dict[str, int]
    judge_failures: int = 0
    """Rows on which the judge failed: FN in the paper's view, and no outcome of the model (P43)."""
    rows: int
    spending: ModelSpending | None = None
    """Tokens and money; `cost` None: the price is unknown."""


class EvaluationOutcome(Value):
    """The end of a run. `rows` counts the attempts of the models under test under every variant, those without a
    verdict included.
    """

    run_id: str
    report_uri: str
    benchmark: str
    verdict: str
    rows: int
    errors: dict[str, int]
    """Rows without a verdict, by kind."""
    models: tuple[ModelOutcome, ...]
    floors: tuple[ModelOutcome, ...]
    """Degenerate models that were graded beside the models under test."""
    calls: int
    """Answers of models and judges that this process asked for; where workers measured, all of the run."""
    calls_replayed: int
    """Of what was needed, how often an answer was there already."""
    refused_cases: int = 0
    grading: Grading | None = None
    """Who graded the rows, and what came of asking the judge."""
    preflight: tuple[Rehearsed, ...] = ()
    """The first question to every model behind an endpoint, with what it took: not among `calls`, nor in the spending
    of a model.
    """
    load: dict[str, Json] = {}
    """Model -> what its endpoint made calls wait for while this process asked: tries, refusals, pauses, places."""
    limit: str = ""
    """The hard limit that was reached; empty where none was."""
    troubles: Troubles = Troubles()
    """What kept workers from shards of it."""
    drift: DriftNote | None = None
    """What moved since the run that this one repeats."""
    seconds: float

    @property
    def unanswered(self) -> dict[str, int]:
        """Reason -> rows that nothing came back for, from their model or from the judge."""
        reasons = {reason: rows for reason, rows in self.errors.items() if reason in OUTAGES}
        judge = self.grading.judge_outages if self.grading else 0
        return reasons | ({"judge_outage": judge} if judge else {})


OUTAGES = frozenset(Exclusion.of(kind) for kind in FailureKind if kind not in ANSWERED)
"""Rows that were never answered: the run is incomplete, and resuming it asks for them again."""


def nothing_left(job: Job) -> bool:
    """Whether resuming a job would do nothing: it is completed, and every row of it was answered."""
    if job.state is not JobState.COMPLETED:
        return False
    if job.kind == "regrade":
        return not RegradeOutcome.model_validate(job.result).unanswered
    if job.kind == "verify":
        return not VerifyOutcome.model_validate(job.result).unreachable
    return job.kind != "evaluate" or not EvaluationOutcome.model_validate(job.result).unanswered


def model_outcome(model: ModelReport) -> ModelOutcome:
    """One model of a report, as scripts read it."""
    return ModelOutcome(
        id=model.id,
        floor=model.floor,
        recall=model.recall.value,
        accuracy=model.accuracy.value,
        confusion={name.value: count for name, count in model.confusion.items()},
        outcomes={name.value: count for name, count in model.outcomes.items()},
        excluded={name.value: count for name, count in model.exclusions.items()},
        judge_failures=model.errors.judge_failure.numerator,
        rows=model.rows,
        spending=model.spending,
    )


def evaluation_outcome(
    report: Report, counts: Iterable[OutcomeCount], journal: "Journal", *, seconds: float
) -> EvaluationOutcome:
    """The end of a run, read off its report and the counts of its rows, variants included.

    A floor that was asked for by name is a model like any other.
    """
    asked = report.run.config.models
    models = [model_outcome(model) for model in report.models]
    errors: Counter[str] = Counter()
    rows = 0
    for count in counts:
        rows += count.rows
        if count.exclusion is not None:
            errors[count.exclusion.value] += count.rows
    return EvaluationOutcome(
        run_id=report.run.id,
        report_uri=f"plugineval://reports/{report.run.id}",
        benchmark=report.run.scope.benchmark,
        verdict=report.verdict.sentence,
        rows=rows,
        errors=dict(sorted(errors.items())),
        models=tuple(model for model in models if model.id in asked),
        floors=tuple(model for model in models if model.id not in asked),
        calls=journal.made.total(),
        calls_replayed=journal.replayed.total(),
        grading=report.grading,
        seconds=round(seconds, 3),
    )
