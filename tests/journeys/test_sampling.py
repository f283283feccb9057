"""MCP sampling as a short cut to the queue of work: in both eras, and only where the client declares it."""

from pathlib import Path

import pytest
from mcp import Client
from mcp.client import ClientRequestContext
from mcp.types import CreateMessageRequestParams, CreateMessageResult, TextContent

from doubles.mcp_client import MODES, Agent, Home, Mode, in_memory, plugin_table
from plugineval.pccf.values import Json
from plugineval.server.app.factory import create_app

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X2")]

COUNTING = Path(__file__).with_name("counting.py")
NO_CALL = '{"calls": [], "text": "I would ask back."}'


async def _built(path: Path) -> tuple[Home, str]:
    """A home with a benchmark that the baseline built."""
    home = Home.at(path, plugin_table("counting", COUNTING) + f'env = {{ CALLS = "{path / "calls.txt"}" }}\n')
    async with in_memory(home, "auto") as client:
        job = await Agent(client).call("benchmark_build", plugins=["counting"], name="lengths", size=4, wait_s=45)
        assert isinstance(job["result"], dict)
        return home, str(job["result"]["benchmark_id"])


async def _ended(agent: Agent, job: dict[str, Json]) -> dict[str, Json]:
    for _ in range(20):
        if job["state"] != "running":
            break
        job = await agent.call("job_get", job_id=job["job_id"], wait_s=10)
    assert isinstance(job["result"], dict), job
    return job["result"]


@pytest.mark.parametrize("mode", MODES)
async def test_a_client_that_declares_sampling_is_measured_by_waiting_for_the_job(mode: Mode, tmp_path: Path) -> None:
    asked: list[CreateMessageRequestParams] = []

    async def sample(context: ClientRequestContext, params: CreateMessageRequestParams) -> CreateMessageResult:
        asked.append(params)
        content = TextContent(type="text", text=NO_CALL)
        return CreateMessageResult(role="assistant", content=content, model="sampled-1")

    home, benchmark = await _built(tmp_path / "home")
    async with Client(create_app(home.workspace()), mode=mode, sampling_callback=sample) as client:
        agent = Agent(client)
        job = await agent.call("evaluation_run", benchmark_id=benchmark, models=["sampling"], repeats=2, wait_s=10)
        result = await _ended(agent, job)
        rows = int(str(result["rows"]))
        assert len(asked) == rows > 4
        assert all("The tools:" in str(params.system_prompt) for params in asked)
        report = await agent.read(str(result["report_uri"]))
        assert f"{rows} by mcp 0.1.0 (sampled-1), sampling (deprecated)" in report


@pytest.mark.parametrize("mode", MODES)
async def test_an_unusable_sample_goes_back_to_the_queue_and_names_work_next(mode: Mode, tmp_path: Path) -> None:
    async def sample(context: ClientRequestContext, params: CreateMessageRequestParams) -> CreateMessageResult:
        return CreateMessageResult(role="assistant", content=TextContent(type="text", text="Hm."), model="m")

    home, benchmark = await _built(tmp_path / "home")
    async with Client(create_app(home.workspace()), mode=mode, sampling_callback=sample) as client:
        agent = Agent(client)
        job = await agent.call("evaluation_run", benchmark_id=benchmark, models=["sampling"], repeats=1, wait_s=10)
        told = await client.call_tool("job_get", {"job_id": job["job_id"], "wait_s": 0})
        text = next(block.text for block in told.content if isinstance(block, TextContent))
        assert "cannot be used" in text
        assert "work_next" in text
        assert (await agent.call("work_next", limit=8))["groups"]


async def test_a_client_without_sampling_is_refused_with_the_way_that_works(tmp_path: Path) -> None:
    home, benchmark = await _built(tmp_path / "home")
    async with in_memory(home, "auto") as client:
        said = await Agent(client).refused("evaluation_run", benchmark_id=benchmark, models=["sampling"])
        assert "does not declare MCP sampling" in said
        assert "work_next" in said
