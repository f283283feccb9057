"""Where the scenarios come from: derived by the writer, or given by a person who edited what was derived."""

from plugineval.pccf.construction.plan import ConstructionPlan, ConstructionRoles
from plugineval.pccf.coverage.catalog import Catalog, catalog_of
from plugineval.pccf.coverage.derivation import derive_catalog
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import Toolset, ToolSpec


async def catalog_for(plan: ConstructionPlan, roles: ConstructionRoles) -> Catalog:
    """The catalog of `plan`; a given one is checked by the same rules. `IncompleteError` where the writer fails."""
    if plan.catalog is None:
        return await derive_catalog(roles.writer, plan.toolset, plan.executable, roles.calls, chains=plan.config.chains)
    return catalog_of(_by_tool(plan.catalog.scenarios, plan.toolset), plan.toolset, plan.executable)


def _by_tool(given: tuple[Scenario, ...], toolset: Toolset) -> list[tuple[ToolSpec, tuple[Scenario, ...]]]:
    """The scenarios under the tool that they name; one that names no tool is left to the first one to be refused."""
    found: dict[str, list[Scenario]] = {tool.offered_name: [] for tool in toolset.tools}
    for scenario in given if found else ():
        found.get(scenario.target, found[toolset.tools[0].offered_name]).append(scenario)
    return [(toolset.by_name[name], tuple(scenarios)) for name, scenarios in found.items()]
