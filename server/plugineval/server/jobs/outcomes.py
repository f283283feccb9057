"""What a construction ends with, in the shape that scripts read: the object of `build --json`."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from plugineval.pccf.construction.results import ConstructionResult
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Benchmark, Difficulty
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.values import Json, Value
from plugineval.server.jobs.estimating import Spending
from plugineval.server.jobs.reasons import Reason
from plugineval.server.jobs.stop_reasons import stopped_because
from plugineval.server.wording import counted, tallied

if TYPE_CHECKING:
    from plugineval.server.store.journal import Journal


NO_POSITIVES = "No example expects a call: this benchmark cannot tell whether a model calls the tools right"


class RoundOutcome(Value):
    """One round of the loop."""

    number: int
    deficit_before: int
    deficit_after: int
    accepted: int
    """Examples of the benchmark that were verified in this round."""
    surplus: int
    """Verified as well, but of a scenario and difficulty that had enough."""
    rejected: int
    undecided: int
    filtered: dict[str, int]


class UnitOutcome(Value):
    """One coverage unit."""

    budget: int
    verified: int
    deficit: int


class Contents(Value):
    """What a benchmark holds, in counts."""

    examples: int
    positives: int
    negatives: dict[str, int]
    """Kind of exclusion -> examples."""
    difficulties: dict[str, int]

    @property
    def told(self) -> str:
        """One line of it."""
        return (
            f"{counted(self.examples, 'example')}: {counted(self.positives, 'positive')}, negatives "
            f"{tallied(self.negatives)}; difficulty {tallied(self.difficulties)}"
        )

    @classmethod
    def of(cls, benchmark: Benchmark) -> "Contents":
        """The contents of a benchmark."""
        kinds = {scenario.id: scenario.kind for scenario in benchmark.scenarios}
        found = Counter(kinds[example.scenario] for example in benchmark.examples)
        levels = Counter(example.difficulty for example in benchmark.examples)
        return cls(
            examples=len(benchmark.examples),
            positives=found[ScenarioKind.TRIGGER],
            negatives={kind.value: found[kind] for kind in ScenarioKind if not kind.positive},
            difficulties={level.value: levels[level] for level in Difficulty},
        )


class BuildOutcome(Contents):
    """The end of a construction; `accepted` is the number of examples in the benchmark, also summed over rounds."""

    benchmark_id: str
    job_id: str = ""
    name: str
    stop_reason: str
    stopped: str = ""
    """The same for people."""
    rounds: tuple[RoundOutcome, ...]
    accepted: int
    surplus: int
    """Verified candidates that the benchmark had no place for; their records are kept."""
    rejected: int
    undecided: int
    filtered: dict[str, int]
    reasons: tuple[Reason, ...] = ()
    """Why candidates were rejected or stayed undecided, the most frequent first."""
    stand_ins: int = 0
    """Examples of the right kind and another difficulty, where none of the difficulty asked for was found."""
    coverage: dict[str, UnitOutcome]
    skipped_tools: dict[str, str]
    """Tool -> why it has no positive examples."""
    roles: dict[str, str]
    calls: int
    """Model and plugin calls made by this process."""
    calls_by_stage: dict[str, int]
    calls_replayed: int
    """Calls that an earlier, interrupted process had already made."""
    spending: Spending | None = None
    """What was estimated and what was spent, over all restarts; None in what an older version wrote."""


def round_outcomes(benchmark: Benchmark, rounds: Sequence[ConstructionRound]) -> tuple[RoundOutcome, ...]:
    """The rounds, with what of each is in the benchmark."""
    chosen = Counter(CoverageUnit.round_of(example.gap) for example in benchmark.examples)
    return tuple(
        RoundOutcome(
            number=done.number,
            deficit_before=done.deficit_before,
            deficit_after=done.deficit_after,
            accepted=chosen[done.number],
            surplus=done.accepted - chosen[done.number],
            rejected=done.rejected,
            undecided=done.undecided,
            filtered=done.filtered_by_reason,
        )
        for done in rounds
    )


def stand_ins_told(deficit: int, stand_ins: int) -> str:
    """How a deficit and a full benchmark go together; empty where nothing is missing."""
    if not deficit:
        return ""
    line = f"{counted(deficit, 'place')} got no example of the scenario and difficulty asked for (the deficit)"
    if not stand_ins:
        return line
    return f"{line}; stand-ins, verified examples of the same kind, fill {stand_ins} of {deficit}"


def build_outcome(
    result: ConstructionResult,
    journal: "Journal",
    reasons: tuple[Reason, ...] = (),
    spending: Spending | None = None,
) -> Json:
    """The JSON object of a finished construction."""
    benchmark = result.benchmark
    outcome = BuildOutcome(
        benchmark_id=benchmark.id,
        job_id=journal.scope,
        name=benchmark.name,
        stop_reason=benchmark.stop_reason,
        stopped=stopped_because(benchmark.stop_reason, benchmark.config),
        rounds=round_outcomes(benchmark, result.rounds),
        accepted=len(benchmark.examples),
        surplus=result.counts.accepted - len(benchmark.examples),
        rejected=result.counts.rejected,
        undecided=result.counts.undecided,
        filtered=result.counts.filtered,
        reasons=reasons,
        stand_ins=len(result.stand_ins),
        coverage={
            row.unit.key: UnitOutcome(budget=row.budget, verified=row.verified, deficit=row.deficit)
            for row in result.coverage.rows
        },
        skipped_tools={skipped.tool: skipped.reason for skipped in result.skipped},
        roles=benchmark.roles,
        calls=journal.made.total(),
        calls_by_stage=dict(sorted(journal.made.items())),
        calls_replayed=journal.replayed.total(),
        spending=spending,
        **dict(Contents.of(benchmark)),
    )
    return outcome.model_dump(mode="json")
