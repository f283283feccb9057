"""How fast a benchmark is built where every model answers after 50 ms, against what these answers alone must take.

Real Stage I, real journal and store on disk, scripted roles that sleep. The ideal is what the same sleeps take in 32
lanes on this machine in this run, nothing else being done, or the longest chain of calls that wait for each other. What
the engine itself costs is processor time per proposal, because sleeping takes none.
"""

import time
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

import anyio
import pytest

from doubles.construction import NOW, STEPS, ScriptedWriter, kind_of, scenario, vote_as_meant, written
from plugineval.pccf.calling import in_order
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.events import CatalogMade, ConstructionEvent, OnEvent, RecordVerified, RoundEnded
from plugineval.pccf.construction.plan import ConstructionPlan, ConstructionRoles
from plugineval.pccf.construction.results import ConstructionResult, StopReason
from plugineval.pccf.examples import Benchmark, Difficulty, Query
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.loop import construct
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Assessment, DepthVote
from plugineval.pccf.roles import (
    Assessed,
    DepthVoted,
    DerivedScenarios,
    ProposalTask,
    Proposed,
    ScenarioTask,
    StrengtheningTask,
    Voted,
    WritingTask,
    Written,
)
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Plugin, Toolset, ToolSpec
from plugineval.pccf.values import Arguments, Json
from plugineval.pccf.verification import StageOne, StageOneRoles
from plugineval.server.store.journal import Journal
from plugineval.server.store.store import Store

pytestmark = pytest.mark.speed

MODEL_S = 0.05
PLUGIN_S = 0.002
LANES = 32
SIZE = 240
TOOLS = 60
MOST_OF_IDEAL = 1.3
MOST_MS_PER_PROPOSAL = 5.0
CHAIN = ("scenarios", "write", "vote", "vote", "propose", "assess", "execute", "assess", "depth")
"""Calls that wait for each other on the way to a positive."""


def tool(number: int) -> ToolSpec:
    """A tool as real servers have them: a page of description, nested arguments."""
    words = " ".join(f"part{number} says what field {index} means and when to leave it out" for index in range(30))
    nested: dict[str, Json] = {f"option_{index}": {"type": "string", "description": words[:80]} for index in range(12)}
    properties: dict[str, Json] = {
        "place": {"type": "string", "description": f"Where thing{number} happens."},
        "options": {"type": "object", "properties": nested},
    }
    schema: dict[str, Json] = {"type": "object", "properties": properties, "required": ["place"]}
    return ToolSpec(
        plugin="sky", name=f"tool_{number}", description=f"Does thing{number}. {words}", input_schema=schema
    )


def of_thing(kind: ScenarioKind, number: int) -> Scenario:
    found = scenario(kind, f"tool_{number}", lookalike=f"tool_{(number + 1) % TOOLS}")
    return found.model_copy(update={"title": f"thing {number}"})


