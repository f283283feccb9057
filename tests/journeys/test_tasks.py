"""Long work as tasks of the official extension: the task is the job, over every transport, and outlives the server."""

from collections.abc import Callable

import httpx2
import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.shared.exceptions import MCPError
from mcp.types import (
    CallToolResult,
    CreateMessageRequestParams,
    CreateMessageResult,
    ElicitRequestParams,
    ElicitResult,
)

from doubles.mcp_client import TOKEN, Agent, Home, in_memory, served, text_of
from doubles.task_client import Created, Follower, begun, cancel, task_of, until, update
from doubles.transports import Transport, Way, opened, over_every_transport, over_url
from journeys.test_agent_work import agent_home
from journeys.test_confirmations import called
from journeys.test_confirmations import home_of as asking_home
from journeys.test_long_work import SLOW
from plugineval.server.app import starting
from plugineval.server.app.factory import create_app

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X3")]

BUILD = {"plugins": ["counting"], "name": "lengths", "size": 6}


async def _task(client: Client, tool: str = "benchmark_build", **arguments: object) -> Created:
    created = await begun(client, tool, {**BUILD, **arguments})
    assert isinstance(created, Created), created
    return created


@over_every_transport
async def test_a_build_is_a_task_whose_id_is_its_job_and_whose_result_is_the_answer(
    transport: Transport, new_home: Callable[..., Home]
) -> None:
    follower = Follower()
    async with opened(new_home(DELAY=SLOW), Way(transport, "auto"), extensions=[follower]) as client:
        result = await client.call_tool("benchmark_build", {**BUILD, "wait_s": 45})
        (created,) = follower.created
        built = await Agent(client).checked("benchmark_build", result)
        same = await Agent(client).call("job_get", job_id=created.task_id)
    assert created.status == "working"
    assert built == same
    assert (built["job_id"], built["state"]) == (created.task_id, "completed")


async def test_a_client_that_does_not_declare_tasks_gets_answers_and_no_tasks(new_home: Callable[..., Home]) -> None:
    async with in_memory(new_home(), "auto") as client:
        built = await Agent(client).call("benchmark_build", **BUILD, wait_s=45)
        for ask in (task_of(client, str(built["job_id"])), cancel(client, str(built["job_id"]))):
            with pytest.raises(MCPError) as raised:
                await ask
            assert raised.value.error.code == -32021
            assert "io.modelcontextprotocol/tasks" in str(raised.value.error.data)


@over_every_transport
async def test_a_handshake_client_never_gets_a_task(transport: Transport, new_home: Callable[..., Home]) -> None:
    async with opened(new_home(), Way(transport, "legacy")) as client:
        assert (await Agent(client).call("benchmark_build", **BUILD, wait_s=45))["state"] == "completed"
        with pytest.raises(MCPError, match="Method not found"):
            await task_of(client, "any")


async def test_work_that_fails_is_a_completed_task_with_an_error_in_its_result(new_home: Callable[..., Home]) -> None:
    home = new_home(DELAY=SLOW)
    (home.path / "plugineval.toml").write_text('[plugins.dead]\ncommand = "sleep"\nargs = ["60"]\n', encoding="utf-8")
    async with in_memory_following(home) as client:
        created = await _task(client, plugins=["dead"])
        await cancel(client, created.task_id)
        assert (await until(client, created.task_id)).status == "cancelled"
    broken = new_home("broken")
    (broken.path / "plugineval.toml").write_text(
        '[plugins.gone]\ncommand = "sleep"\nargs = ["2.5"]\n', encoding="utf-8"
    )
    async with in_memory_following(broken) as client:
        created = await _task(client, plugins=["gone"])
        task = await until(client, created.task_id)
    assert (task.status, task.error) == ("completed", None)
    assert task.result is not None
    assert task.result["isError"] is True
    assert "gone" in str(task.result["content"])


@over_every_transport
async def test_cancelling_is_acknowledged_at_once_and_however_often(
    transport: Transport, new_home: Callable[..., Home]
) -> None:
    async with opened(new_home(DELAY=SLOW), Way(transport, "auto"), extensions=[Follower()]) as client:
        created = await _task(client, size=60)
        acknowledged = await cancel(client, created.task_id)
        assert acknowledged.model_dump(by_alias=True, exclude_defaults=True, exclude={"meta"}) == {
            "resultType": "complete"
        }
        assert (await until(client, created.task_id)).status == "cancelled"
        await cancel(client, created.task_id)
        assert (await task_of(client, created.task_id)).status == "cancelled"
        for ask in (task_of, cancel):
            with pytest.raises(MCPError) as raised:
                await ask(client, "task-that-is-not-there")
            assert raised.value.error.code == -32602


