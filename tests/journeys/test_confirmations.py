"""Policy ask over MCP: a user is asked through the client, or locally; never does a model decide."""

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.types import ElicitRequestFormParams, ElicitRequestParams, ElicitResult

from doubles.cli import plugineval
from doubles.mcp_client import MODES, Agent, Home, Mode, plugin_table, text_of
from plugineval.pccf.values import Json
from plugineval.server.app.factory import create_app
from plugineval.server.trust.requests import Requests

pytestmark = pytest.mark.anyio

COUNTING = Path(__file__).with_name("counting.py")


class User:
    """Who sits before the client; `says` is what they do with a form."""

    def __init__(self, action: str, **fields: bool) -> None:
        self.action = action
        self.allow = fields.get("allow", True)
        self.asked: list[ElicitRequestFormParams] = []

    async def answer(self, context: ClientRequestContext, params: ElicitRequestParams) -> ElicitResult:
        assert isinstance(params, ElicitRequestFormParams)
        self.asked.append(params)
        properties = params.requested_schema["properties"]
        content = dict.fromkeys(properties, self.allow) if self.action == "accept" else None
        return ElicitResult.model_validate({"action": self.action, "content": content})


def home_of(path: Path) -> Home:
    env = f'env = {{ CALLS = "{path / "calls.txt"}" }}\ntools = {{ convert_length = "ask" }}\n'
    return Home.at(path, plugin_table("counting", COUNTING) + env)


def called(home: Home) -> set[str]:
    """The tools that were executed."""
    return {json.loads(line)[0] for line in (home.path / "calls.txt").read_text().splitlines()}


@asynccontextmanager
async def opened(home: Home, mode: Mode, user: User | None = None) -> AsyncGenerator[Agent]:
    callback = user.answer if user is not None else None
    async with Client(create_app(home.workspace()), mode=mode, elicitation_callback=callback) as client:
        yield Agent(client)


async def built(agent: Agent) -> dict[str, Json]:
    """A build that did what it could without a person."""
    job = await agent.call("benchmark_build", plugins=["counting"], name="lengths", size=6, wait_s=45)
    assert job["state"] == "interrupted", job
    return job


async def resumed(agent: Agent, job: dict[str, Json]) -> dict[str, Json]:
    return await agent.call("job_resume", job_id=job["job_id"], wait_s=45)


@pytest.mark.parametrize("mode", MODES)
async def test_a_user_who_confirms_is_asked_once_for_each_tool_and_the_job_goes_on(mode: Mode, tmp_path: Path) -> None:
    home, user = home_of(tmp_path), User("accept")
    async with opened(home, mode, user) as agent:
        job = await built(agent)
        assert called(home) == {"get_rectangle_area"}
        done = await resumed(agent, job)
        assert done["state"] == "completed", done
        assert called(home) == {"get_rectangle_area", "convert_length"}
        (asked,) = user.asked
        assert "convert_length of plugin counting" in asked.message
        assert '"from_unit"' in asked.message
        again = await resumed(agent, job)
        assert again["state"] == "completed"
        assert len(user.asked) == 1


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(("action", "allow"), [("decline", True), ("cancel", True), ("accept", False)])
async def test_a_user_who_does_not_confirm_has_refused_and_nothing_is_executed(
    action: str, allow: bool, mode: Mode, tmp_path: Path
) -> None:
    home = home_of(tmp_path)
    async with opened(home, mode, User(action, allow=allow)) as agent:
        done = await resumed(agent, await built(agent))
        assert done["state"] == "completed", done
        assert called(home) == {"get_rectangle_area"}
        result = done["result"]
        assert isinstance(result, dict)
        assert "a person refused it for this job" in json.dumps(result["reasons"])


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_cannot_ask_is_told_a_local_command_and_can_do_nothing_itself(
    mode: Mode, tmp_path: Path
) -> None:
    home = home_of(tmp_path)
    async with opened(home, mode) as agent:
        job = await built(agent)
        (request,) = Requests(home.path).pending(str(job["job_id"]))
        assert f"plugineval approve --request {request.id}" in str(job["error"])
        again = await resumed(agent, job)
        assert (again["state"], called(home)) == ("interrupted", {"get_rectangle_area"})
        for arguments in ({"approve": True}, {"heard": [request.id]}, {"confirmed": True}, {"said": "accept"}):
            refused = await agent.client.call_tool("job_resume", {"job_id": job["job_id"], **arguments})
            assert refused.is_error
            assert "Next" in text_of(refused)
        assert Requests(home.path).get(request.id).state == "pending"


def test_the_local_command_answers_for_a_client_that_cannot_ask(tmp_path: Path, anyio_backend: str) -> None:
    import anyio

    home = home_of(tmp_path)

    async def build() -> str:
        async with opened(home, "auto") as agent:
            return str((await built(agent))["job_id"])

    async def go_on(job_id: str) -> object:
        async with opened(home, "auto") as agent:
            return (await resumed(agent, {"job_id": job_id}))["state"]

    job_id = anyio.run(build)
    (request,) = Requests(home.path).pending(job_id)
    assert plugineval("approve", "--request", request.id, "--yes", "--home", home.path).code == 0
    assert anyio.run(go_on, job_id) == "completed"
    assert "convert_length" in called(home)


async def test_no_tool_and_no_argument_confirms_anything(tmp_path: Path) -> None:
    async with opened(home_of(tmp_path), "auto") as agent:
        tools = (await agent.client.list_tools()).tools
    words = ("approv", "confirm", "trust", "consent", "allow")
    names = [name for tool in tools for name in (tool.name, *tool.input_schema["properties"])]
    assert not [name for name in names if any(word in name for word in words)]
