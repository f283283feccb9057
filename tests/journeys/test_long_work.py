"""Long work seen by a client: progress, a cancelled call, a cancelled job, and a server that was killed half-way."""

import json
import sqlite3
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import anyio
import psutil
import pytest
from mcp import Client

from doubles.mcp_client import MODES, Agent, Home, Mode, in_memory, over_http, served
from plugineval.pccf.values import Json

pytestmark = pytest.mark.anyio

SIZE = 10
SLOW = "0.15"


@pytest.mark.parametrize("mode", MODES)
async def test_progress_arrives_and_strictly_increases(mode: Mode, new_home: Callable[..., Home]) -> None:
    told: list[tuple[float, float | None, str | None]] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        told.append((progress, total, message))

    async with in_memory(new_home(DELAY=SLOW), mode) as client:
        arguments = {"plugins": ["counting"], "name": "slow", "size": SIZE, "wait_s": 45}
        result = await client.call_tool("benchmark_build", arguments, progress_callback=hear)
        assert (await Agent(client).checked("benchmark_build", result))["state"] == "completed"
    numbers = [done for done, _, _ in told]
    assert len(numbers) >= 3
    assert all(earlier < later for earlier, later in pairwise(numbers))
    assert all(message for _, _, message in told)
    # How much there is to do is not known before the job has begun.
    assert all(total == SIZE or (total is None and not done) for done, total, _ in told)


@pytest.mark.parametrize("mode", MODES)
async def test_cancelling_a_call_leaves_the_job_and_job_cancel_stops_it(
    mode: Mode, new_home: Callable[..., Home]
) -> None:
    async with in_memory(new_home(DELAY=SLOW), mode) as client:
        agent = Agent(client)
        started = anyio.Event()

        async def hear(progress: float, total: float | None, message: str | None) -> None:
            if progress > 0:
                started.set()

        async def build() -> None:
            arguments = {"plugins": ["counting"], "name": "slow", "size": 60, "wait_s": 45}
            await client.call_tool("benchmark_build", arguments, progress_callback=hear)

        async with anyio.create_task_group() as group:
            group.start_soon(build)
            await started.wait()
            group.cancel_scope.cancel()
        jobs = await agent.call("job_get")
        assert isinstance(jobs["items"], list)
        assert isinstance(jobs["items"][0], dict)
        job_id = str(jobs["items"][0]["job_id"])
        alive = await agent.call("job_get", job_id=job_id, wait_s=0)
        assert (alive["state"], alive["total"]) == ("running", 60)
        stopped = await agent.call("job_cancel", job_id=job_id)
        assert (stopped["state"], stopped["result"]) == ("cancelled", None)
        assert (await agent.call("job_resume", job_id=job_id))["state"] == "cancelled"


def test_a_killed_build_is_resumed_without_a_repeated_call_to_the_same_benchmark(
    new_home: Callable[..., Home],
) -> None:
    whole, killed = new_home("whole"), new_home("killed", DELAY=SLOW)
    with served(whole) as server:
        reference = anyio.run(_build_whole, server.url)
    with served(killed) as server:
        job_id = anyio.run(_start_and_get_half_way, server.url)
        # Held still first: a plugin that is started between the two lines would be asked, and not be waited for.
        killed_process = psutil.Process(server.process.pid)
        killed_process.suspend()
        children = killed_process.children(recursive=True)
        server.process.kill()
        server.process.wait()
    assert children
    _, alive = psutil.wait_procs(children, timeout=10)
    assert not alive, "the killed server left a plugin behind"
    recorded = journal_of(killed.path / "plugineval.db", job_id)
    assert 0 < recorded.total() < int(str(reference["calls"]))
    before = calls_of(killed)
    with served(killed) as server:
        resumed = anyio.run(_resume, server.url, job_id)
    assert resumed["content_hash"] == reference["content_hash"]
    assert resumed["calls_replayed"] == recorded.total()
    assert int(str(resumed["calls"])) + recorded.total() == reference["calls"]
    assert journal_of(killed.path / "plugineval.db", job_id) - recorded == _made(killed.path / "plugineval.db", job_id)
    # The plugin's own log: what was answered and recorded is not asked again; only calls in flight may be.
    answered = recorded["execute"] + recorded["repeat"]
    assert before.total() - answered <= 8
    assert calls_of(killed).total() - before.total() == calls_of(whole).total() - answered


async def _build_whole(url: str) -> dict[str, Json]:
    async with over_http(url, "auto") as client:
        arguments = {"plugins": ["counting"], "name": "lengths", "size": SIZE, "wait_s": 45}
        return await _finished(client, await Agent(client).call("benchmark_build", **arguments))


async def _start_and_get_half_way(url: str) -> str:
    async with over_http(url, "legacy") as client:
        agent = Agent(client)
        job = await agent.call("benchmark_build", plugins=["counting"], name="lengths", size=SIZE, wait_s=0)
        job_id = str(job["job_id"])
        while int(str(job["done"])) < 2:
            assert job["state"] == "running"
            job = await agent.call("job_get", job_id=job_id, wait_s=0)
        return job_id


async def _resume(url: str, job_id: str) -> dict[str, Json]:
    async with over_http(url, "auto") as client:
        agent = Agent(client)
        left = await agent.call("job_get", job_id=job_id, wait_s=0)
        assert left["state"] == "interrupted"
        assert "job_resume" in str(left["next_step"])
        return await _finished(client, await agent.call("job_resume", job_id=job_id, wait_s=45))


async def _finished(client: Client, job: dict[str, Json]) -> dict[str, Json]:
    """The result of a completed build, with the hash of its benchmark."""
    assert job["state"] == "completed", job
    assert isinstance(job["result"], dict)
    page = await Agent(client).call("benchmark_get")
    assert isinstance(page["items"], list)
    assert isinstance(page["items"][0], dict)
    return {**job["result"], "content_hash": page["items"][0]["content_hash"]}


def _made(database: Path, job_id: str) -> "Counter[str]":
    """Calls by stage that the last run of a job made, from its whole result: what a conversation is told is shorter."""
    with closing(sqlite3.connect(database)) as connection:
        (result,) = connection.execute("select result from jobs where id = ?", (job_id,)).fetchone()
    return Counter(json.loads(result)["calls_by_stage"])


def journal_of(database: Path, job_id: str) -> "Counter[str]":
    """Recorded calls of a job by stage; lists of tools are none."""
    with closing(sqlite3.connect(database)) as connection:
        query = "select stage, count(*) from calls where scope = ? and stage <> 'snapshot' group by stage"
        return Counter(dict(connection.execute(query, (job_id,)).fetchall()))


def calls_of(home: Home) -> "Counter[str]":
    """What the plugin was asked, from its own log."""
    return Counter((home.path / "calls.txt").read_text(encoding="utf-8").splitlines())
