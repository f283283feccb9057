"""What listings say about stored things, and the job: small frozen values, never a table row."""

from pydantic import AwareDatetime, Field

from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion, Outcome, ParameterSubtype
from plugineval.pccf.examples import Difficulty, SampleType
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.values import Json, Value
from plugineval.server.store.states import BenchmarkState, Engine, JobState, RunState


class PluginSummary(Value):
    """The newest snapshot of one plugin."""

    name: str
    version: str
    tools: int
    content_hash: str
    captured_at: AwareDatetime
    """When the plugin was last seen with exactly this content."""


class BenchmarkSummary(Value):
    """One benchmark, with how many examples it holds and how many candidates of any verdict were recorded."""

    id: str
    name: str
    created_at: AwareDatetime
    state: BenchmarkState
    content_hash: str | None
    """None while it is being built."""
    examples: int
    records: int


class Construction(Value):
    """What was asked of the construction of a benchmark, and why it ended."""

    size: int | None = None
    """Examples that were asked for; None where the benchmark does not say."""
    stop_reason: str = ""
    """Empty while it is being built."""


class ExampleSummary(Value):
    """One example of a benchmark, at its position (from 0)."""

    id: str
    position: int
    target: str
    sample_type: SampleType
    scenario_kind: ScenarioKind | None
    difficulty: Difficulty


class RunEntry(Value):
    """One run, without what must be counted."""

    id: str
    benchmark_id: str | None
    source: str
    models: tuple[str, ...]
    state: RunState
    started_at: AwareDatetime
    finished_at: AwareDatetime | None


class RunSummary(RunEntry):
    """One run, with how many graded rows it has so far."""

    rows: int


class OutcomeCount(Value):
    """How many rows of one grading share these verdicts; the counts of a grading add up to its rows."""

    model: str
    variant: str = ""
    difficulty: Difficulty | None
    sample_type: SampleType
    scenario_kind: ScenarioKind | None
    outcome: Outcome | None
    confusion: Confusion | None
    category: ErrorCategory | None
    subtype: ParameterSubtype | None
    exclusion: Exclusion | None
    rows: int


class CaseCount(Value):
    """How many cases of one grading have so many verdicts, and so many right ones among them."""

    model: str
    variant: str = ""
    difficulty: Difficulty | None
    verdicts: int
    """Repeats with a verdict; 0 for a case that has none."""
    right: int
    """Of them TP or TN."""
    cases: int


class RunCounts(Value):
    """The rows of one grading in counts alone."""

    outcomes: tuple[OutcomeCount, ...]
    cases: tuple[CaseCount, ...]


class ReportSummary(Value):
    """One stored report."""

    id: str
    run_id: str
    grading: str
    """Id of the grading whose rows it is about."""
    created_at: AwareDatetime


class StoredReport(ReportSummary):
    """A report as it was written; whoever reads it knows its shape."""

    body: Json


class Job(Value):
    """Long work: what was asked, how far it is, what came out. `done` and `total` count in the kind's own unit."""

    id: str
    kind: str
    params: Json
    state: JobState
    done: int
    total: int | None
    message: str
    result: Json
    error: str | None
    cancel_requested: bool
    created_at: AwareDatetime
    updated_at: AwareDatetime
    owner_pid: int | None
    heartbeat_at: AwareDatetime | None
    engine: Engine = "here"


class PlannedJob(Value):
    """A job that is about to be created, under an id that nobody else knows."""

    id: str
    kind: str
    params: Json


class JobChange(Value):
    """What the process that runs a job says about it; None leaves a field as it is."""

    state: JobState | None = None
    done: int | None = Field(default=None, ge=0)
    total: int | None = Field(default=None, ge=0)
    message: str | None = None
    result: Json = None
    error: str | None = None
