"""What a run is: which models met which cases, how often, under which policies. Its rows are stored as they happen."""

from pydantic import AwareDatetime, Field

from plugineval.harness.policies import ExtraCalls, Meaning, SelfJudged
from plugineval.harness.variants import DescriptionVariant
from plugineval.pccf.stamps import ModelStamp
from plugineval.pccf.values import Json, Value


class RunConfig(Value):
    """The numbers of a run (B6), printed in its report."""

    models: tuple[str, ...] = Field(min_length=1)
    repeats: int = Field(default=3, ge=1)
    concurrency: int = Field(default=8, ge=1)
    extra_calls: ExtraCalls = "ignore"
    meaning: Meaning = "settle"
    expires_after_days: int = Field(default=90, ge=1)
    self_judged: SelfJudged = "exclude"
    """What becomes of a row that was judged by the very agent that answered it (P17)."""
    variants: tuple[DescriptionVariant, ...] = ()
    """Descriptions that are measured beside the published ones (X7)."""


class ToolPrint(Value):
    """Hashes of what a model sees of one tool, apart, so that a change can be named."""

    description: str
    schema_hash: str


class Scope(Value):
    """What the numbers are about (B18, B19): printed first in every report."""

    benchmark: str
    benchmark_hash: str
    plugins: tuple[str, ...]
    """`name version` each; empty for a cases file."""
    tools: int
    schema_depth: int
    optional_fields: int
    toolset_hashes: tuple[str, ...]
    tool_prints: dict[str, ToolPrint] = {}
    """Offered name -> what it looked like; empty in reports of earlier versions (X4)."""
    gold_hash: str = ""
    """Hash of every case's gold; empty in reports of earlier versions (X4)."""
    cases: int
    refused: int = 0
    """Lines of a cases file that are not among the cases."""
    positives: int
    negatives: dict[str, int]
    traffic: str
    """synthetic, real, unknown or mixed."""
    roles: dict[str, str] = {}


class RunInfo(Value):
    """Identity and circumstances of a run."""

    id: str
    config: RunConfig
    scope: Scope
    started_at: AwareDatetime
    finished_at: AwareDatetime | None = None
    notes: tuple[str, ...] = ()
    prompt_hashes: dict[str, str] = {}
    stamps: dict[str, ModelStamp] = {}
    """Model id -> what it was asked with; without the embedded ones, and empty in runs of earlier versions."""
    settings: Json = None
