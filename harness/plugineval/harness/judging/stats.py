"""What judging a run amounted to, in counts: how often it was asked, failed, and disagreed with itself."""

from plugineval.harness.questions import JudgeFailure, Settlement
from plugineval.pccf.values import Value


class JudgeStats(Value):
    """Counts over the distinct questions of one run; `asked` + `cached` is how often any was put."""

    asked: int = 0
    """Questions for which the model was called."""
    cached: int = 0
    """Answered from memory or from the journal."""
    equal: int = 0
    different: int = 0
    failures: dict[JudgeFailure, int] = {}
    double_judged: int = 0
    """Questions with a verdict in both orders."""
    disagreements: int = 0
    third_votes: int = 0

    @property
    def disagreement_rate(self) -> float | None:
        """Share of the questions judged in both orders whose two verdicts differ; None without any."""
        return self.disagreements / self.double_judged if self.double_judged else None


class Counting:
    """The counts as they grow."""

    def __init__(self) -> None:
        self.asked = self.cached = self.double_judged = self.disagreements = self.third_votes = 0
        self._verdicts = {"equal": 0, "different": 0, "failure": 0}
        self._failures: dict[JudgeFailure, int] = {}

    def settled(self, settlement: Settlement, *, asked: bool) -> None:
        """Count a question that was settled just now, by calling the model or out of the journal."""
        self.asked += asked
        self.cached += not asked
        self._verdicts[settlement.verdict] += 1
        if settlement.failure is not None:
            self._failures[settlement.failure] = self._failures.get(settlement.failure, 0) + 1

    def stats(self) -> JudgeStats:
        """The counts so far."""
        return JudgeStats(
            asked=self.asked,
            cached=self.cached,
            equal=self._verdicts["equal"],
            different=self._verdicts["different"],
            failures=dict(self._failures),
            double_judged=self.double_judged,
            disagreements=self.disagreements,
            third_votes=self.third_votes,
        )