class Counted:
    """Every role in one: sleeps, counts, and answers as meant."""

    id = "counted"
    prompt_hash = "p"

    def __init__(self, by_tool: dict[str, tuple[Scenario, ...]]) -> None:
        self.made: Counter[str] = Counter()
        self._writer = ScriptedWriter(by_tool=by_tool)

    async def _answer(self, stage: str, seconds: float = MODEL_S) -> None:
        self.made[stage] += 1
        await anyio.sleep(seconds)

    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        await self._answer("scenarios")
        return await self._writer.scenarios(task)

    async def write(self, task: WritingTask) -> Written:
        await self._answer("write")
        return Written(candidates=tuple(written(task, index) for index in range(task.count)))

    async def strengthen(self, task: StrengtheningTask) -> Written:
        await self._answer("strengthen")
        return Written()

    async def vote(self, level: Literal[1, 2], query: Query, tool: ToolSpec, toolset: Toolset) -> Voted:
        await self._answer("vote")
        return vote_as_meant(level, query)

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        await self._answer("propose")
        if kind_of(task.query) is ScenarioKind.UNDERSPECIFIED:
            return Proposed(proposal=Abstention(missing=("place",), reason=f"reason {index}"))
        arguments: Arguments = {"place": "Oslo", "options": {"option_0": f"as {index}"}}
        return Proposed(proposal=Invocation(tool=task.tool.offered_name, arguments=arguments))

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        return await self._assessed()

    async def assess_result(
        self, query: Query, tool: ToolSpec, invocation: Invocation, observation: Observation
    ) -> Assessed:
        return await self._assessed()

    async def _assessed(self) -> Assessed:
        await self._answer("assess")
        return Assessed(assessment=Assessment(score=1.0, reason="right", evaluator="other"))

    async def call(
        self, tool: ToolSpec, arguments: Arguments, *, after: Sequence[tuple[ToolSpec, Invocation]] = ()
    ) -> Observation:
        await self._answer("execute", PLUGIN_S)
        return Observation(kind=ObservationKind.RETURNED, tool=tool.name, arguments=arguments, text="sunny " * 200)

    async def depth(self, query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
        await self._answer("depth")
        level = next(level for level in Difficulty if f", {level.value} " in query.text)
        return DepthVoted(vote=DepthVote(steps=STEPS[level], annotator=self.id))

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        await self._answer("calibrate")
        hard, medium = ", hard " in query.text, ", medium " in query.text
        taken_in = hard or (medium and seed == 0)
        target = f"tool_{query.text.split('thing ')[1].split(',')[0]}"
        return RouterReply(calls=(EmittedCall(name=target, arguments={}),) if taken_in else ())


class Built(NamedTuple):
    result: ConstructionResult
    roles: Counted
    wall_s: float
    cpu_s: float


async def build(place: Path) -> Built:
    tools = tuple(map(tool, range(TOOLS)))
    scenarios = {each.name: tuple(of_thing(kind, number) for kind in ScenarioKind) for number, each in enumerate(tools)}
    toolset, roles = Toolset(tools=tools), Counted(scenarios)
    config = BuildConfig(size=SIZE, concurrency=LANES, chains=False)
    limiter = anyio.CapacityLimiter(LANES)
    async with Store.open(place) as store:
        journal = Journal(store, "job")
        stage_one = StageOneRoles(
            generators=(roles,), arguments=roles, results=roles, session=roles, ledger=journal, limiter=limiter
        )
        plan = ConstructionPlan(
            name="speed",
            benchmark_id="bench",
            plugins=(Plugin(name="sky", tools=tools),),
            toolset=toolset,
            config=config,
            executable=frozenset(toolset.by_name),
        )
        cast = ConstructionRoles(
            writer=roles,
            annotators=(roles,),
            depth=roles,
            verifier=StageOne(stage_one),
            router=roles,
            ledger=journal,
            clock=lambda: NOW,
            limiter=limiter,
        )
        wall, cpu = time.perf_counter(), time.process_time()
        result = await construct(plan, cast, _keeper(store, plan))
        return Built(result, roles, time.perf_counter() - wall, time.process_time() - cpu)


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


async def bare(made: Counter[str]) -> float:
    """Seconds that the same calls take where nothing but them is done."""
    limiter = anyio.CapacityLimiter(LANES)

    async def sleep(seconds: float) -> None:
        async with limiter:
            await anyio.sleep(seconds)

    lengths = [PLUGIN_S if stage == "execute" else MODEL_S for stage in made.elements()]
    started = time.perf_counter()
    await in_order([partial(sleep, seconds) for seconds in lengths])
    return time.perf_counter() - started


def test_a_build_takes_hardly_longer_than_its_answers_and_its_engine_costs_little_per_proposal(tmp_path: Path) -> None:
    runs = [anyio.run(build, tmp_path / f"{number}.db") for number in range(3)]
    made, result = runs[0].roles.made, runs[0].result
    assert result.stop_reason is StopReason.BUDGETS_MET
    assert made["propose"] >= 3 * len(result.benchmark.examples) // 2
    chain = sum(PLUGIN_S if stage == "execute" else MODEL_S for stage in CHAIN)
    ideal = max(anyio.run(bare, made), chain * len(result.rounds))
    wall = min(run.wall_s for run in runs)
    per_proposal = min(run.cpu_s for run in runs) * 1000 / made["propose"]
    told = f"{made.total()} calls, {wall:.2f} s, ideal {ideal:.2f} s, {per_proposal:.2f} ms a proposal"
    assert wall <= MOST_OF_IDEAL * ideal, told
    assert per_proposal <= MOST_MS_PER_PROPOSAL, told
