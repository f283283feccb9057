"""What it costs to keep an endpoint within its limits together: a meeting in the database, and its share of a call."""

import time
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import anyio

from benchmarks.measured import Measured
from doubles.postgres import Postgres
from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.load import Load
from plugineval.clients.models.pace import PaceLimits, Told
from plugineval.clients.models.sharing import Sharing
from plugineval.server.sharing.stored_pace import StoredPace
from plugineval.server.store.store import Store

MEETINGS, CALLS, AT_ONCE = 300, 4_000, 64
PER_MINUTE = 120_000.0
"""So many that calls wait for the machine and not for the rate."""


def measure() -> list[Measured]:
    """On SQLite and on PostgreSQL."""
    alone = anyio.run(_alone)
    with TemporaryDirectory() as folder, Postgres.running() as server:
        places = {"SQLite": str(Path(folder) / "p.db"), "PostgreSQL": server.create()}
        return [figure for name, place in places.items() for figure in anyio.run(partial(_on, name, place, alone))]


async def _on(name: str, place: str, alone: float) -> list[Measured]:
    async with Store.open(place) as store:
        pace, limits = StoredPace(store), PaceLimits(32, PER_MINUTE, None)
        began = time.perf_counter()
        for _ in range(MEETINGS):
            await pace.meet("http://h", "a", limits, Told(requests=1))
        each = (time.perf_counter() - began) / MEETINGS
        pace = StoredPace(store)
        async with Sharing.open(pace) as sharing:
            load = _load()
            load.places_shared = True
            sharing.join(load, "http://other")
            shared = await _calls(load)
        together = pace.meetings
    return [
        Measured(f"a meeting, {name}", each * 1000, "ms", None, "one transaction"),
        Measured(f"CPU of a call that shares its endpoint, {name}", shared, "us", None, f"{alone:.0f} us where not"),
        Measured(f"meetings of {CALLS} calls, {name}", together, "", CALLS / 20, "none where not"),
    ]


async def _alone() -> float:
    return await _calls(_load())


def _load() -> Load:
    return Load(ModelConfig(id="m", model="m", concurrency=AT_ONCE, requests_per_minute=PER_MINUTE))


async def _calls(load: Load) -> float:
    """CPU microseconds of a call's way through its load, all threads of the process together."""

    async def caller() -> None:
        for _ in range(CALLS // AT_ONCE):
            turn = await load.begin(10, patience_s=60)
            load.answered(turn, 10)
            load.end(turn)

    began = time.process_time()
    async with anyio.create_task_group() as tasks:
        for _ in range(AT_ONCE):
            tasks.start_soon(caller)
    return (time.process_time() - began) / CALLS * 1e6
