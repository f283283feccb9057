"""A minute of fifty clients at once over HTTP, of both eras: readers, agents that do work, and judges of rows.

Measured alone on the machine (`pytest -m load -s` prints the figures). Nobody meets an error, no item of work is lost
or done twice, who reads waits no longer than ten times as long as alone, and the server does not grow.
"""

import random
import sqlite3
import statistics
import time
from contextlib import closing
from pathlib import Path
from typing import NamedTuple, cast

import anyio
import httpx2
import psutil
import pytest

from doubles.crowd import Speaker, Tally
from doubles.mcp_client import MODES, Agent, Home, Served, in_memory, served
from doubles.scripted_agent import Clerk, answers_to
from journeys.conftest import counting_home
from plugineval.pccf.values import Json
from plugineval.server.jobs.self_judging import SIDE_BY_SIDE
from plugineval.server.store import tables

pytestmark = [pytest.mark.anyio, pytest.mark.load]

CLIENTS, SECONDS, WARM_S = 50, 60.0, 15.0
PAUSE_S = 2.0
"""Between the calls of one client, on average: the quickest agents think about as long. Twice as fast, everything but
the ratio holds.
"""
WORKERS, JUDGES = 15, 10
WORK = tables.table_of(tables.WorkItems).name
RUNS, REPEATS = 3, 100
"""Of an agent: work for everybody, for longer than a minute."""
CONVERT: Json = {
    "name": "convert",
    "description": "Convert metres to feet.",
    "input_schema": {"type": "object", "properties": {"value": {"type": "number"}}, "required": ["value"]},
}
ROWS: list[Json] = [
    {
        "query": f"How many feet are {number} metres?",
        "tools": [CONVERT],
        "gold": [{"name": "convert", "arguments": {"value": number}}],
        "predicted": [{"name": "convert", "arguments": {"value": number + (number % 2)}}],
    }
    for number in range(1, 4)
]


class Known(NamedTuple):
    """What readers read."""

    benchmark: str
    cases: tuple[str, ...]
    run: str


class Vitals(NamedTuple):
    """How much a process holds and has used: MiB of memory, open files, seconds of processor."""

    memory: float
    files: int
    cpu_s: float

    @classmethod
    def of(cls, server: Served) -> "Vitals":
        """As they are now."""
        process = psutil.Process(server.process.pid)
        times = process.cpu_times()
        return cls(process.memory_info().rss / 2**20, process.num_fds(), times.user + times.system)


async def prepared(home: Home) -> Known:
    """Build a benchmark and measure floors on it."""
    async with in_memory(home, "auto") as client:
        agent = Agent(client)
        build = await agent.call("benchmark_build", plugins=["counting"], name="lengths", size=12, wait_s=45)
        benchmark = str(cast("dict[str, Json]", build["result"])["benchmark_id"])
        run = await agent.call("evaluation_run", benchmark_id=benchmark, models=["baseline:lexical"], wait_s=45)
        page = await agent.call("benchmark_get", benchmark_id=benchmark)
        cases = tuple(str(item["id"]) for item in cast("list[dict[str, Json]]", page["items"]))
        return Known(benchmark, cases, str(cast("dict[str, Json]", run["result"])["run_id"]))


class Crowd:
    """Everybody who is connected."""

    def __init__(self, server: Served, known: Known, tally: Tally) -> None:
        self._server, self._known, self.tally = server, known, tally
        self._rng = random.Random(6)

    async def one_read(self, speaker: Speaker) -> None:
        """Any of the reads of a conversation."""
        known, rng = self._known, self._rng
        match rng.randrange(8):
            case 0:
                await speaker.look("plugin_list")
            case 1:
                await speaker.look("benchmark_get")
            case 2:
                await speaker.look("benchmark_get", benchmark_id=known.benchmark)
            case 3:
                await speaker.look("case_get", case_id=rng.choice(known.cases))
            case 4:
                await speaker.look("report_get", run_id=known.run)
            case 5:
                await speaker.look("job_get")
            case 6:
                await speaker.read("resources/read", uri=f"plugineval://reports/{known.run}")
            case _:
                await speaker.read("resources/list")

    async def work(self, speaker: Speaker) -> None:
        """Take items and answer them."""
        batch = await speaker.call("work_next", limit=4)
        answers = answers_to(batch, Clerk())
        if not answers:
            return
        self.tally.taken.update(str(answer["item_id"]) for answer in answers)
        await self.think()
        receipt = await speaker.call("work_submit", lease_id=batch["lease_id"], answers=cast("list[Json]", answers))
        assert (receipt["accepted"], receipt["refused"]) == (len(answers), 0), receipt
        self.tally.accepted.update(str(answer["item_id"]) for answer in answers)

    async def judge(self, speaker: Speaker) -> None:
        """Grade rows, and now and then a whole run again."""
        if self._rng.random() < 0.03:
            await speaker.call("judge_run", run_id=self._known.run)
            return
        graded = await speaker.call("evaluation_submit", rows=ROWS)
        told = [each["verdict"] for each in cast("list[dict[str, Json]]", graded["verdicts"])]
        assert told == ["incorrect", "correct", "incorrect"], graded

    async def live(self, number: int, http: httpx2.AsyncClient, until: float) -> None:
        """One client, from its first call to the end."""
        speaker = Speaker(http, self._server.url, MODES[number % 2], f"client-{number}", self.tally)
        await speaker.begin()
        doing = self.work if number < WORKERS else self.judge if number < WORKERS + JUDGES else self.one_read
        while time.monotonic() < until:
            await doing(speaker)
            await self.think()

    async def think(self) -> None:
        """What a model does between two calls."""
        await anyio.sleep(self._rng.uniform(0, 2 * PAUSE_S))


