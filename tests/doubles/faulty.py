"""Players whose errors are planted at known rates, so that a test knows what each component of a construction removes.

Everything is drawn by hashing a seed with what is asked, so that a replay and another variant see the same errors.
A query names its right value in its last word and, in its text, the difficulty that it really has; the script
therefore knows whether any gold is right.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

import anyio
import anyio.lowlevel

from doubles.construction import NOW, STEPS, MemoryLedger, ScriptedAnnotator, ScriptedDepth, ScriptedRouter
from plugineval.pccf.ablations.asking import Asking
from plugineval.pccf.ablations.runs import VariantRun, run_variant, with_truth
from plugineval.pccf.ablations.truth import Claim
from plugineval.pccf.ablations.variants import Sweep, variants_of
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.plan import ConstructionPlan, ConstructionRoles
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.invocations import Abstention, Invocation, Proposal
from plugineval.pccf.ledger import Ledger
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Assessment, DepthVote
from plugineval.pccf.roles import (
    Assessed,
    Candidate,
    DepthVoted,
    DerivedScenarios,
    ProposalTask,
    Proposed,
    ScenarioTask,
    StrengtheningTask,
    WritingTask,
    Written,
)
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Plugin, Toolset, ToolSpec
from plugineval.pccf.values import Arguments, Json
from plugineval.pccf.verification import StageOne, StageOneRoles


def chance(*what: object) -> float:
    """A number in [0, 1) that is the same whenever the same is asked."""
    digest = hashlib.sha256("|".join(map(str, what)).encode()).digest()
    return int.from_bytes(digest[:8]) / 2**64


def right_value(query: Query) -> str:
    return query.text.split()[-1]


@dataclass(frozen=True, kw_only=True)
class Rates:
    """Planted shares; what is left of the four kinds of proposal is right."""

    invalid: float = 0.0
    """Arguments that break the schema."""
    unsupported: float = 0.0
    """Valid arguments with a value that the query does not hold."""
    elsewhere: float = 0.0
    """Supported arguments whose result answers something else."""
    abstaining: float = 0.0
    recovery: float = 0.0
    """From round 2 on: the chance that a generator which failed so far is right; else it errs as it did."""
    sensitivity: float = 1.0
    """Of each evaluator: the share of wrong proposals that it sees through."""
    off_scenario: float = 0.0
    """Queries that are of another kind than they were written for."""
    off_target: float = 0.0
    """Queries that are easy whatever they were written for; a harder wording always comes out as wanted."""
    agreement: float | None = None
    """Chance that one router run agrees with a negative; None: as the difficulty of its text asks."""


@dataclass
class FaultyGenerator:
    rates: Rates
    seed: int = 0
    id: str = "faulty-generator"

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        await anyio.lowlevel.checkpoint()
        return Proposed(proposal=self._proposal(task, index))

    def _proposal(self, task: ProposalTask, index: int) -> Proposal:
        rates, query, rounds = self.rates, task.query, len(task.history)
        recovered = any(chance(self.seed, "again", query.text, n, index) < rates.recovery for n in range(1, rounds + 1))
        drawn = 1.0 if recovered else chance(self.seed, "first", query.text, index)
        place: dict[str, Json] = {"place": right_value(query)}
        ways: tuple[tuple[float, Proposal], ...] = (
            (rates.invalid, Invocation(tool=task.tool.offered_name, arguments={"place": 7})),
            (rates.unsupported, Invocation(tool=task.tool.offered_name, arguments={"place": "nowhere"})),
            (rates.elsewhere, Invocation(tool=task.tool.offered_name, arguments={**place, "units": "other"})),
            (rates.abstaining, Abstention(reason="no idea")),
        )
        for rate, proposal in ways:
            if drawn < rate:
                return proposal
            drawn -= rate
        return Invocation(tool=task.tool.offered_name, arguments=place)


def _assessed(score: float, evaluator: str) -> Assessed:
    return Assessed(assessment=Assessment(score=score, reason="planted", evaluator=evaluator))


@dataclass
class FaultyArguments:
    """S_arg: sees values that the query does not hold, and abstentions, at the planted sensitivity."""

    rates: Rates
    seed: int = 0
    id: str = "faulty-arguments"

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        await anyio.lowlevel.checkpoint()
        wrong = not isinstance(proposal, Invocation) or proposal.arguments.get("place") != right_value(query)
        seen = wrong and chance(self.seed, "S_arg", query.text) < self.rates.sensitivity
        return _assessed(0.0 if seen else 1.0, self.id)


@dataclass
class FaultyResults:
    """S_out: sees results that answer something else, and those about a place nobody named."""

    rates: Rates
    seed: int = 0
    id: str = "faulty-results"

    async def assess_result(
        self, query: Query, tool: ToolSpec, invocation: Invocation, observation: Observation
    ) -> Assessed:
        await anyio.lowlevel.checkpoint()
        wrong = observation.text != f"about {right_value(query)}"
        seen = wrong and chance(self.seed, "S_out", query.text) < self.rates.sensitivity
        return _assessed(0.0 if seen else 1.0, self.id)


class Answering:
    """A plugin that answers every valid call, whatever it is about."""

    async def call(
        self, tool: ToolSpec, arguments: Arguments, *, after: Sequence[tuple[ToolSpec, Invocation]] = ()
    ) -> Observation:
        await anyio.lowlevel.checkpoint()
        about = "something else" if "units" in arguments else arguments["place"]
        kind = ObservationKind.RETURNED
        return Observation(kind=kind, tool=tool.name, arguments=arguments, text=f"about {about}")


@dataclass
class FaultyWriter:
    """Writes queries that miss their scenario or their difficulty at the planted rates."""

    scenarios_of: dict[str, tuple[Scenario, ...]]
    rates: Rates
    seed: int = 0
    id: str = "faulty-writer"

    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        return DerivedScenarios(scenarios=self.scenarios_of.get(task.tool.offered_name, ()))

    async def write(self, task: WritingTask) -> Written:
        every = (
            self._written(task, f"{task.scenario.id} {task.difficulty} {task.attempt} {n}") for n in range(task.count)
        )
        return Written(candidates=tuple(every))

    async def strengthen(self, task: StrengtheningTask) -> Written:
        text = _text(task.scenario.kind, task.difficulty, f"{task.query.text} {task.attempt}")
        return Written(candidates=(self._candidate(text, task.scenario.id, task.difficulty),))

    def _written(self, task: WritingTask, name: str) -> Candidate:
        kind, level = task.scenario.kind, task.difficulty
        if chance(self.seed, "scenario", name) < self.rates.off_scenario:
            kind = ScenarioKind.TYPE_A if kind.positive else ScenarioKind.TRIGGER
        if chance(self.seed, "difficulty", name) < self.rates.off_target:
            level = Difficulty.EASY
        return self._candidate(_text(kind, level, name), task.scenario.id, task.difficulty)

    def _candidate(self, text: str, scenario: str, level: Difficulty) -> Candidate:
        return Candidate(query=Query.of_text(text, origin="synthetic"), scenario=scenario, difficulty=level)


def _text(kind: ScenarioKind, level: Difficulty, name: str) -> str:
    return f"{kind.value}: one that is {level.value} about town-{hashlib.sha256(name.encode()).hexdigest()[:12]}"


def level_of(query: Query) -> Difficulty:
    return next(level for level in Difficulty if f" is {level.value} " in query.text)


def steps_of(query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
    return DepthVoted(vote=DepthVote(steps=STEPS[level_of(query)], annotator="scripted-depth"))


@dataclass(frozen=True)
class Script:
    """The oracle: knows what is right because it planted what is not."""

    id: str = "the script"

    async def is_right(self, claim: Claim) -> bool | None:
        await anyio.lowlevel.checkpoint()
        return [getattr(gold, "arguments", None) for gold in claim.gold] == [{"place": right_value(claim.query)}]


def fits(hits: int, of: int, share: float) -> bool:
    """Whether `hits` of `of` may come of a true `share`, by the exact binomial test at 1 in 1,000."""
    from scipy.stats import binomtest

    return binomtest(hits, of, share).pvalue > 0.001


def tool(number: int) -> ToolSpec:
    schema: dict[str, Json] = {
        "type": "object",
        "properties": {"place": {"type": "string"}, "units": {"type": "string"}},
        "required": ["place"],
    }
    return ToolSpec(plugin=f"plugin{number}", name=f"lookup{number}", description="Looks up.", input_schema=schema)


def scenarios_of(tool: ToolSpec, kinds: Sequence[ScenarioKind]) -> tuple[Scenario, ...]:
    name = tool.offered_name
    return tuple(
        Scenario(id=f"{name}.{kind.value}", kind=kind, target=name, title=f"{kind.value} of {name}") for kind in kinds
    )


@dataclass
class FaultyWorld:
    """Everything a variant is constructed with; `plugins` tools, each the only one of its plugin."""

    rates: Rates
    config: BuildConfig
    plugins: int = 1
    kinds: tuple[ScenarioKind, ...] = (ScenarioKind.TRIGGER, ScenarioKind.TYPE_A)
    seed: int = 0
    ledger: MemoryLedger = field(default_factory=MemoryLedger)

    def plan(self, plugins: int | None = None) -> ConstructionPlan:
        tools = tuple(tool(number) for number in range(1, (plugins or self.plugins) + 1))
        toolset = Toolset(tools=tools)
        return ConstructionPlan(
            name="faulty",
            benchmark_id="faulty",
            plugins=tuple(Plugin(name=each.plugin, tools=(each,)) for each in tools),
            toolset=toolset,
            config=self.config,
            executable=frozenset(toolset.by_name),
        )

    def roles(self, config: BuildConfig, ledger: Ledger) -> ConstructionRoles:
        rates, seed = self.rates, self.seed
        stage_one = StageOneRoles(
            generators=[FaultyGenerator(rates, seed)],
            arguments=FaultyArguments(rates, seed),
            results=FaultyResults(rates, seed),
            session=Answering(),
            ledger=ledger,
            config=config.verification,
            clock=lambda: NOW,
        )
        written = {each.offered_name: scenarios_of(each, self.kinds) for each in self.plan().toolset.tools}
        return ConstructionRoles(
            writer=FaultyWriter(written, rates, seed),
            annotators=[ScriptedAnnotator()],
            depth=ScriptedDepth(script=steps_of),
            verifier=StageOne(stage_one),
            router=ScriptedRouter(script=self._routed),
            ledger=ledger,
            clock=lambda: NOW,
            limiter=anyio.CapacityLimiter(8),
        )

    def _routed(self, query: Query, seed: int) -> RouterReply:
        """Agrees with a global negative by calling nothing."""
        planned = {Difficulty.EASY: 1.0, Difficulty.MEDIUM: 0.5, Difficulty.HARD: 0.0}[level_of(query)]
        agreement = planned if self.rates.agreement is None else self.rates.agreement
        agrees = chance(self.seed, "router", query.text, seed) < agreement
        return RouterReply() if agrees else RouterReply(calls=(EmittedCall(name="lookup1", arguments={}),))


async def ablated(
    world: FaultyWorld, names: Sequence[str] = (), sweeps: Sequence[str] = (), *, plugins: int | None = None
) -> dict[str, VariantRun]:
    """Every variant on the world's one ledger, with the truth that the script knows."""
    asking, runs = Asking(world.ledger), dict[str, VariantRun]()
    for variant in variants_of(world.config, names, [Sweep.of(text) for text in sweeps]):
        ledger = asking.ledger()
        run = await run_variant(variant, world.plan(plugins), world.roles(variant.config, ledger))
        known = await with_truth(run, Script())
        runs[variant.name] = known.model_copy(update={"asked": ledger.asked})
    return runs
