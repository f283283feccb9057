"""Build, evaluate, read: the three journeys through a client alone, over every transport, in both protocol eras."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Literal, TypeAlias

import pytest
from mcp import Client

from doubles.mcp_client import (
    MODES,
    PROTOCOLS,
    Agent,
    Home,
    Mode,
    Served,
    in_memory,
    over_http,
    over_stdio,
    served,
)
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio

Transport: TypeAlias = Literal["memory", "stdio", "http"]
Opening: TypeAlias = Callable[[Transport, Mode], AbstractAsyncContextManager[Client]]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Home:
    """A home with two servers that nobody here wrote."""
    settings = '[plugins.time]\ncommand = "mcp-server-time"\n\n[plugins.math]\ncommand = "mcp-mathematics"\n'
    return Home.at(tmp_path_factory.mktemp("journeys"), settings)


@pytest.fixture(scope="module")
def server(home: Home) -> Iterator[Served]:
    with served(home) as running:
        yield running


@pytest.fixture
def opening(home: Home, server: Served) -> Opening:
    """Open a client of the home over a transport."""

    @asynccontextmanager
    async def opened(transport: Transport, mode: Mode) -> AsyncGenerator[Client]:
        ways: dict[Transport, AbstractAsyncContextManager[Client]] = {
            "memory": in_memory(home, mode),
            "stdio": over_stdio(home, mode),
            "http": over_http(server.url, mode),
        }
        async with ways[transport] as client:
            yield client

    return opened


@pytest.mark.requirement("X1", "B18", "P36", "E8")
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("transport", ["memory", "stdio", "http"])
async def test_a_benchmark_is_built_measured_and_read(transport: Transport, mode: Mode, opening: Opening) -> None:
    async with opening(transport, mode) as client:
        assert client.protocol_version == PROTOCOLS[mode]
        assert client.instructions is not None
        agent = Agent(client)
        built = await _result(agent, "benchmark_build", plugins=["time"], name="zones", size=6)
        assert built["accepted"] == built["examples"] == 6
        run = await _result(
            agent,
            "evaluation_run",
            benchmark_id=built["benchmark_id"],
            models=["baseline:lexical", "degenerate:first-tool"],
            repeats=2,
        )
        assert run["rows"] == 2 * 2 * 6
        text = await agent.read(str(run["report_uri"]))
        first = text.splitlines()[0]
        assert "Scope: zones" in first
        assert "on time" in first
        assert "Measured 20" in first
        assert "expires 20" in first
        await _proofs_are_whole(agent, str(built["benchmark_id"]))


async def test_two_plugins_make_one_benchmark(opening: Opening) -> None:
    async with opening("memory", "auto") as client:
        agent = Agent(client)
        for name in ("time", "math"):
            card = await agent.call("plugin_inspect", plugin=name)
            assert card["name"] == name
        built = await _result(agent, "benchmark_build", plugins=["time", "math"], name="both", size=8)
        assert built["positives"]
        assert built["negatives"]
        text = await agent.read(f"plugineval://benchmarks/{built['benchmark_id']}")
        assert "time" in text
        assert "math" in text


async def _proofs_are_whole(agent: Agent, benchmark_id: str) -> None:
    """Every case leads to the record that proves it."""
    page = await agent.call("benchmark_get", benchmark_id=benchmark_id)
    assert isinstance(page["items"], list)
    assert len(page["items"]) == 6
    for item in page["items"]:
        assert isinstance(item, dict)
        card = await agent.call("case_get", case_id=item["id"])
        assert card["verdict"] == "accepted"
        record = await agent.read(str(card["verification"]))
        assert '"verdict": "accepted"' in record
        assert '"gap": ' in record


async def _result(agent: Agent, tool: str, **arguments: object) -> dict[str, Json]:
    """The result of a job, which may take longer than the call that starts it."""
    job = await agent.call(tool, **arguments, wait_s=45)
    while job["state"] == "running":
        job = await agent.call("job_get", job_id=job["job_id"], wait_s=45)
    assert job["state"] == "completed", job["error"]
    assert isinstance(job["result"], dict)
    return job["result"]
