"""What harness tests are made of: tools, cases, attempts and rows in one line each, scripted models, a log."""

from collections.abc import Awaitable, Callable
from datetime import UTC, datetime

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.outcomes import Confusion, GradedRow, Outcome
from plugineval.harness.run import RunConfig, RunInfo
from plugineval.harness.scope import scope_of
from plugineval.pccf.examples import Query, SampleType
from plugineval.pccf.gold import GoldCall
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.tools import ToolHints, Toolset, ToolSpec
from plugineval.pccf.values import Arguments, Json

AT = datetime(2026, 1, 2, 9, 30, tzinfo=UTC)
TEXT: dict[str, Json] = {"type": "string"}
INTEGER: dict[str, Json] = {"type": "integer"}
NUMBER: dict[str, Json] = {"type": "number"}


def schema(*required: str, closed: bool = True, **properties: Json) -> dict[str, Json]:
    """An object schema; properties are subschemas."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": not closed,
    }


def defined(arguments: dict[str, Json], **definitions: Json) -> dict[str, Json]:
    """The schema with definitions it may refer to."""
    return {**arguments, "$defs": definitions}


def tool(name: str, arguments: dict[str, Json] | None = None, *, read_only: bool | None = None) -> ToolSpec:
    return ToolSpec(name=name, input_schema=arguments or schema(), hints=ToolHints(read_only=read_only))


def gold(name: str, **arguments: Json) -> GoldCall:
    return GoldCall(tool=name, arguments=arguments)


def call(name: str, **arguments: Json) -> EmittedCall:
    return EmittedCall(name=name, arguments=arguments)


def positive(*calls: GoldCall, tools: tuple[ToolSpec, ...], case_id: str = "c1", ordered: bool = False) -> Case:
    return Case(
        id=case_id,
        query=Query.of_text("do it"),
        toolset=Toolset(tools=tools),
        gold=calls,
        sample_type=SampleType.POSITIVE,
        ordered=ordered,
    )


def negative(
    *,
    tools: tuple[ToolSpec, ...],
    target: str | None = None,
    case_id: str = "n1",
    expected: tuple[GoldCall, ...] = (),
) -> Case:
    return Case(
        id=case_id,
        query=Query.of_text("tell me a joke"),
        toolset=Toolset(tools=tools),
        gold=expected,
        sample_type=SampleType.TARGETED_NEGATIVE if target else SampleType.GLOBAL_NEGATIVE,
        target_tool=target,
    )


def attempt(case: Case, reply: RouterReply, *, model: str = "m", repeat: int = 0) -> Attempt:
    toolset_hash = case.toolset.content_hash
    return Attempt(case_id=case.id, model=model, repeat=repeat, reply=reply, toolset_hash=toolset_hash, at=AT)


def graded(case: Case, *calls: EmittedCall, policy: GradingPolicy | None = None) -> GradedRow:
    return grade(case, attempt(case, RouterReply(calls=calls)), policy=policy or GradingPolicy())


def verdicts(case: Case, *calls: EmittedCall) -> tuple[Outcome | None, Confusion | None]:
    row = graded(case, *calls)
    return row.outcome, row.confusion


def judged(name: str, arguments: dict[str, Json], wanted: Arguments, got: Arguments) -> GradedRow:
    """The row of one gold call answered by one call of the same tool."""
    case = positive(GoldCall(tool=name, arguments=wanted), tools=(tool(name, arguments),))
    return graded(case, EmittedCall(name=name, arguments=got))


def run_info(cases: tuple[Case, ...], *models: str, repeats: int = 1) -> RunInfo:
    return RunInfo(
        id="run-1",
        config=RunConfig(models=models, repeats=repeats),
        scope=scope_of("little", "abcdef0123456789", cases),
        started_at=AT,
        finished_at=AT,
    )


class ScriptedModel:
    """Answers what its function says; counts its calls and how many run at once."""

    def __init__(self, model_id: str, answer: Callable[[Query, Toolset, int], Awaitable[RouterReply]]) -> None:
        self.id = model_id
        self.prompt_hash = "p" * 64
        self.asked = 0
        self.running = 0
        self.most_running = 0
        self._answer = answer

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        self.asked += 1
        self.running += 1
        self.most_running = max(self.most_running, self.running)
        try:
            return await self._answer(query, toolset, seed)
        finally:
            self.running -= 1


class MemoryLog:
    """Keeps what was appended, in order of arrival; the same cell again replaces."""

    def __init__(self) -> None:
        self.entries: dict[tuple[str, str, int], tuple[Attempt, GradedRow]] = {}
        self.appended = 0

    async def append(self, attempt: Attempt, row: GradedRow) -> None:
        self.appended += 1
        self.entries[attempt.case_id, attempt.model, attempt.repeat] = (attempt, row)

    @property
    def rows(self) -> list[GradedRow]:
        return [row for _, row in self.entries.values()]


class MemoryJournal:
    """A ledger that lasts as long as the test."""

    def __init__(self) -> None:
        self.answers: dict[str, Json] = {}

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        if key.digest not in self.answers:
            self.answers[key.digest] = await make()
        return self.answers[key.digest]
