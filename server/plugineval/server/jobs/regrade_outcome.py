"""What a regrading ends with, in the shape that scripts read: both gradings side by side, and the judges too."""

from plugineval.harness.gradings import Grading
from plugineval.harness.judging.agreement import JudgeAgreement
from plugineval.harness.regrading import Regrading
from plugineval.pccf.values import Value


class RegradeOutcome(Value):
    """The end of a regrading; the report of the new grading has an address of its own."""

    run_id: str
    grading_id: str
    report_uri: str
    verdict: str
    """Of the new report."""
    rows: int
    against: Grading
    grading: Grading
    side_by_side: Regrading
    judges: JudgeAgreement | None = None
    """Both judges on the questions that both were asked; None unless both gradings had one."""
    calls: int
    """Calls of the judge. No model under test is called."""
    calls_replayed: int
    seconds: float

    @property
    def unanswered(self) -> int:
        """Rows that the judge's provider left open: resuming asks for them again."""
        return self.grading.judge_outages
