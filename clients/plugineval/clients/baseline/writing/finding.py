"""The plan of a scenario that a writer is asked for: its own, or, where a person wrote it, one that fits it."""

from plugineval.clients.baseline.writing.plans import Plan, lookalike_plan, plans_of
from plugineval.pccf.coverage.similarity import SIMILARITY
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec


def plan_for(scenario: Scenario, tool: ToolSpec, toolset: Toolset) -> Plan | None:
    """The plan under which `scenario` was derived; else the most alike one that asks for the same calls, if any."""
    if scenario.target != tool.offered_name:
        return None
    fitting = [plan for plan in plans_of(tool, toolset) if _asks_the_same(plan.scenario, scenario)]
    own = next((plan for plan in fitting if plan.scenario.id == scenario.id), None)
    if own is not None:
        return own
    if scenario.kind is ScenarioKind.TYPE_B and not fitting and scenario.lookalike in toolset.by_name:
        return lookalike_plan(scenario, toolset)
    said = f"{scenario.title} {scenario.evidence}"
    near = max(
        fitting,
        key=lambda plan: SIMILARITY.score(said, f"{plan.scenario.title} {plan.scenario.evidence}"),
        default=None,
    )
    return None if near is None else near._replace(scenario=scenario)


def _asks_the_same(planned: Scenario, asked: Scenario) -> bool:
    same_kind = planned.kind is asked.kind and planned.lookalike == asked.lookalike
    return same_kind and planned.then == asked.then and planned.ordered == asked.ordered
