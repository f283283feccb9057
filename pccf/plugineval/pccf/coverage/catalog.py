"""The scenario catalog: what the writer derived from every tool (P21 to P23), or a person wrote, checked before any
money is spent on it.

A scenario that cannot be used is kept with the reason it was refused; the order is that of the tools, then of the
writer, so that equal answers give an equal catalog.
"""

from collections.abc import Iterable, Sequence
from enum import StrEnum

from plugineval.pccf.coverage.lookalikes import likeness
from plugineval.pccf.coverage.similarity import SIMILARITY, Similarity
from plugineval.pccf.coverage.titles import Titles
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Value

NEEDS_EXECUTION = frozenset({ScenarioKind.TRIGGER, ScenarioKind.UNDERSPECIFIED})
"""Kinds whose candidates go through Stage I, where proposals are executed."""
MOST_CALLS = 4
"""A request needs so many calls at most."""


class Refusal(StrEnum):
    """Why a derived scenario is not in the catalog."""

    OTHER_TARGET = "other_target"
    """It was derived from one tool and names another, or an unknown one."""
    UNKNOWN_LOOKALIKE = "unknown_lookalike"
    """Type B without a second tool of the toolset that should be called instead."""
    ID_TAKEN = "id_taken"
    DUPLICATE = "duplicate"
    NEAR_DUPLICATE = "near_duplicate"
    """Its title says almost the same as an earlier one of the same target and kind."""
    NOT_EXECUTABLE = "not_executable"
    """Its examples would have to be executed, and policy forbids that for one of its tools."""
    CHAIN_OF_EXCLUSION = "chain_of_exclusion"
    """Only a trigger can need further tools."""
    UNKNOWN_CHAINED_TOOL = "unknown_chained_tool"
    """A further tool that is not in the toolset."""
    CHAIN_TOO_LONG = "chain_too_long"


class RefusedScenario(Value):
    """A scenario that was left out."""

    scenario: Scenario
    reason: Refusal
    detail: str = ""
    """What it collided with, or the tool that is the matter."""
    similarity: float | None = None
    """Near-duplicates: of the two titles."""


class SkippedTool(Value):
    """A tool without positive scenarios, and why."""

    tool: str
    reason: str


class Catalog(Value):
    """The scenarios that a build may fill, those that it may not, and the tools it has no positives for."""

    scenarios: tuple[Scenario, ...] = ()
    refused: tuple[RefusedScenario, ...] = ()
    skipped: tuple[SkippedTool, ...] = ()
    measure: str = ""
    """Name and version of the similarity measure that look-alikes and titles were compared by (D12)."""


def catalog_of(
    derived: Iterable[tuple[ToolSpec, Sequence[Scenario]]],
    toolset: Toolset,
    executable: Iterable[str],
    similarity: Similarity = SIMILARITY,
) -> Catalog:
    """The catalog of the scenarios `derived` from each tool; `executable` holds offered names of tools."""
    kept: dict[str, Scenario] = {}
    refused: list[RefusedScenario] = []
    may_execute = frozenset(executable)
    by_tool = [(tool, tuple(scenarios)) for tool, scenarios in derived]
    titles = Titles(similarity)
    for tool, scenario in ((tool, scenario) for tool, scenarios in by_tool for scenario in scenarios):
        refusal = _unusable(scenario, tool, toolset, may_execute) or _repeated(scenario, tool, kept, titles)
        if refusal is not None:
            refused.append(refusal)
            continue
        kept[scenario.id] = _measured(scenario, tool, toolset, similarity)
        titles.add(scenario, tool)
    skipped = _skipped([tool.offered_name for tool, _ in by_tool], kept.values(), may_execute)
    return Catalog(scenarios=tuple(kept.values()), refused=tuple(refused), skipped=skipped, measure=similarity.measure)


def _unusable(
    scenario: Scenario, tool: ToolSpec, toolset: Toolset, may_execute: frozenset[str]
) -> RefusedScenario | None:
    if scenario.target != tool.offered_name:
        detail = f"{scenario.target}, derived from {tool.offered_name}"
        return RefusedScenario(scenario=scenario, reason=Refusal.OTHER_TARGET, detail=detail)
    if scenario.kind is ScenarioKind.TYPE_B and not _is_other_tool(scenario, toolset):
        detail = scenario.lookalike or "none named"
        return RefusedScenario(scenario=scenario, reason=Refusal.UNKNOWN_LOOKALIKE, detail=detail)
    if (broken := _broken_chain(scenario, toolset)) is not None:
        return broken
    forbidden = [name for name in scenario.tools if name not in may_execute]
    if scenario.kind in NEEDS_EXECUTION and forbidden:
        return RefusedScenario(scenario=scenario, reason=Refusal.NOT_EXECUTABLE, detail=forbidden[0])
    return None


def _broken_chain(scenario: Scenario, toolset: Toolset) -> RefusedScenario | None:
    unknown = [name for name in scenario.then if name not in toolset.by_name]
    if scenario.then and not scenario.kind.positive:
        reason, detail = Refusal.CHAIN_OF_EXCLUSION, scenario.kind.value
    elif unknown:
        reason, detail = Refusal.UNKNOWN_CHAINED_TOOL, unknown[0]
    elif len(scenario.tools) > MOST_CALLS:
        reason, detail = Refusal.CHAIN_TOO_LONG, f"{len(scenario.tools)} calls, at most {MOST_CALLS}"
    else:
        return None
    return RefusedScenario(scenario=scenario, reason=reason, detail=detail)


def _repeated(scenario: Scenario, tool: ToolSpec, kept: dict[str, Scenario], titles: Titles) -> RefusedScenario | None:
    near = titles.nearest(scenario, tool)
    if near is not None:
        return RefusedScenario(
            scenario=scenario,
            reason=Refusal.DUPLICATE if near.similarity == 1 else Refusal.NEAR_DUPLICATE,
            detail=near.title,
            similarity=near.similarity,
        )
    if scenario.id in kept:
        return RefusedScenario(scenario=scenario, reason=Refusal.ID_TAKEN, detail=kept[scenario.id].title)
    return None


def _is_other_tool(scenario: Scenario, toolset: Toolset) -> bool:
    return scenario.lookalike in toolset.by_name and scenario.lookalike != scenario.target


def _measured(scenario: Scenario, tool: ToolSpec, toolset: Toolset, similarity: Similarity) -> Scenario:
    """Type B keeps in its evidence how alike the two tools are, and by which measure."""
    if scenario.kind is not ScenarioKind.TYPE_B or similarity.measure in scenario.evidence:
        return scenario
    found = likeness(tool, toolset.tool(scenario.lookalike or ""), toolset, similarity)
    said = f"{found.measure}: {found.similarity:.2f} between {scenario.target} and {found.tool}"
    return scenario.model_copy(update={"evidence": f"{scenario.evidence}; {said}" if scenario.evidence else said})


def _skipped(names: Sequence[str], kept: Iterable[Scenario], may_execute: frozenset[str]) -> tuple[SkippedTool, ...]:
    with_positives = {scenario.target for scenario in kept if scenario.kind.positive}
    reasons = {
        name: "the catalog holds no trigger scenario of it" if name in may_execute else "policy forbids to execute it"
        for name in names
        if name not in with_positives
    }
    return tuple(SkippedTool(tool=name, reason=reason) for name, reason in reasons.items())