async def alone(crowd: Crowd, http: httpx2.AsyncClient, url: str) -> float:
    """The usual seconds of a read when nobody else is there."""
    for mode in MODES:
        speaker = Speaker(http, url, mode, "alone", crowd.tally)
        await speaker.begin()
        for _ in range(100):
            await crowd.one_read(speaker)
    usual = statistics.median(crowd.tally.reads[20:])
    crowd.tally.reads.clear()
    return usual


def kept(home: Home, query: str) -> int:
    """A count in the database."""
    with closing(sqlite3.connect(f"file:{home.path / 'plugineval.db'}?mode=ro", uri=True)) as connection:
        return int(connection.execute(query).fetchone()[0])


async def test_fifty_clients_at_once_meet_no_error_lose_nothing_and_wait_little(tmp_path: Path) -> None:
    home = counting_home(tmp_path / "home")
    known = await prepared(home)
    limits = httpx2.Limits(max_connections=CLIENTS * 2, max_keepalive_connections=CLIENTS * 2)
    with served(home) as server:
        async with httpx2.AsyncClient(timeout=60, limits=limits) as http:
            crowd = Crowd(server, known, Tally())
            usual = await alone(crowd, http, server.url)
            starter = Speaker(http, server.url, "auto", "starter", crowd.tally)
            wanted: dict[str, Json] = {
                "benchmark_id": known.benchmark,
                "models": ["agent"],
                "repeats": REPEATS,
                "wait_s": 0,
            }
            for _ in range(RUNS):
                await starter.call("evaluation_run", **wanted)
            # What is loaded at first use is no growth.
            await starter.call("judge_run", run_id=known.run)
            # Laying out hundreds of items at once is work of its own, and no part of the minute.
            laid_out = min(SIDE_BY_SIDE // REPEATS, len(known.cases)) * REPEATS
            with anyio.fail_after(120):
                while kept(home, "select count(*) from workitems") < RUNS * laid_out:
                    await anyio.sleep(0.2)
            until = time.monotonic() + SECONDS
            seen, early = list[Vitals](), 0
            async with anyio.create_task_group() as everybody:
                for number in range(CLIENTS):
                    everybody.start_soon(crowd.live, number, http, until)
                await anyio.sleep(WARM_S)
                seen.append(Vitals.of(server))
                early = len(crowd.tally.reads)
            seen.append(Vitals.of(server))
            await _settled(home, len(crowd.tally.accepted))
            reads = statistics.quantiles(crowd.tally.reads[early:], n=100)
            figures = (
                f"{crowd.tally.calls.total()} calls, {len(crowd.tally.reads)} reads: p50 {reads[49] * 1e3:.0f} ms, "
                f"p95 {reads[94] * 1e3:.0f} ms, alone {usual * 1e3:.1f} ms; {len(crowd.tally.accepted)} items; "
                f"{seen[0].memory:.0f} -> {seen[1].memory:.0f} MiB, {seen[0].files} -> {seen[1].files} files; "
                f"{seen[1].cpu_s - seen[0].cpu_s:.1f} s of processor in {SECONDS - WARM_S:.0f} s"
            )
            print(figures)  # noqa: T201 - the figures are what this is for
    assert max(crowd.tally.accepted.values()) == max(crowd.tally.taken.values()) == 1
    assert crowd.tally.accepted.keys() == crowd.tally.taken.keys()
    assert reads[94] < 10 * usual, figures
    assert seen[1].memory < seen[0].memory * 1.1 + 8, figures
    assert seen[1].files <= seen[0].files + 10, figures
    assert not [line for line in server.said if "Traceback" in line or "rror" in line], server.said[-20:]


async def _settled(home: Home, accepted: int) -> None:
    """Every accepted answer is one row, and no row is without one."""
    with anyio.fail_after(60):
        while kept(home, "select count(*) from attempts where model = 'agent'") < accepted:
            await anyio.sleep(0.2)
    assert kept(home, "select count(*) from attempts where model = 'agent'") == accepted
    assert kept(home, "select count(*) from workitems where answer is not null") == accepted
