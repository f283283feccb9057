"""`python -m tests.benchmarks soak --minutes 30`: a server for half an hour of builds, runs and twenty clients.

Memory, open files and threads must be flat after the warm-up, no process may be left over, no client may meet an
error. Every sample is a line of JSON, so that a picture can be made; what other programs did to the machine meanwhile
moves the times, never the memory.
"""

import argparse
import json
import secrets
import signal
import sqlite3
import tempfile
import time
from collections.abc import Iterable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import TextIO, cast

import anyio
import httpx2
import psutil

from benchmarks.measured import Measured
from benchmarks.soak_clients import Clients
from benchmarks.soak_figures import figures
from benchmarks.soak_model import soak_model
from benchmarks.soak_vitals import Held, Vitals, marked
from doubles.crowd import Speaker, Tally
from doubles.mcp_client import Home, Served, plugin_table, served
from plugineval.pccf.values import Json

EVERY_S = 5.0
ENDS_S = 20.0
"""Within which a server that was told to stop has gone."""
TABLES = ("attempts", "graded", "calls", "workitems", "examples", "records", "jobs", "reports")


class Soak:
    """One server, and whatever it starts, recognised by `marker` in its environment."""

    def __init__(self, folder: Path, model_url: str) -> None:
        self.marker = secrets.token_hex(8)
        plugin = Path(__file__).resolve().parents[1] / "journeys" / "counting.py"
        calls = json.dumps(str(folder / "calls.txt"))
        settings = (
            plugin_table("counting", plugin, env={}).replace(
                "env = {}", f'env = {{ CALLS = {calls}, SOAK = "{self.marker}" }}'
            )
            + f'\n[models.fast]\nbase_url = "{model_url}"\nmodel = "m"\n'
        )
        self.home = Home.at(folder, settings, SOAK=self.marker)
        self.samples: list[Vitals] = []
        self.census: dict[str, list[str]] = {}

    @property
    def database(self) -> Path:
        """Where the server keeps everything."""
        return self.home.path / "plugineval.db"

    async def run(self, minutes: float, out: TextIO) -> Clients:
        """Everything, from the first benchmark to a server that is gone."""
        with served(self.home) as server:
            clients = await self._begun(server)
            started = time.monotonic()
            async with anyio.create_task_group() as group:
                group.start_soon(self._watch, server, clients, out)
                await clients.live(started + minutes * 60)
                group.cancel_scope.cancel()
            self.census["at rest"] = await self._children(server)
            await self._stopped_in_mid_work(server, clients)
            clients.met.wrong += [line for line in server.said if "Traceback" in line or "rror" in line]
        self.census["stopped"] = marked(self.marker)
        return clients

    async def _begun(self, server: Served) -> Clients:
        async with httpx2.AsyncClient(timeout=60) as http:
            speaker = Speaker(http, server.url, "auto", "starter", Tally())
            built = await speaker.call("benchmark_build", plugins=["counting"], name="lengths", size=12, wait_s=45)
            benchmark = str(cast("dict[str, Json]", built["result"])["benchmark_id"])
            models: list[Json] = ["baseline:lexical"]
            run = await speaker.call("evaluation_run", benchmark_id=benchmark, models=models, wait_s=45)
        return Clients(server.url, benchmark, str(cast("dict[str, Json]", run["result"])["run_id"]))

    async def _watch(self, server: Served, clients: Clients, out: TextIO) -> None:
        process, met, started = psutil.Process(server.process.pid), clients.met, time.monotonic()
        seen = told = 0
        while True:
            await anyio.sleep(EVERY_S)
            reads = tuple(met.tally.reads[seen:])
            seen += len(reads)
            held = Held.by(process, self.database)
            sample = Vitals(
                at_s=time.monotonic() - started,
                **asdict(held),
                calls=met.tally.calls.total(),
                jobs=sum(met.ended.values()),
                reads=reads,
            )
            self.samples.append(sample)
            out.write(json.dumps({**sample.line, "wrong": met.wrong[told:]}) + "\n")
            told = len(met.wrong)
            out.flush()

    async def _children(self, server: Served) -> list[str]:
        """What is left when no job runs any more; a process that is just ending is given a moment."""
        process, left = psutil.Process(server.process.pid), list[str]()
        for _ in range(20):
            left = [f"{child.pid} {child.name()}" for child in process.children(recursive=True)]
            if not left:
                break
            await anyio.sleep(0.5)
        return left

    async def _stopped_in_mid_work(self, server: Served, clients: Clients) -> None:
        """Told to stop while a plugin runs, as a host or an operator does it."""
        async with httpx2.AsyncClient(timeout=60) as http:
            speaker = Speaker(http, server.url, "auto", "last", clients.met.tally)
            await speaker.call("benchmark_build", plugins=["counting"], name="last", size=60, wait_s=0)
            with anyio.fail_after(30):
                while len(marked(self.marker)) < 2:
                    await anyio.sleep(0.05)
        server.process.send_signal(signal.SIGTERM)
        with anyio.move_on_after(ENDS_S):
            while server.process.poll() is None:
                await anyio.sleep(0.1)
        self.census["ended by itself"] = [] if server.process.poll() is not None else ["the server"]

    def rows(self) -> int:
        """All that was kept."""
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as connection:
            return sum(int(connection.execute(f"select count(*) from {table}").fetchone()[0]) for table in TABLES)

    def figures(self, clients: Clients) -> list[Measured]:
        """What came out."""
        return figures(self.samples, clients.met, self.census, self.rows())


async def soaked(minutes: float, out: TextIO) -> list[Measured]:
    """Soak a server of its own for so long."""
    with tempfile.TemporaryDirectory() as folder, soak_model() as url:
        soak = Soak(Path(folder) / "home", url)
        return soak.figures(await soak.run(minutes, out))


def measure(words: Iterable[str]) -> list[Measured]:
    """`--minutes` of it, a line of JSON for each sample to `--out`."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks soak", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--out", type=Path, default=Path("soak.jsonl"))
    said = parser.parse_args([*words])
    with said.out.open("w", encoding="utf-8") as out:
        return anyio.run(soaked, said.minutes, out)
