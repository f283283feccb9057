"""A `Case` is one measured query: the tools a model is offered, the gold calls, and how the row is counted (B2)."""

from plugineval.pccf.examples import Difficulty, Query, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Value


class Case(Value):
    """One query with its gold. Cases of one benchmark share one `Toolset` object."""

    id: str
    query: Query
    toolset: Toolset
    gold: tuple[GoldCall, ...] = ()
    sample_type: SampleType
    target_tool: str | None = None
    """Targeted negatives: the tool that must not be invoked."""
    ordered: bool = False
    difficulty: Difficulty | None = None
    scenario: str | None = None
    scenario_kind: ScenarioKind | None = None
    variant: str = ""
    """The variant of the descriptions that `toolset` has; empty for the published ones (X7)."""

