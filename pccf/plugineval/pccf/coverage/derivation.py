"""Asking the writer for the scenarios of every tool, concurrently and through the journal (P21)."""

from collections.abc import Iterable
from functools import partial

from plugineval.pccf.calling import RoleCalls, in_order
from plugineval.pccf.coverage.catalog import Catalog, catalog_of
from plugineval.pccf.coverage.lookalikes import lookalikes_of
from plugineval.pccf.errors import IncompleteError
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.roles import DerivedScenarios, QueryWriter, ScenarioTask
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Json


async def derive_catalog(
    writer: QueryWriter, toolset: Toolset, executable: Iterable[str], calls: RoleCalls, *, chains: bool = False
) -> Catalog:
    """The catalog of all tools. `IncompleteError` where the writer fails on one: a catalog with holes is not used."""
    tasks = [_task(tool, toolset, chains=chains) for tool in toolset.tools]
    answers = await in_order([partial(_derive, writer, task, calls) for task in tasks])
    for tool, answer in zip(toolset.tools, answers, strict=True):
        if answer.failure is not None:
            raise IncompleteError(
                f"the writer derived no scenarios from {tool.offered_name}: {answer.failure.detail}",
                field="writer",
                next_step="resume the job when the writer answers again",
            )
    return catalog_of(zip(toolset.tools, (a.scenarios for a in answers), strict=True), toolset, executable)


def _task(tool: ToolSpec, toolset: Toolset, *, chains: bool) -> ScenarioTask:
    return ScenarioTask(tool=tool, toolset=toolset, lookalikes=lookalikes_of(tool, toolset), chains=chains)


async def _derive(writer: QueryWriter, task: ScenarioTask, calls: RoleCalls) -> DerivedScenarios:
    alike: list[Json] = [each.model_dump(mode="json") for each in task.lookalikes]
    asked: list[Json] = [task.tool.content_hash, task.toolset.content_hash, task.chains, alike]
    key = CallKey(stage="scenarios", model=writer.id, case=task.tool.key, request=asked)
    return await calls.ask(key, DerivedScenarios, lambda: writer.scenarios(task))
