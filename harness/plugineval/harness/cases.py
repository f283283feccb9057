"""A `Case` is one measured query: the tools a model is offered, the gold calls, and how the row is counted (B2)."""

from collections.abc import Collection, Iterable
from typing import cast

from plugineval.pccf.examples import Difficulty, Query, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.packed import Packed
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


def packed_cases(cases: Iterable[Case] = ()) -> Packed[Case]:
    """The cases, in a tenth of their memory; as they are where they are packed already."""
    if isinstance(cases, Packed):
        return cases
    packed = Packed(Case, shared="toolset")
    for case in cases:
        packed.add(case)
    return packed


def offered_by(cases: Iterable[Case]) -> Iterable[Toolset]:
    """What each case offers; a packed case is not made for it."""
    return cast("Iterable[Toolset]", cases.beside) if isinstance(cases, Packed) else (case.toolset for case in cases)


def toolsets_of(cases: Iterable[Case]) -> Collection[Toolset]:
    """What the cases offer, each object once."""
    return {id(toolset): toolset for toolset in offered_by(cases)}.values()
