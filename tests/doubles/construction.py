"""A small world to construct in: two plugins, scripted roles that count their calls, a ledger in memory.

Every scripted query says in its text what kind of scenario it was written for, so that the scripted annotator,
verifier and router can act their part; a test overrides the one it is about.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Literal

import anyio

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.events import ConstructionEvent
from plugineval.pccf.construction.examining.annotation import EXPECTED
from plugineval.pccf.construction.plan import ConstructionPlan, ConstructionRoles
from plugineval.pccf.coverage.catalog import Catalog
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import Label, Underspecified, ValidInvocation
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.metering import Meter
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import DepthVote, LevelVote, ProposalTrace, Repetition, Round, VerificationRecord
from plugineval.pccf.roles import (
    Candidate,
    DepthVoted,
    DerivedScenarios,
    LevelAnnotator,
    ScenarioTask,
    StrengtheningTask,
    Voted,
    WritingTask,
    Written,
)
from plugineval.pccf.routing import EmittedCall, Failure, FailureKind, RouterReply
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Plugin, Toolset, ToolSpec
from plugineval.pccf.values import Json
from plugineval.pccf.verification import MadeCall, Repeated, VerificationRequest

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
DOWN = Failure(kind=FailureKind.PROVIDER_ERROR, detail="down")
STEPS = {Difficulty.EASY: (), Difficulty.MEDIUM: ("one",), Difficulty.HARD: ("one", "two")}


def tool(name: str, plugin: str = "sky") -> ToolSpec:
    schema: dict[str, Json] = {"type": "object", "properties": {"place": {"type": "string"}}, "required": ["place"]}
    return ToolSpec(plugin=plugin, name=name, description=f"Tells the {name}.", input_schema=schema)


def scenario(kind: ScenarioKind, target: str, number: int = 0, lookalike: str | None = None) -> Scenario:
    title = f"{kind.value} {number} of {target}"
    return Scenario(id=f"{target}.{kind.value}.{number}", kind=kind, target=target, title=title, lookalike=lookalike)


def kind_of(query: Query) -> ScenarioKind:
    return ScenarioKind(query.text.split(":")[0])


def written(task: WritingTask, index: int, *, difficulty: Difficulty | None = None) -> Candidate:
    level = difficulty or task.difficulty
    text = f"{task.scenario.kind.value}: {task.scenario.title}, {task.difficulty.value} {task.attempt}.{index}"
    steps = STEPS[level] if task.scenario.kind.positive else ()
    query = Query.of_text(text, origin="synthetic")
    return Candidate(query=query, scenario=task.scenario.id, difficulty=task.difficulty, inference_steps=steps)


def write_all(task: WritingTask) -> Written:
    return Written(candidates=tuple(written(task, index) for index in range(task.count)))


def nothing_harder(task: StrengtheningTask) -> Written:
    return Written()


@dataclass
class ScriptedWriter:
    by_tool: dict[str, tuple[Scenario, ...]]
    script: Callable[[WritingTask], Written] = write_all
    harder: Callable[[StrengtheningTask], Written] = nothing_harder
    id: str = "scripted-writer"
    tasks: list[WritingTask] = field(default_factory=list[WritingTask])
    strengthening: list[StrengtheningTask] = field(default_factory=list[StrengtheningTask])
    derived: list[str] = field(default_factory=list[str])

    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        self.derived.append(task.tool.offered_name)
        return DerivedScenarios(scenarios=self.by_tool.get(task.tool.offered_name, ()))

    async def write(self, task: WritingTask) -> Written:
        self.tasks.append(task)
        return self.script(task)

    async def strengthen(self, task: StrengtheningTask) -> Written:
        self.strengthening.append(task)
        return self.harder(task)


def vote_as_meant(level: Literal[1, 2], query: Query) -> Voted:
    positive = EXPECTED[kind_of(query)][level - 1] == 1
    return Voted(vote=LevelVote(level=level, positive=positive, reason="as meant", annotator="scripted-annotator"))


@dataclass
class ScriptedAnnotator:
    script: Callable[[Literal[1, 2], Query], Voted] = vote_as_meant
    id: str = "scripted-annotator"
    asked: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]])

    async def vote(self, level: Literal[1, 2], query: Query, tool: ToolSpec, toolset: Toolset) -> Voted:
        self.asked.append((level, query.text))
        return self.script(level, query)


def steps_as_written(query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
    """The difficulty that the text of the query names, as steps."""
    level = next((level for level in Difficulty if f", {level.value} " in query.text), Difficulty.EASY)
    return DepthVoted(vote=DepthVote(steps=STEPS[level], annotator="scripted-depth"))


@dataclass
class ScriptedDepth:
    script: Callable[[Query, ToolSpec, Invocation], DepthVoted] = steps_as_written
    id: str = "scripted-depth"
    asked: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    async def depth(self, query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
        self.asked.append((query.text, tool.offered_name))
        return self.script(query, tool, invocation)


Verdict = Literal["accepted", "rejected", "undecided"]


def accept_as_meant(request: VerificationRequest) -> tuple[Verdict, Label | None]:
    if kind_of(request.query) is ScenarioKind.UNDERSPECIFIED:
        return "accepted", Underspecified(missing=("place",))
    return "accepted", ValidInvocation(gold=Invocation(tool=request.tool.offered_name, arguments={"place": "Oslo"}))


def shown(record: VerificationRecord) -> Observation:
    """What the gold call of a scripted record showed."""
    return Observation(kind=ObservationKind.RETURNED, tool=record.target, arguments={"place": "Oslo"}, text="sunny")


def the_same_again(record: VerificationRecord) -> Repeated:
    return Repeated(repetition=Repetition(observation=shown(record)))


async def at_once(request: VerificationRequest) -> None:
    await anyio.lowlevel.checkpoint()


@dataclass
class ScriptedVerifier:
    script: Callable[[VerificationRequest], tuple[Verdict, Label | None]] = accept_as_meant
    pause: Callable[[VerificationRequest], Awaitable[None]] = at_once
    again: Callable[[VerificationRecord], Repeated] = the_same_again
    requests: list[VerificationRequest] = field(default_factory=list[VerificationRequest])
    repeated: list[tuple[str, str, int]] = field(default_factory=list[tuple[str, str, int]])

    async def repeat(self, record: VerificationRecord, tool: ToolSpec, after: Sequence[MadeCall] = ()) -> Repeated:
        self.repeated.append((record.id, tool.offered_name, len(after)))
        return self.again(record)

    async def verify(self, request: VerificationRequest) -> VerificationRecord:
        self.requests.append(request)
        await self.pause(request)
        verdict, label = self.script(request)
        record = VerificationRecord(
            id=request.record_id,
            query=request.query,
            target=request.tool.offered_name,
            scenario=request.scenario,
            gap=request.gap,
            votes=request.votes,
            verdict=verdict,
            reason="scripted",
            label=label,
            lambda_arg=0.5,
            lambda_out=0.5,
            tau=0.8,
            started_at=NOW,
            finished_at=NOW,
        )
        if not isinstance(label, ValidInvocation):
            return record
        gold = ProposalTrace(round=1, generator="g", index=0, proposal=label.gold, observation=shown(record), score=1.0)
        return record.model_copy(update={"rounds": (Round(number=1, traces=(gold,), best=0, accepted=True),)})


def calling(*names: str) -> RouterReply:
    return RouterReply(calls=tuple(EmittedCall(name=name, arguments={}) for name in names))


def never_calls(query: Query, seed: int) -> RouterReply:
    return calling()


@dataclass
class ScriptedRouter:
    script: Callable[[Query, int], RouterReply] = never_calls
    id: str = "scripted-router"
    prompt_hash: str = "prompt-1"
    asked: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        self.asked.append((query.text, seed))
        return self.script(query, seed)


@dataclass
class MemoryLedger:
    """Remembers answers by key digest; `made` counts the calls that were really made, by stage."""

    answers: dict[str, Json] = field(default_factory=dict[str, Json])
    made: list[str] = field(default_factory=list[str])

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        if key.digest not in self.answers:
            self.made.append(key.stage)
            self.answers[key.digest] = await make()
        return self.answers[key.digest]


@dataclass
class World:
    """Everything `construct` takes, with one target per plugin and all five kinds of scenario."""

    config: BuildConfig
    scenarios: tuple[Scenario, ...]
    writer: ScriptedWriter
    tools: tuple[ToolSpec, ...] = (tool("weather"), tool("clock", "time"))
    annotator: ScriptedAnnotator = field(default_factory=ScriptedAnnotator)
    second_annotator: ScriptedAnnotator | None = None
    depth: ScriptedDepth = field(default_factory=ScriptedDepth)
    verifier: ScriptedVerifier = field(default_factory=ScriptedVerifier)
    router: ScriptedRouter = field(default_factory=ScriptedRouter)
    ledger: MemoryLedger = field(default_factory=MemoryLedger)
    forbidden: frozenset[str] = frozenset()
    events: list[ConstructionEvent] = field(default_factory=list[ConstructionEvent])
    stand_ins: bool = False
    seeds: tuple[Query, ...] = ()
    catalog: Catalog | None = None
    meter: Meter | None = None

    @property
    def plan(self) -> ConstructionPlan:
        toolset = Toolset(tools=self.tools)
        plugins = tuple(
            Plugin(name=name, tools=tuple(t for t in self.tools if t.plugin == name))
            for name in dict.fromkeys(t.plugin for t in self.tools)
        )
        return ConstructionPlan(
            name="world",
            plugins=plugins,
            toolset=toolset,
            config=self.config,
            executable=frozenset(toolset.by_name) - self.forbidden,
            stand_ins=self.stand_ins,
            seeds=self.seeds,
            catalog=self.catalog,
        )

    @property
    def annotators(self) -> list[LevelAnnotator]:
        return [self.annotator, *([self.second_annotator] if self.second_annotator else [])]

    @property
    def roles(self) -> ConstructionRoles:
        return ConstructionRoles(
            writer=self.writer,
            annotators=self.annotators,
            depth=self.depth,
            verifier=self.verifier,
            router=self.router,
            ledger=self.ledger if self.meter is None else self.meter.ledger(self.ledger),
            clock=lambda: NOW,
            limiter=anyio.CapacityLimiter(4),
            meter=self.meter,
            played_by={"generator": "scripted-generator"},
        )

    async def hear(self, event: ConstructionEvent) -> None:
        self.events.append(event)


def world(
    config: BuildConfig, scenarios: Iterable[Scenario], script: Callable[[WritingTask], Written] = write_all
) -> World:
    every = tuple(scenarios)
    by_tool = {name: tuple(s for s in every if s.target == name) for name in dict.fromkeys(s.target for s in every)}
    return World(config=config, scenarios=every, writer=ScriptedWriter(by_tool=by_tool, script=script))
