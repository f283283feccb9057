"""Scripted players of Stage I: adapters of the ports in roles.py, execution.py and ledger.py that follow a script.

Every script is a callable, so that a test sees on one screen who answers what. All calls are noted in one `Calls`
list in the order they happened, which is how the order of the gates is proven.
"""

from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime, timedelta
from typing import Literal

import anyio.lowlevel

from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation, Proposal
from plugineval.pccf.ledger import CallKey, Ledger
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Assessment, LevelVote
from plugineval.pccf.roles import Assessed, ProposalTask, Proposed
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Json
from plugineval.pccf.verification import StageOne, StageOneRoles, VerificationRequest

Calls = list[tuple[str, str]]
"""(verb, who or what), in the order of the calls."""

START = datetime(2026, 1, 1, tzinfo=UTC)
OUT = Failure(kind=FailureKind.PROVIDER_ERROR, detail="scripted outage")

WEATHER = ToolSpec(
    plugin="sky",
    name="weather",
    description="Weather of a city for some days.",
    input_schema={
        "type": "object",
        "properties": {"city": {"type": "string"}, "days": {"type": "integer", "default": 1}},
        "required": ["city"],
    },
)


class TickingClock:
    """A deterministic clock: every reading is one second later."""

    def __init__(self, start: datetime = START) -> None:
        self._next = start

    def __call__(self) -> datetime:
        now, self._next = self._next, self._next + timedelta(seconds=1)
        return now


class MemoryLedger:
    """A ledger in memory; counts what was really made."""

    def __init__(self) -> None:
        self.answers: dict[str, Json] = {}
        self.keys: list[CallKey] = []
        self.made = 0

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        """First answer wins; an exception is not recorded."""
        self.keys.append(key)
        if key.digest not in self.answers:
            self.made += 1
            self.answers[key.digest] = await make()
        return self.answers[key.digest]


ProposeScript = Callable[[ProposalTask, int], Proposal | Failure]
AssessScript = Callable[[Invocation | Abstention], float | Failure]
ResultScript = Callable[[Observation], float | Failure]
PluginScript = Callable[[Arguments], Observation]


class ScriptedGenerator:
    """Answers `script(task, index)`; keeps every task it saw."""

    def __init__(self, script: ProposeScript, *, name: str = "generator", calls: Calls | None = None) -> None:
        self.id = name
        self.tasks: list[ProposalTask] = []
        self._script = script
        self._calls = calls if calls is not None else []

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        """One answer, after other tasks had a chance to run."""
        self.tasks.append(task)
        self._calls.append(("propose", self.id))
        await anyio.lowlevel.checkpoint()
        answer = self._script(task, index)
        if isinstance(answer, Failure):
            return Proposed(failure=answer, prompt_hash="p")
        return Proposed(proposal=answer, prompt_hash="p")


class ScriptedArguments:
    """S_arg by `script(proposal)`."""

    def __init__(self, script: AssessScript, *, name: str = "arguments", calls: Calls | None = None) -> None:
        self.id = name
        self._script = script
        self._calls = calls if calls is not None else []

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        """One score, or an outage."""
        self._calls.append(("assess_arguments", proposal.kind))
        await anyio.lowlevel.checkpoint()
        return _assessed(self._script(proposal), self.id)


class ScriptedResults:
    """S_out by `script(observation)`."""

    def __init__(self, script: ResultScript, *, name: str = "results", calls: Calls | None = None) -> None:
        self.id = name
        self.seen: list[Observation] = []
        self.queries: list[Query] = []
        self._script = script
        self._calls = calls if calls is not None else []

    async def assess_result(
        self, query: Query, tool: ToolSpec, invocation: Invocation, observation: Observation
    ) -> Assessed:
        """One score, or an outage."""
        self.seen.append(observation)
        self.queries.append(query)
        self._calls.append(("assess_result", observation.kind.value))
        await anyio.lowlevel.checkpoint()
        return _assessed(self._script(observation), self.id)


class ScriptedSession:
    """A plugin that shows `script(arguments)`."""

    def __init__(self, script: PluginScript, *, calls: Calls | None = None) -> None:
        self.executed: list[Arguments] = []
        self.after: list[list[Invocation]] = []
        self._script = script
        self._calls = calls if calls is not None else []

    async def call(
        self, tool: ToolSpec, arguments: Arguments, *, after: Sequence[tuple[ToolSpec, Invocation]] = ()
    ) -> Observation:
        """One execution; `after` keeps the calls it was told to come after."""
        self.executed.append(arguments)
        self.after.append([made for _, made in after])
        self._calls.append(("execute", tool.key))
        await anyio.lowlevel.checkpoint()
        return self._script(arguments)


def vote(level: Literal[1, 2], *, positive: bool) -> LevelVote:
    """A vote of one annotator."""
    return LevelVote(level=level, positive=positive, reason="scripted", annotator="annotator")


def returned(arguments: Arguments) -> Observation:
    """A valid response."""
    return Observation(kind=ObservationKind.RETURNED, tool="weather", arguments=arguments, text="sunny")


def observed(kind: ObservationKind) -> PluginScript:
    """A plugin that always shows `kind`."""
    return lambda arguments: Observation(kind=kind, tool="weather", arguments=arguments, detail=f"scripted {kind}")


def call(**arguments: Json) -> Invocation:
    """A proposed call of `WEATHER`."""
    return Invocation(tool="weather", arguments=arguments)


class Bench:
    """A whole Stage I of scripted players: generators propose `call(city="Oslo")` and everyone scores 1 unless told."""

    def __init__(
        self,
        propose: ProposeScript = lambda task, index: call(city="Oslo"),
        *,
        s_arg: AssessScript = lambda proposal: 1.0,
        s_out: ResultScript = lambda observation: 1.0,
        plugin: PluginScript = returned,
        ledger: Ledger | None = None,
    ) -> None:
        self.calls: Calls = []
        self.generator = ScriptedGenerator(propose, calls=self.calls)
        self.arguments = ScriptedArguments(s_arg, calls=self.calls)
        self.results = ScriptedResults(s_out, calls=self.calls)
        self.session = ScriptedSession(plugin, calls=self.calls)
        self.ledger = ledger or MemoryLedger()

    def roles(self, config: VerificationConfig | None = None) -> StageOneRoles:
        """These players; one generator and one round unless `config` says otherwise."""
        return StageOneRoles(
            generators=(self.generator,),
            arguments=self.arguments,
            results=self.results,
            session=self.session,
            ledger=self.ledger,
            config=config or VerificationConfig(generators=1, max_rounds=1),
            clock=TickingClock(),
        )

    def stage(self, config: VerificationConfig | None = None) -> StageOne:
        """Stage I with these players."""
        return StageOne(self.roles(config))


def request(*, tool: ToolSpec = WEATHER, votes: tuple[LevelVote, ...] = ()) -> VerificationRequest:
    """A request for `tool`; without votes both levels are settled as positive."""
    return VerificationRequest(
        record_id="r1",
        query=Query.of_text("How is the weather in Oslo?"),
        tool=tool,
        scenario="weather.trigger",
        gap="weather.trigger|easy",
        votes=votes,
    )


def _assessed(answer: float | Failure, evaluator: str) -> Assessed:
    if isinstance(answer, Failure):
        return Assessed(failure=answer)
    return Assessed(assessment=Assessment(score=answer, reason="scripted", evaluator=evaluator))
