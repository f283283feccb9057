"""The extension `io.modelcontextprotocol/tasks` (SEP-2663): where a client declares it, long work is a task.

A task is the job under its own id, so that it outlives the server: whoever asks for it next gets it, and an interrupted
one goes on. A tool does not know of tasks: its answer says which job goes on, and is replaced here.
"""

from typing import TYPE_CHECKING, Any, NoReturn

from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.extension import Extension, MethodBinding
from mcp.server.mcpserver.server import require_client_extension
from mcp.shared.exceptions import MCPError
from mcp.shared.inbound import MCP_NAME_HEADER, decode_header_value
from mcp_types import HEADER_MISMATCH, INVALID_PARAMS, CallToolRequestParams, CallToolResult, RequestParams
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from pydantic import Field

from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.values import Json
from plugineval.server.app.following import TASK_META, follows_tasks
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.store.states import JobState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from plugineval.server.app.task_inputs import Inputs, TaskClient, TaskInputs
    from plugineval.server.store.summaries import Job

IDENTIFIER = "io.modelcontextprotocol/tasks"
_VERSIONS = frozenset(MODERN_PROTOCOL_VERSIONS)
_ACKNOWLEDGED: dict[str, Json] = {"resultType": "complete"}


class TaskParams(RequestParams):
    """Names a task."""

    task_id: str = Field(alias="taskId")


class UpdateParams(TaskParams):
    """Answers to what a task asks for."""

    input_responses: dict[str, Json] = Field(alias="inputResponses")


class Tasks(Extension):
    """Jobs as tasks. What a job wants of who follows it, `sources` know beside those of the product."""

    identifier = IDENTIFIER

    def __init__(self, sources: "Sequence[TaskInputs]" = ()) -> None:
        self._added = tuple(sources)

    def methods(self) -> list[MethodBinding]:
        """`tasks/get`, `tasks/update`, `tasks/cancel`."""
        bound = (
            ("tasks/get", TaskParams, self._get),
            ("tasks/update", UpdateParams, self._update),
            ("tasks/cancel", TaskParams, self._cancel),
        )
        return [
            MethodBinding(method=method, params_type=params, handler=handler, protocol_versions=_VERSIONS)
            for method, params, handler in bound
        ]

    async def intercept_tool_call(
        self, params: CallToolRequestParams, ctx: ServerRequestContext[JobEngine, Any], call_next: CallNext
    ) -> HandlerResult:
        """Answer with the task where the tool left a job behind that goes on."""
        if not _declared(ctx):
            return await call_next(ctx)
        token = follows_tasks.set(True)
        try:
            result = await call_next(ctx)
        finally:
            follows_tasks.reset(token)
        meta = result.meta if isinstance(result, CallToolResult) else None
        if not meta or TASK_META not in meta:
            return result
        from plugineval.server.app.task_shapes import created

        engine = ctx.lifespan_context
        return created(await (await engine.workspace.store()).jobs.get(str(meta[TASK_META])))

    async def _get(self, ctx: ServerRequestContext[JobEngine, Any], params: TaskParams) -> dict[str, Json]:
        from plugineval.server.app.task_shapes import detailed

        job, client = await self._job(ctx, params), _client(ctx)
        engine = ctx.lifespan_context
        if job.state in (JobState.QUEUED, JobState.INTERRUPTED) and not job.error:
            # Its server is gone, and nobody but this client waits for it.
            job = await engine.resume(job.id)
        job = await engine.wait(job.id, 0)
        wanted: Inputs = {}
        for source in self._sources():
            wanted |= await source.wanted(engine, job, client)
        return detailed(job, wanted)

    async def _update(self, ctx: ServerRequestContext[JobEngine, Any], params: UpdateParams) -> dict[str, Json]:
        job, client = await self._job(ctx, params), _client(ctx)
        for source in self._sources():
            await source.take(ctx.lifespan_context, job, client, params.input_responses)
        return _ACKNOWLEDGED

    async def _cancel(self, ctx: ServerRequestContext[JobEngine, Any], params: TaskParams) -> dict[str, Json]:
        job = await self._job(ctx, params)
        if not job.state.final:
            await ctx.lifespan_context.cancel(job.id, wait_s=0)
        return _ACKNOWLEDGED

    def _sources(self) -> "tuple[TaskInputs, ...]":
        from plugineval.server.app.task_inputs import SOURCES

        return (*SOURCES, *self._added)

    async def _job(self, ctx: ServerRequestContext[JobEngine, Any], params: TaskParams) -> "Job":
        from plugineval.server.app.handles import own

        require_client_extension(ctx, IDENTIFIER)
        _refuse_other_name(ctx, params.task_id)
        workspace = ctx.lifespan_context.workspace
        try:
            return await (await workspace.store()).jobs.get(own(workspace, params.task_id))
        except UnknownNameError:
            _unknown(params.task_id)


def _declared(ctx: ServerRequestContext[JobEngine, Any]) -> bool:
    capabilities = ctx.session.client_capabilities
    extensions = capabilities.extensions if capabilities else None
    return ctx.protocol_version in _VERSIONS and IDENTIFIER in (extensions or {})


def _client(ctx: ServerRequestContext[JobEngine, Any]) -> "TaskClient":
    from plugineval.server.app.task_inputs import TaskClient
    from plugineval.server.app.workers import worker_in

    return TaskClient(worker_in(ctx.session, via="tasks"), ctx.session.client_capabilities)


def _refuse_other_name(ctx: ServerRequestContext[JobEngine, Any], task_id: str) -> None:
    """Over HTTP the header by which requests are routed says the same as the request itself."""
    headers = getattr(ctx.request, "headers", None)
    if headers is None or decode_header_value(headers.get(MCP_NAME_HEADER)) == task_id:
        return
    raise MCPError(code=HEADER_MISMATCH, message=f"{MCP_NAME_HEADER} header does not match the request body's 'taskId'")


def _unknown(task_id: str) -> NoReturn:
    raise MCPError(code=INVALID_PARAMS, message=f"there is no task {task_id!r}; call job_get for the jobs there are")
