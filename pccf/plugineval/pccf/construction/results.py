"""What a construction ends with: the benchmark, why it stopped, and everything that is not in the benchmark."""

from enum import StrEnum

from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.coverage.catalog import RefusedScenario, SkippedTool
from plugineval.pccf.coverage.deficits import CoverageTable
from plugineval.pccf.coverage.standins import StandIn
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Benchmark, Example
from plugineval.pccf.values import Value


class StopReason(StrEnum):
    """Why the loop ended by itself (P35)."""

    BUDGETS_MET = "budgets_met"
    GAIN_BELOW_THRESHOLD = "gain_below_threshold"
    """For `patience` rounds in a row; also where the writer has nothing new to write, or all that is missing is out of
    reach."""
    SYNTHESIS_BUDGET_EXHAUSTED = "synthesis_budget_exhausted"
    CALL_LIMIT = "call_limit"
    """`limits.calls`, like the next three a hard limit that a person set; all that was verified is kept."""
    TOKEN_LIMIT = "token_limit"
    COST_LIMIT = "cost_limit"
    TIME_LIMIT = "time_limit"
    SINGLE_SHOT = "single_shot"
    """`closed_loop` is off: one round was asked for (P64)."""
    ROUND_LIMIT = "round_limit"
    """`max_loop_rounds`: a guard, not one of the paper's reasons."""


class Incomplete(Value):
    """The loop ended because of an outage; what was decided is kept, and the job can be resumed."""

    cause: str
    next_step: str = "resume the job; recorded calls are not made again"


class Counts(Value):
    """Candidates of all rounds: `candidates` = accepted + rejected + undecided + filtered."""

    candidates: int = 0
    accepted: int = 0
    rejected: int = 0
    undecided: int = 0
    disputed: int = 0
    """Of the rejected."""
    strengthened: int = 0
    harder: int = 0
    filtered: dict[str, int] = {}
    """Reason -> number."""


class ConstructionResult(Value):
    """Exactly one of `stop_reason` and `incomplete` is set."""

    benchmark: Benchmark
    rounds: tuple[ConstructionRound, ...] = ()
    stop_reason: StopReason | None = None
    incomplete: Incomplete | None = None
    coverage: CoverageTable = CoverageTable()
    counts: Counts = Counts()
    skipped: tuple[SkippedTool, ...] = ()
    refused: tuple[RefusedScenario, ...] = ()
    surplus: tuple[Example, ...] = ()
    """Verified examples that fill no budget; those that are in `stand_ins` are in the benchmark all the same."""
    stand_ins: tuple[StandIn, ...] = ()
    seeds_covered: tuple[CoverageUnit, ...] = ()
    """Units that verified real queries are in: what the coverage multiple is measured against (D10)."""

    @property
    def verified(self) -> tuple[Example, ...]:
        """Every verified example, each once."""
        every = (*self.benchmark.examples, *self.surplus)
        return tuple({example.id: example for example in every}.values())
