"""What the engine of a build costs beside its models and plugins, in processor time per proposal.

Real Stage I, real journal, meter and store on disk; every role answers at once, so that no time is anybody's but the
engine's (what the scripted roles cost themselves is in it). Proposals are what a build pays for: on the way to each
there are some six calls, every one committed before it is used.
"""

import time
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import anyio

from benchmarks.build_players import TOOLS, Players, of_thing, tool
from benchmarks.measured import Measured
from doubles.construction import NOW
from plugineval.pccf.calling import in_order
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.events import CatalogMade, ConstructionEvent, OnEvent, RecordVerified, RoundEnded
from plugineval.pccf.construction.plan import ConstructionPlan, ConstructionRoles
from plugineval.pccf.construction.results import ConstructionResult
from plugineval.pccf.examples import Benchmark
from plugineval.pccf.loop import construct
from plugineval.pccf.metering import Meter
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Plugin, Toolset
from plugineval.pccf.verification import StageOne, StageOneRoles
from plugineval.server.jobs.collecting import rare_collections
from plugineval.server.store.journal import Journal
from plugineval.server.store.store import Store

LANES = 32
SMALL, USUAL, LARGE = 50, 200, 800
"""Examples."""
MOST_MS = 2.0
MOST_GROWTH = 1.2
TRIES = 3


class Built(NamedTuple):
    """A benchmark, who made it, and what that took in seconds."""

    result: ConstructionResult
    players: Players
    wall_s: float
    cpu_s: float

    @property
    def ms_per_proposal(self) -> float:
        """Processor time of the whole process."""
        return self.cpu_s * 1000 / self.players.made["propose"]


def measure() -> list[Measured]:
    """Per proposal at three sizes, and whether it grows with the size."""
    cost = {size: _fastest(size) for size in (SMALL, USUAL, LARGE)}
    told = "processor time, scripted roles included"
    figures = [
        Measured(f"engine per proposal, {size} examples", cost[size], "ms", MOST_MS if size > SMALL else None, told)
        for size in cost
    ]
    grown = cost[LARGE] / cost[USUAL]
    return [*figures, Measured("growth per proposal", grown, "x", MOST_GROWTH, f"{LARGE} against {USUAL} examples")]


def _fastest(size: int) -> float:
    with TemporaryDirectory() as place:
        runs = [anyio.run(partial(build, Path(place, f"{number}.db"), size=size)) for number in range(TRIES)]
    return min(run.ms_per_proposal for run in runs)


async def build(place: Path, *, size: int, model_s: float = 0.0) -> Built:
    """A benchmark of `size` examples of 60 tools, whose roles answer after `model_s` seconds, kept in `place`."""
    tools = tuple(map(tool, range(TOOLS)))
    scenarios = {each.name: tuple(of_thing(kind, number) for kind in ScenarioKind) for number, each in enumerate(tools)}
    plan = ConstructionPlan(
        name="speed",
        benchmark_id="bench",
        plugins=(Plugin(name="sky", tools=tools),),
        toolset=Toolset(tools=tools),
        config=BuildConfig(size=size, concurrency=LANES, chains=False),
        executable=frozenset(each.offered_name for each in tools),
    )
    players = Players(scenarios, model_s=model_s)
    async with Store.open(place) as store:
        cast = _cast(players, store)
        wall, cpu = time.perf_counter(), time.process_time()
        with rare_collections():
            result = await construct(plan, cast, _keeper(store, plan))
        return Built(result, players, time.perf_counter() - wall, time.process_time() - cpu)


def _cast(players: Players, store: Store) -> ConstructionRoles:
    """All roles, as a build job binds them."""
    meter, limiter = Meter(), anyio.CapacityLimiter(LANES)
    ledger = meter.ledger(Journal(store, "job"))
    stage_one = StageOneRoles(
        generators=(players,),
        arguments=players,
        results=players,
        session=players,
        ledger=ledger,
        limiter=limiter,
        meter=meter,
    )
    return ConstructionRoles(
        writer=players,
        annotators=(players,),
        depth=players,
        verifier=StageOne(stage_one),
        router=players,
        ledger=ledger,
        clock=lambda: NOW,
        limiter=limiter,
        meter=meter,
    )


def _keeper(store: Store, plan: ConstructionPlan) -> OnEvent:
    """Keeps what a build job keeps, when it happens."""

    async def keep(event: ConstructionEvent) -> None:
        match event:
            case CatalogMade(catalog=catalog):
                await store.benchmarks.save_header(_header(plan, catalog.scenarios))
            case RecordVerified(record=record, example=example):
                kept: list[Callable[[], Awaitable[None]]] = [partial(store.records.append, "bench", record)]
                kept += [partial(store.examples.append, "bench", example)] if example is not None else []
                await in_order(kept)
            case RoundEnded(round=ended):
                await store.rounds.append("bench", ended.number, ended)

    return keep


def _header(plan: ConstructionPlan, scenarios: tuple[Scenario, ...]) -> Benchmark:
    return Benchmark(
        id="bench",
        name=plan.name,
        created_at=NOW,
        plugins=plan.plugins,
        toolset=plan.toolset,
        scenarios=scenarios,
        examples=(),
    )
