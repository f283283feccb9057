"""Which scenarios a query matches beside the one it is accounted under: auxiliary tags (P24).

A query is compared, its values left out, with what the scenarios of its tool and of the tool's look-alikes say of
themselves. A tag never contradicts what is known of the query: no tool is needed, or this one, or that one. Tags are
for reading and for finding examples; they never fill a budget.
"""

import re
from collections.abc import Sequence

from plugineval.pccf.coverage.lookalikes import lookalikes_of
from plugineval.pccf.coverage.similarity import SIMILARITY, Similarity
from plugineval.pccf.examples import Query
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset

FLOOR = 0.45
"""Similarity of a query to a scenario's title, or evidence, from which it is tagged with it."""
MOST = 5
"""So many tags at most."""
_VALUES = re.compile(r"\"[^\"]*\"|“[^”]*”|`[^`]*`|\S*[\d/\\@_=]\S*")


def matches(
    query: Query,
    scenarios: Sequence[Scenario],
    toolset: Toolset,
    *,
    primary: Scenario | None = None,
    similarity: Similarity = SIMILARITY,
) -> tuple[str, ...]:
    """Ids of the `scenarios` that `query` also matches, best first; ties keep the order of the catalog.

    `primary` is the scenario that it was verified under, itself never in the answer. Without one, the scenario that
    matches best says which tool the query is about.
    """
    text = _VALUES.sub(" ", query.text)
    if primary is not None:
        scenarios = _agreeing(primary, scenarios, toolset, similarity)
    scored = [(nearness(text, scenario, similarity), scenario) for scenario in scenarios]
    found = [scenario for score, scenario in sorted(scored, key=lambda pair: -pair[0]) if score >= FLOOR]
    if primary is None and found:
        found = _agreeing(found[0], found, toolset, similarity)
    return tuple(scenario.id for scenario in found if primary is None or scenario.id != primary.id)[:MOST]


def _agreeing(
    known: Scenario, scenarios: Sequence[Scenario], toolset: Toolset, similarity: Similarity
) -> list[Scenario]:
    """Those that a query of `known` may match as well: few of a large catalog, so only they are compared by words."""
    near = _near(known, toolset, similarity)
    return [other for other in scenarios if other.target in near and _agree(known, other)]


def nearness(text: str, scenario: Scenario, similarity: Similarity) -> float:
    """How near `text` is to what the scenario says of itself; the evidence of Type A is about the tool, not the
    request.
    """
    title = similarity.score(text, scenario.title)
    return title if scenario.kind is ScenarioKind.TYPE_A else max(title, similarity.score(text, scenario.evidence))


def _near(known: Scenario, toolset: Toolset, similarity: Similarity) -> frozenset[str]:
    tool = toolset.by_name.get(known.target)
    alike = () if tool is None else lookalikes_of(tool, toolset, similarity)
    return frozenset((*known.tools, known.lookalike or known.target, *(each.tool for each in alike)))


def _agree(known: Scenario, other: Scenario) -> bool:
    """Whether a query of `known` may belong to `other` as well, by which tool each says is right."""
    if known.kind is other.kind:
        return known.target == other.target or known.kind is ScenarioKind.TYPE_A
    wanted = {ScenarioKind.TRIGGER: known.target, ScenarioKind.TYPE_B: known.lookalike}.get(known.kind)
    right = {ScenarioKind.TRIGGER: other.target, ScenarioKind.TYPE_B: other.lookalike}.get(other.kind)
    return wanted is not None and wanted == right
