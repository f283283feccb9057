"""What a construction ends with, in the shape that scripts read: the object of `build --json`."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from plugineval.harness.construction_measures import coverage_multiple, difficulty_deviation
from plugineval.harness.rehearsal import Rehearsed
from plugineval.pccf.construction.results import ConstructionResult
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.coverage.deficits import GridRow, deficits_by_kind, grid_of
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Benchmark, Difficulty, Example
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.values import Json, Value
from plugineval.server.jobs.estimating import Spending
from plugineval.server.jobs.reasons import Reason
from plugineval.server.jobs.snapshots import SNAPSHOT
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
    disputed: int = 0
    """Of the rejected: those on which annotators disagree."""
    strengthened: int = 0
    """Harder wordings of negatives that proved too easy."""
    harder: int = 0
    """Those of them that proved harder."""
    moved: int = 0
    """Examples that were asked of another scenario from then on, because none could be had where they were asked."""
    deficits: dict[str, int] = {}
    """Kind of scenario -> examples that are still missing after the round."""


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
    disputed: int = 0
    """Of the rejected: those on which annotators disagree."""
    strengthened: int = 0
    reasons: tuple[Reason, ...] = ()
    """Why candidates were rejected or stayed undecided, the most frequent first."""
    stand_ins: int = 0
    """Examples of the right kind and another difficulty, where none of the difficulty asked for was found."""
    coverage: dict[str, UnitOutcome]
    grid: tuple[GridRow, ...] = ()
    """The same by tool and kind of scenario."""
    refused_scenarios: dict[str, str] = {}
    """Scenario -> why it is not in the catalog."""
    warnings: tuple[str, ...] = ()
    """What does not fit of a catalog that a person gave."""
    calibration: dict[str, dict[str, int]] = {}
    """The unit a verified negative was written for -> p_K -> how many came out at it."""
    coverage_multiple: float | None = None
    """Units that verified examples cover / units that verified real queries cover; None without any (D10)."""
    difficulty_deviation: float | None = None
    """Mean steps from 0 to 2 between the difficulty written for and the one observed, over what was written (D10)."""
    skipped_tools: dict[str, str]
    """Tool -> why it has no positive examples."""
    roles: dict[str, str]
    preflight: tuple[Rehearsed, ...] = ()
    """The first question to every model behind an endpoint: not among `calls`, but in `spending`."""
    calls: int
    """Answers of models and plugins that this process asked for. A list of tools is none."""
    calls_by_stage: dict[str, int]
    calls_replayed: int
    """Of what was needed, how often an answer was there already, mostly from an earlier, interrupted process."""
    spending: Spending | None = None
    """What was estimated and what was spent, over all restarts; None in what an older version wrote.

    Its `spent.calls` is the number of all answers in the journal of the job (`calls` over all its processes), and
    beside them the calls that failed and the first questions.
    """


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
            disputed=done.disputed,
            strengthened=done.strengthened,
            harder=done.harder,
            moved=sum(move.count for move in done.moves),
            deficits=deficits_by_kind(done.coverage, benchmark.scenarios),
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


def calibration_of(verified: Iterable[Example]) -> dict[str, dict[str, int]]:
    """The unit that each negative was written for -> p_K -> number of negatives."""
    found: dict[str, Counter[float]] = {}
    for example in verified:
        if example.p_k is not None:
            unit = CoverageUnit(scenario=example.scenario, difficulty=example.target_difficulty)
            found.setdefault(unit.key, Counter())[example.p_k] += 1
    return {unit: {f"{p_k:.3g}": counts[p_k] for p_k in sorted(counts)} for unit, counts in sorted(found.items())}


def _calls(counted: Mapping[str, int]) -> dict[str, int]:
    """Stage -> number, without the lists of tools, which nobody is asked for as a call."""
    return {stage: number for stage, number in sorted(counted.items()) if stage != SNAPSHOT}


def build_outcome(
    result: ConstructionResult,
    journal: "Journal",
    reasons: tuple[Reason, ...] = (),
    spending: Spending | None = None,
) -> Json:
    """The JSON object of a finished construction."""
    benchmark, verified = result.benchmark, result.verified
    real = [example for example in verified if example.query.origin == "real"]
    outcome = BuildOutcome(
        benchmark_id=benchmark.id,
        job_id=journal.scope,
        name=benchmark.name,
        stop_reason=benchmark.stop_reason,
        stopped=stopped_because(benchmark.stop_reason, benchmark.config, result.rounds),
        rounds=round_outcomes(benchmark, result.rounds),
        accepted=len(benchmark.examples),
        surplus=result.counts.accepted - len(benchmark.examples),
        rejected=result.counts.rejected,
        undecided=result.counts.undecided,
        filtered=result.counts.filtered,
        disputed=result.counts.disputed,
        strengthened=result.counts.strengthened,
        reasons=reasons,
        stand_ins=len(result.stand_ins),
        coverage={
            row.unit.key: UnitOutcome(budget=row.budget, verified=row.verified, deficit=row.deficit)
            for row in result.coverage.rows
        },
        grid=grid_of(result.coverage, benchmark.scenarios),
        refused_scenarios={
            refused.scenario.id: f"{refused.reason.value}: {refused.detail}".removesuffix(": ")
            for refused in result.refused
        },
        calibration=calibration_of(verified),
        coverage_multiple=coverage_multiple(verified, real),
        difficulty_deviation=difficulty_deviation(e for e in verified if e.query.origin != "real"),
        skipped_tools={skipped.tool: skipped.reason for skipped in result.skipped},
        roles=benchmark.roles,
        calls=sum(_calls(journal.made).values()),
        calls_by_stage=_calls(journal.made),
        calls_replayed=sum(_calls(journal.replayed).values()),
        spending=spending,
        **dict(Contents.of(benchmark)),
    )
    return outcome.model_dump(mode="json")
