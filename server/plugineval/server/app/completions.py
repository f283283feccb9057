"""Completions of arguments: ids and names of what there is, for the prompts and the templates of resources.

What was typed matches the beginning of an id, or any part of a name. Only ids that the client may use are offered.
"""

from collections.abc import Awaitable, Callable, Iterable
from typing import TypeAlias

from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp_types import CompleteRequestParams, CompleteResult, Completion

from plugineval.server.app.handles import may_use
from plugineval.server.app.lower import low_level
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.workspace import Workspace

MOST = 100
"""Values in one completion, as the protocol has it."""
_LOOKED_AT = 500

Source: TypeAlias = Callable[[str], Awaitable[Iterable[str]]]


def add_completions(app: MCPServer[JobEngine], workspace: Workspace) -> None:
    """Complete every argument of a prompt or template that names something stored or registered."""
    completing = Completions(workspace)

    async def complete(context: ServerRequestContext[JobEngine], params: CompleteRequestParams) -> CompleteResult:
        found = await completing.of(params.argument.name, params.argument.value)
        return CompleteResult(completion=found or Completion(values=[]))

    low_level(app).add_request_handler("completion/complete", CompleteRequestParams, complete)


class Completions:
    """By the name of an argument, which means the same wherever it stands."""

    def __init__(self, workspace: Workspace) -> None:
        self._workspace = workspace
        self._sources: dict[str, Source] = {
            "plugin": self._plugins,
            "name": self._plugins,
            "model": self._models,
            "benchmark": self._benchmark_names,
            "benchmark_id": self._benchmarks,
            "case_id": self._cases,
            "run_id": self._runs,
            "job": self._jobs,
            "job_id": self._jobs,
        }

    async def of(self, argument: str, typed: str) -> Completion | None:
        """The values that `typed` may become; None for an argument that is free."""
        source = self._sources.get(argument)
        if source is None:
            return None
        found = list(dict.fromkeys(await source(typed)))
        return Completion(values=found[:MOST], total=len(found), has_more=len(found) > MOST)

    async def _plugins(self, typed: str) -> Iterable[str]:
        return _matching(typed, self._workspace.settings.plugins)

    async def _models(self, typed: str) -> Iterable[str]:
        from plugineval.server.wiring import known_models

        return _matching(typed, known_models(self._workspace.settings))

    async def _benchmarks(self, typed: str) -> Iterable[str]:
        page = await (await self._workspace.store()).benchmarks.page(limit=_LOOKED_AT)
        return [item.id for item in page.items if _fits(typed, item.id) or _fits(typed, item.name)]

    async def _benchmark_names(self, typed: str) -> Iterable[str]:
        page = await (await self._workspace.store()).benchmarks.page(limit=_LOOKED_AT)
        names = [item.name for item in page.items]
        once = [name for name in names if names.count(name) == 1]
        return [*_matching(typed, once), *(item.id for item in page.items if _fits(typed, item.id))]

    async def _cases(self, typed: str) -> Iterable[str]:
        return await (await self._workspace.store()).examples.beginning(typed, limit=MOST + 1)

    async def _runs(self, typed: str) -> Iterable[str]:
        newest = await (await self._workspace.store()).runs.entries(limit=_LOOKED_AT)
        return [item.id for item in newest if _fits(typed, item.id) or _fits(typed, item.source)]

    async def _jobs(self, typed: str) -> Iterable[str]:
        page = await (await self._workspace.store()).jobs.page(limit=_LOOKED_AT)
        return [job.id for job in page.items if job.id.startswith(typed) and may_use(self._workspace, job.id)]


def _matching(typed: str, names: Iterable[str]) -> list[str]:
    return [name for name in names if _fits(typed, name)]


def _fits(typed: str, name: str) -> bool:
    return typed.casefold() in name.casefold()
