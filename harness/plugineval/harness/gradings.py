"""Who graded a run, by which rules and against which gold. A run has one grading from its start, and others beside it.

A later grading never replaces an earlier one: each has its own rows and its own report (X9).
"""

from pydantic import AwareDatetime

from plugineval.harness.grading import GradingPolicy
from plugineval.harness.judging.config import JudgeConfig
from plugineval.harness.judging.stats import JudgeStats
from plugineval.pccf.values import Value

FIRST = "first"
"""The id of a run's own grading, made as its rows were answered."""
NO_JUDGE = "none"


class Grading(Value):
    """Who graded: the judge (`none` without one), its version, the gold, and when."""

    judge: str
    version: str = ""
    """Of the judge: the hash of its prompt; empty without one."""
    gold_hash: str = ""
    at: AwareDatetime
    id: str = FIRST
    policy: GradingPolicy = GradingPolicy()
    checks: dict[str, str] = {}
    """Tool -> where the person's own semantic check of it came from (B5)."""
    judge_config: JudgeConfig | None = None
    judge_stats: JudgeStats | None = None
    judge_outages: int = 0
    """Rows without a verdict because the judge's provider did not answer; resuming asks it again."""
    note: str = ""
    """What was revised, in words: which gold, and where it came from."""

    @property
    def title(self) -> str:
        """Judge, version and day, as a table names a grading. The judge's id is data."""
        version = f" (prompt {self.version[:12]})" if self.version else ""
        return f"{self.judge}{version}, {self.at:%Y-%m-%d %H:%M}"