async def test_a_task_outlives_its_server_and_goes_on_when_it_is_asked_for(new_home: Callable[..., Home]) -> None:
    home = new_home(DELAY=SLOW)
    with served(home) as server:
        async with over_url(server.url, "auto", extensions=[Follower()]) as client:
            created = await _task(client, size=12)
            assert (await task_of(client, created.task_id)).status == "working"
        server.process.kill()
        server.process.wait()
    with served(home) as server:
        async with over_url(server.url, "auto", extensions=[Follower()]) as client:
            assert (await task_of(client, created.task_id)).status == "working"
            task = await until(client, created.task_id)
    assert task.status == "completed"
    result = CallToolResult.model_validate(task.result)
    assert result.structured_content is not None
    assert result.structured_content["job_id"] == created.task_id


async def test_over_http_the_routing_header_names_the_task(new_home: Callable[..., Home]) -> None:
    meta: dict[str, object] = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {"extensions": {"io.modelcontextprotocol/tasks": {}}},
    }
    body: dict[str, object] = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tasks/get",
        "params": {"taskId": "one", "_meta": meta},
    }
    headers = {
        "Authorization": f"Bearer {TOKEN}",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tasks/get",
    }
    with served(new_home()) as server:
        async with httpx2.AsyncClient() as http:
            for name, code in ({"Mcp-Name": "two"}, -32020), ({}, -32020), ({"Mcp-Name": "one"}, -32602):
                answer = await http.post(server.url, json=body, headers=headers | name)
                assert answer.json()["error"]["code"] == code, name


async def test_work_of_the_connected_agent_is_never_hidden_in_a_task(new_home: Callable[..., Home]) -> None:
    home = agent_home(new_home().path)
    async with in_memory_following(home) as client:
        answered = await begun(client, "benchmark_build", {**BUILD, "wait_s": 20})
        assert isinstance(answered, CallToolResult)
        assert "work_next" in text_of(answered)


async def test_a_task_asks_the_model_of_a_client_that_samples(new_home: Callable[..., Home]) -> None:
    async def never(context: ClientRequestContext, params: CreateMessageRequestParams) -> CreateMessageResult:
        raise AssertionError("a task asks through tasks/get")

    home = agent_home(
        new_home().path,
        writer="sampling",
        argument_evaluator="baseline:lexical",
        result_evaluator="baseline:lexical",
        router="baseline:lexical",
        judge="baseline:lexical",
    )
    text = (home.path / "plugineval.toml").read_text(encoding="utf-8").replace('["agent"]', '["baseline:lexical"]')
    (home.path / "plugineval.toml").write_text(text, encoding="utf-8")
    async with Client(create_app(home.workspace()), extensions=[Follower()], sampling_callback=never) as client:
        created = await _task(client)
        task = await until(client, created.task_id, "input_required")
        assert task.status == "input_required"
        again = await task_of(client, created.task_id)
        assert again.input_requests.keys() == task.input_requests.keys()
        key, request = next(iter(task.input_requests.items()))
        assert request["method"] == "sampling/createMessage"
        said = {"role": "assistant", "model": "sampled-1", "content": {"type": "text", "text": '{"scenarios": []}'}}
        await update(client, created.task_id, {"nobody asked": {}, key: said})
        after = await task_of(client, created.task_id)
        assert key not in after.input_requests
        await cancel(client, created.task_id)


@pytest.mark.parametrize("action", ["accept", "decline"])
async def test_a_task_asks_the_person_before_the_client_whether_a_tool_may_be_executed(
    action: str, new_home: Callable[..., Home], monkeypatch: pytest.MonkeyPatch
) -> None:
    async def never(context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        raise AssertionError("a task asks through tasks/get")

    monkeypatch.setattr(starting, "GRACE_S", 0)
    home = asking_home(new_home().path)
    async with Client(create_app(home.workspace()), extensions=[Follower()], elicitation_callback=never) as client:
        created = await _task(client)
        asking = await until(client, created.task_id, "input_required")
        ((key, request),) = asking.input_requests.items()
        (field,) = request["params"]["requestedSchema"]["properties"]
        assert request["method"] == "elicitation/create"
        assert "convert_length" in request["params"]["message"]
        content = {field: True} if action == "accept" else None
        await update(client, created.task_id, {"nobody asked": {}, key: {"action": action, "content": content}})
        done = await until(client, created.task_id, "input_required")
    assert done.status == "completed"
    assert ("convert_length" in called(home)) == (action == "accept")


def in_memory_following(home: Home) -> Client:
    """A client in this process that follows tasks."""
    return Client(create_app(home.workspace()), extensions=[Follower()])
