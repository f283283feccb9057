"""Twenty clients of both eras that live for hours: they list, read, page, build, measure, wait, cancel, work and judge.

What goes wrong is written down and the client goes on, as a person would.
"""

import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import cast

import anyio
import httpx2

from doubles.crowd import Speaker, Tally
from doubles.mcp_client import MODES, Agent, over_http
from doubles.scripted_agent import Clerk, answers_to
from plugineval.pccf.values import Json

PAUSE_S = 1.0
"""Between the calls of one client, on average."""
PAGES = 3
"""That a reader turns before it has found what it looked for."""
_CONVERT: Json = {
    "name": "convert",
    "description": "Convert metres to feet.",
    "input_schema": {"type": "object", "properties": {"value": {"type": "number"}}, "required": ["value"]},
}
_OVER = ("completed", "failed", "cancelled", "interrupted")
Doing = Callable[[Speaker], Awaitable[None]]


@dataclass
class Soaked:
    """What all clients met: `ended` counts jobs by kind and state, `wrong` is what should not have happened."""

    tally: Tally = field(default_factory=Tally)
    ended: dict[str, int] = field(default_factory=dict[str, int])
    wrong: list[str] = field(default_factory=list[str])


class Clients:
    """Everybody who is connected to the server at `url`; `benchmark_id` and `run_id` are there from the beginning."""

    def __init__(self, url: str, benchmark_id: str, run_id: str) -> None:
        self.met = Soaked()
        self._url, self._benchmark, self._run = url, benchmark_id, run_id
        self._rng = random.Random(7)
        self._numbers = count()

    async def live(self, until: float) -> None:
        """All of them, until that monotonic moment."""
        casts: list[tuple[int, Doing]] = [
            (6, self._read),
            (5, self._measure),
            (2, self._build),
            (4, self._work),
            (1, self._hire),
            (1, self._judge),
        ]
        doings = [doing for number, doing in casts for _ in range(number)]
        limits = httpx2.Limits(max_connections=64, max_keepalive_connections=64)
        async with httpx2.AsyncClient(timeout=60, limits=limits) as http, anyio.create_task_group() as group:
            for number, doing in enumerate(doings):
                group.start_soon(self._one, number, http, doing, until)
            group.start_soon(self._visit, until)

    async def _one(self, number: int, http: httpx2.AsyncClient, doing: Doing, until: float) -> None:
        speaker = Speaker(http, self._url, MODES[number % 2], f"client-{number}", self.met.tally)
        await speaker.begin()
        # Whoever waits for work that others do would wait for ever once they have gone.
        with anyio.move_on_after(until - time.monotonic()):
            while True:
                await self._noting(doing, speaker)
                await anyio.sleep(self._rng.uniform(0, 2 * PAUSE_S))

    async def _noting(self, doing: Doing, speaker: Speaker) -> None:
        try:
            await doing(speaker)
        except (AssertionError, httpx2.HTTPError, KeyError) as error:
            self.met.wrong.append(f"{doing.__name__}: {type(error).__name__} {error}"[:500])

    async def _read(self, speaker: Speaker) -> None:
        """Any of the reads of a conversation; what has pages is paged."""
        reads: tuple[Callable[[], Awaitable[object]], ...] = (
            partial(speaker.look, "plugin_list"),
            partial(self._pages, speaker, "benchmark_get", limit=10),
            partial(self._pages, speaker, "benchmark_get", benchmark_id=self._benchmark, limit=5),
            partial(self._pages, speaker, "report_get"),
            partial(self._pages, speaker, "report_get", run_id=self._run, view="errors"),
            partial(self._pages, speaker, "job_get"),
            partial(speaker.read, "resources/read", uri=f"plugineval://reports/{self._run}"),
            partial(self._listed, speaker),
        )
        await self._rng.choice(reads)()

    async def _listed(self, speaker: Speaker) -> None:
        cursor: dict[str, Json] = {}
        for _ in range(PAGES):
            page = await speaker.read("resources/list", **cursor)
            if not page.get("nextCursor"):
                return
            cursor = {"cursor": page["nextCursor"]}

    async def _pages(self, speaker: Speaker, tool: str, **arguments: Json) -> None:
        for _ in range(PAGES):
            page = await speaker.look(tool, **arguments)
            if not page.get("next_cursor"):
                return
            arguments["cursor"] = page["next_cursor"]

    async def _measure(self, speaker: Speaker) -> None:
        """Measure a model and read the report; one in five times the user thinks better of it."""
        regretted = self._rng.random() < 0.2
        job = await speaker.call(
            "evaluation_run",
            benchmark_id=self._benchmark,
            models=["fast"],
            repeats=50 if regretted else self._rng.randint(1, 3),
            wait_s=0,
        )
        ended = await self._ended(speaker, job, cancelled=regretted)
        if ended["state"] == "completed":
            self._run = str(cast("dict[str, Json]", ended["result"])["run_id"])
            await speaker.look("report_get", run_id=self._run)

    async def _build(self, speaker: Speaker) -> None:
        """Construct a small benchmark, or begin one and think better of it."""
        name, regretted = f"lengths-{next(self._numbers)}", self._rng.random() < 0.2
        job = await speaker.call("benchmark_build", plugins=["counting"], name=name, size=6, wait_s=0)
        ended = await self._ended(speaker, job, cancelled=regretted)
        if ended["state"] == "completed":
            made = str(cast("dict[str, Json]", ended["result"])["benchmark_id"])
            await speaker.look("benchmark_get", benchmark_id=made, view="coverage")

    async def _hire(self, speaker: Speaker) -> None:
        """Measure whoever takes the work."""
        job = await speaker.call("evaluation_run", benchmark_id=self._benchmark, models=["agent"], repeats=4, wait_s=0)
        await self._ended(speaker, job, cancelled=False)

    async def _ended(self, speaker: Speaker, job: dict[str, Json], *, cancelled: bool) -> dict[str, Json]:
        name = str(job["job_id"])
        if cancelled:
            await anyio.sleep(self._rng.uniform(0, 1))
            job = await speaker.call("job_cancel", job_id=name)
        while job["state"] not in _OVER:
            await anyio.sleep(PAUSE_S)
            job = await speaker.call("job_get", job_id=name, wait_s=5)
        ended = f"{job['kind']} {job['state']}"
        self.met.ended[ended] = self.met.ended.get(ended, 0) + 1
        if job["state"] in ("failed", "interrupted"):
            self.met.wrong.append(f"{ended}: {job}"[:500])
        return job

    async def _work(self, speaker: Speaker) -> None:
        """Take items and answer them."""
        batch = await speaker.call("work_next", limit=4)
        answers = answers_to(batch, Clerk())
        if answers:
            await speaker.call("work_submit", lease_id=batch["lease_id"], answers=cast("list[Json]", answers))

    async def _judge(self, speaker: Speaker) -> None:
        """Grade rows that nobody has seen before, and now and then a whole run again."""
        if self._rng.random() < 0.1:
            await self._ended(speaker, await speaker.call("judge_run", run_id=self._run), cancelled=False)
        numbers = [next(self._numbers) for _ in range(3)]
        rows: list[Json] = [
            {
                "query": f"How many feet are {number} metres?",
                "tools": [_CONVERT],
                "gold": [{"name": "convert", "arguments": {"value": number}}],
                "predicted": [{"name": "convert", "arguments": {"value": number}}],
            }
            for number in numbers
        ]
        graded = await speaker.call("evaluation_submit", rows=rows)
        told = [each["verdict"] for each in cast("list[dict[str, Json]]", graded["verdicts"])]
        assert told == ["correct"] * 3, graded

    async def _visit(self, until: float) -> None:
        """A real client that comes, waits for a run with progress, and leaves."""
        for visit in count():
            if time.monotonic() > until:
                return
            try:
                async with over_http(self._url, MODES[visit % 2]) as client:
                    agent = Agent(client)
                    await agent.call("benchmark_get")
                    models = ["baseline:lexical"]
                    await agent.call("evaluation_run", benchmark_id=self._benchmark, models=models, wait_s=20)
                    await agent.read(f"plugineval://reports/{self._run}")
            except* (AssertionError, httpx2.HTTPError) as errors:
                self.met.wrong.append(f"visit: {errors.exceptions!r}"[:500])
            await anyio.sleep(self._rng.uniform(0, 4 * PAUSE_S))
