"""A client that follows tasks, as hosts do that declare the extension: it polls, answers what is asked, or gives up."""

from typing import Any, ClassVar, Literal

import anyio
from mcp import Client
from mcp.client.extension import ClaimContext, ClientExtension, ResultClaim
from mcp.types import CallToolResult, Request, RequestParams, Result
from pydantic import ConfigDict, Field

TERMINAL = {"completed", "failed", "cancelled"}
POLL_S = 0.05


class Created(Result):
    """What a call is answered with in place of its result."""

    model_config = ConfigDict(extra="allow")

    result_type: Literal["task"] = Field(alias="resultType")
    task_id: str = Field(alias="taskId")
    status: str


class Task(Result):
    """What `tasks/get` says; the acknowledgements of the other two have none of it."""

    model_config = ConfigDict(extra="allow")

    result_type: str = Field(alias="resultType")
    status: str = ""
    status_message: str = Field(default="", alias="statusMessage")
    result: dict[str, Any] | None = None
    error: dict[str, Any] | None = None
    input_requests: dict[str, Any] = Field(default={}, alias="inputRequests")


class _Params(RequestParams):
    task_id: str = Field(alias="taskId")
    input_responses: dict[str, Any] | None = Field(default=None, alias="inputResponses")


class _Get(Request[_Params, Literal["tasks/get"]]):
    name_param: ClassVar[str | None] = "taskId"
    method: Literal["tasks/get"] = "tasks/get"
    params: _Params


class _Update(Request[_Params, Literal["tasks/update"]]):
    name_param: ClassVar[str | None] = "taskId"
    method: Literal["tasks/update"] = "tasks/update"
    params: _Params


class _Cancel(Request[_Params, Literal["tasks/cancel"]]):
    name_param: ClassVar[str | None] = "taskId"
    method: Literal["tasks/cancel"] = "tasks/cancel"
    params: _Params


class Follower(ClientExtension):
    """Declares the extension. `created` holds the tasks that calls were answered with."""

    identifier = "io.modelcontextprotocol/tasks"

    def __init__(self) -> None:
        self.created: list[Created] = []

    def claims(self) -> list[ResultClaim[Created]]:
        """Calls end with the result of their task."""
        return [ResultClaim(result_type="task", model=Created, resolve=self._finish)]

    async def _finish(self, created: Created, context: ClaimContext) -> CallToolResult:
        self.created.append(created)
        while True:
            task = await context.session.send_request(_Get(params=_named(created.task_id)), Task)
            if task.status in TERMINAL:
                assert task.status == "completed", task
                return CallToolResult.model_validate(task.result)
            await anyio.sleep(POLL_S)


async def begun(client: Client, tool: str, arguments: dict[str, Any]) -> Created | CallToolResult:
    """The bare answer to a call: a task, or the result at once."""
    return await client.session.call_tool(tool, arguments, allow_claimed=True)  # type: ignore[return-value]


async def task_of(client: Client, task_id: str) -> Task:
    """`tasks/get`."""
    return await client.session.send_request(_Get(params=_named(task_id)), Task)


async def until(client: Client, task_id: str, *statuses: str) -> Task:
    """The task when it has one of these statuses, or has ended."""
    with anyio.fail_after(60):
        while (task := await task_of(client, task_id)).status not in {*statuses, *TERMINAL}:
            await anyio.sleep(POLL_S)
    return task


async def cancel(client: Client, task_id: str) -> Task:
    """`tasks/cancel`."""
    return await client.session.send_request(_Cancel(params=_named(task_id)), Task)


async def update(client: Client, task_id: str, responses: dict[str, Any]) -> Task:
    """`tasks/update`."""
    return await client.session.send_request(_Update(params=_named(task_id, responses)), Task)


def _named(task_id: str, responses: dict[str, Any] | None = None) -> _Params:
    return _Params.model_validate({"taskId": task_id, "inputResponses": responses})
