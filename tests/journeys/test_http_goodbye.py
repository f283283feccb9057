"""A server that is told to stop answers whoever waits, ends what listens, and loses no step of its jobs."""

import signal
import time
from collections.abc import Callable

import anyio
import pytest

from doubles.mcp_client import MODES, Agent, Home, Mode, Served, served
from doubles.transports import over_url
from journeys.test_long_work import calls_of, journal_of
from plugineval.pccf.values import Json

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X3")]

BUILD: dict[str, object] = {"plugins": ["counting"], "name": "long", "size": 24}


async def _waits(url: str, mode: Mode, job_id: str, told: list[Json]) -> None:
    async with over_url(url, mode) as client:
        await client.list_tools()
        answered = await client.call_tool("job_get", {"job_id": job_id, "wait_s": 45})
        assert answered.structured_content is not None
        told.append(answered.structured_content["state"])


async def _listens(url: str, ended: anyio.Event) -> None:
    async with over_url(url, "auto") as client, client.listen(resources_list_changed=True) as events:
        async for _ in events:
            pass
        ended.set()


async def _stopped(server: Served, job_id: str) -> list[Json]:
    """What clients that waited were told when the server was told to stop."""
    told: list[Json] = []
    ended = anyio.Event()
    async with anyio.create_task_group() as group:
        for mode in MODES:
            group.start_soon(_waits, server.url, mode, job_id, told)
        group.start_soon(_listens, server.url, ended)
        await anyio.sleep(2)
        server.process.send_signal(signal.SIGTERM)
        began = time.monotonic()
        await anyio.to_thread.run_sync(server.process.wait)
        assert time.monotonic() - began < 8
    assert ended.is_set()
    return told


async def test_a_server_that_stops_answers_who_waits_and_its_job_repeats_nothing(new_home: Callable[..., Home]) -> None:
    home = new_home(DELAY="0.15")
    with served(home) as server:
        async with over_url(server.url, "auto") as client:
            job_id = str((await Agent(client).call("benchmark_build", **BUILD, wait_s=0))["job_id"])
        assert await _stopped(server, job_id) == ["running", "running"]
        assert not any("Traceback" in line or "Error" in line for line in server.said), server.said
    recorded = journal_of(home.path / "plugineval.db", job_id)
    # Every call that the plugin answered is kept; only those in flight when it stopped are made again.
    assert calls_of(home).total() - recorded["execute"] - recorded["repeat"] <= 8
    with served(home) as server:
        async with over_url(server.url, "auto") as client:
            assert (await Agent(client).call("job_get", job_id=job_id, wait_s=0))["state"] == "interrupted"
            done = await Agent(client).call("job_resume", job_id=job_id, wait_s=45)
            while done["state"] == "running":
                done = await Agent(client).call("job_get", job_id=job_id, wait_s=45)
    assert done["state"] == "completed", done
    assert isinstance(done["result"], dict)
    assert done["result"]["calls_replayed"] == recorded.total() > 0
