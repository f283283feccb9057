"""The scenario that a real query belongs to: the best match in the catalog, or one of its own (P8, P24)."""

from collections.abc import Sequence

from plugineval.pccf.coverage.tagging import matches
from plugineval.pccf.examples import Query
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import content_hash

EVIDENCE = "real query"
_TITLE = 80


def scenario_of(query: Query, found: Scenario, scenarios: Sequence[Scenario], toolset: Toolset) -> Scenario:
    """The best of `scenarios` with the kind, target and look-alike of `found`; `found` itself where none matches."""
    fitting = [s for s in scenarios if _alike(s, found)]
    best = matches(query, fitting, toolset)
    return next((s for s in fitting if s.id == best[0]), found) if best else found


def own_scenario(query: Query, kind: ScenarioKind, target: str, lookalike: str | None = None) -> Scenario:
    """A scenario of the query's own, under an id that follows from its words."""
    words = " ".join(query.text.split())
    return Scenario(
        id=f"{target}/real.{content_hash([kind.value, target, lookalike, words])[:12]}",
        kind=kind,
        target=target,
        title=words if len(words) <= _TITLE else f"{words[:_TITLE]}…",
        evidence=EVIDENCE,
        lookalike=lookalike,
    )


def _alike(scenario: Scenario, found: Scenario) -> bool:
    # A request of several calls is no match: the real query was verified for one.
    same = (scenario.kind, scenario.target, scenario.lookalike) == (found.kind, found.target, found.lookalike)
    return same and not scenario.then
