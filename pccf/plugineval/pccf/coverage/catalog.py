"""The scenario catalog: what the writer derived from every tool (P21 to P23), checked before any money is spent on it.

A scenario that cannot be used is kept with the reason it was refused; the order is that of the tools, then of the
writer, so that equal answers give an equal catalog.
"""

from collections.abc import Iterable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from enum import StrEnum

from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Value

NEEDS_EXECUTION = frozenset({ScenarioKind.TRIGGER, ScenarioKind.UNDERSPECIFIED})
"""Kinds whose candidates go through Stage I, where proposals are executed."""


class Refusal(StrEnum):
    """Why a derived scenario is not in the catalog."""

    OTHER_TARGET = "other_target"
    """It was derived from one tool and names another, or an unknown one."""
    UNKNOWN_LOOKALIKE = "unknown_lookalike"
    """Type B without a second tool of the toolset that should be called instead."""
    ID_TAKEN = "id_taken"
    DUPLICATE = "duplicate"
    NOT_EXECUTABLE = "not_executable"
    """Its examples would have to be executed, and policy forbids that for the tool."""


class RefusedScenario(Value):
    """A scenario that was left out."""

    scenario: Scenario
    reason: Refusal


class SkippedTool(Value):
    """A tool without positive scenarios, and why."""

    tool: str
    reason: str


class Catalog(Value):
    """The scenarios that a build may fill, those that it may not, and the tools it has no positives for."""

    scenarios: tuple[Scenario, ...] = ()
    refused: tuple[RefusedScenario, ...] = ()
    skipped: tuple[SkippedTool, ...] = ()


def catalog_of(
    derived: Iterable[tuple[ToolSpec, Sequence[Scenario]]], toolset: Toolset, executable: Iterable[str]
) -> Catalog:
    """The catalog of the scenarios `derived` from each tool; `executable` holds offered names of tools."""
    kept: dict[str, Scenario] = {}
    refused: list[RefusedScenario] = []
    may_execute = frozenset(executable)
    by_tool = [(tool, tuple(scenarios)) for tool, scenarios in derived]
    meanings: set[tuple[str, ...]] = set()
    for tool, scenario in ((tool, scenario) for tool, scenarios in by_tool for scenario in scenarios):
        reason = _unusable(scenario, tool, toolset, may_execute) or _repeated(scenario, kept, meanings)
        if reason is not None:
            refused.append(RefusedScenario(scenario=scenario, reason=reason))
            continue
        kept[scenario.id] = scenario
        meanings.add(_meaning(scenario))
    skipped = _skipped([tool.offered_name for tool, _ in by_tool], kept.values(), may_execute)
    return Catalog(scenarios=tuple(kept.values()), refused=tuple(refused), skipped=skipped)


def _unusable(scenario: Scenario, tool: ToolSpec, toolset: Toolset, may_execute: frozenset[str]) -> Refusal | None:
    if scenario.target != tool.offered_name:
        return Refusal.OTHER_TARGET
    if scenario.kind is ScenarioKind.TYPE_B and not _is_other_tool(scenario, toolset):
        return Refusal.UNKNOWN_LOOKALIKE
    if scenario.kind in NEEDS_EXECUTION and tool.offered_name not in may_execute:
        return Refusal.NOT_EXECUTABLE
    return None


def _repeated(
    scenario: Scenario, kept: Mapping[str, Scenario], meanings: AbstractSet[tuple[str, ...]]
) -> Refusal | None:
    if _meaning(scenario) in meanings:
        return Refusal.DUPLICATE
    return Refusal.ID_TAKEN if scenario.id in kept else None


def _is_other_tool(scenario: Scenario, toolset: Toolset) -> bool:
    return scenario.lookalike in toolset.by_name and scenario.lookalike != scenario.target


def _meaning(scenario: Scenario) -> tuple[str, ...]:
    title = " ".join(scenario.title.casefold().split())
    return (scenario.kind.value, scenario.target, title, scenario.lookalike or "")


def _skipped(names: Sequence[str], kept: Iterable[Scenario], may_execute: frozenset[str]) -> tuple[SkippedTool, ...]:
    with_positives = {scenario.target for scenario in kept if scenario.kind.positive}
    reasons = {
        name: "no trigger scenario could be derived from it" if name in may_execute else "policy forbids to execute it"
        for name in names
        if name not in with_positives
    }
    return tuple(SkippedTool(tool=name, reason=reason) for name, reason in reasons.items())
