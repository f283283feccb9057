"""Asking the writer for the scenarios of every tool, concurrently and through the journal (P21)."""

from collections.abc import Iterable
from functools import partial

from plugineval.pccf.calling import RoleCalls, in_order
from plugineval.pccf.coverage.catalog import Catalog, catalog_of
from plugineval.pccf.errors import IncompleteError
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.roles import DerivedScenarios, QueryWriter, ScenarioTask
from plugineval.pccf.tools import Toolset, ToolSpec


async def derive_catalog(writer: QueryWriter, toolset: Toolset, executable: Iterable[str], calls: RoleCalls) -> Catalog:
    """The catalog of all tools. `IncompleteError` where the writer fails on one: a catalog with holes is not used."""
    answers = await in_order([partial(_derive, writer, tool, toolset, calls) for tool in toolset.tools])
    for tool, answer in zip(toolset.tools, answers, strict=True):
        if answer.failure is not None:
            raise IncompleteError(
                f"the writer derived no scenarios from {tool.offered_name}: {answer.failure.detail}",
                field="writer",
                next_step="resume the job when the writer answers again",
            )
    return catalog_of(zip(toolset.tools, (a.scenarios for a in answers), strict=True), toolset, executable)


async def _derive(writer: QueryWriter, tool: ToolSpec, toolset: Toolset, calls: RoleCalls) -> DerivedScenarios:
    task = ScenarioTask(tool=tool, toolset=toolset)
    key = CallKey(stage="scenarios", model=writer.id, case=tool.key, request=[tool.content_hash, toolset.content_hash])
    return await calls.ask(key, DerivedScenarios, lambda: writer.scenarios(task))
