"""What a prompted writer's model must answer: strict JSON, unknown keys refused. Unreadable is a failure, not empty."""

from typing import TypeVar

from pydantic import Field, TypeAdapter, ValidationError

from plugineval.pccf.chat import ChatModel, ChatRequest, ChatTurn
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.values import Json, Value

TRIES = 3
"""An unreadable answer is asked for again with the next seed, this many times in all."""

V = TypeVar("V", bound=Value)


class ScenarioAnswer(Value):
    """One derived scenario."""

    kind: ScenarioKind
    title: str = Field(min_length=1)
    evidence: str = ""
    lookalike: str | None = None


class ScenariosAnswer(Value):
    """The answer to `write_scenarios.md`."""

    scenarios: tuple[ScenarioAnswer, ...]


class QueryAnswer(Value):
    """One written request."""

    text: str
    inference_steps: tuple[str, ...] = ()


class QueriesAnswer(Value):
    """The answer to `write_queries.md`."""

    queries: tuple[QueryAnswer, ...]


async def answered(model: ChatModel, turns: tuple[ChatTurn, ...], kind: type[V]) -> V | Failure:
    """The model's answer read as `kind`. A failure of the model is handed on at once, its client has retried."""
    problem = ""
    for seed in range(TRIES):
        reply = await model.complete(ChatRequest(turns=turns, answer_schema=_schema(kind), seed=seed))
        if reply.failure is not None:
            return reply.failure
        try:
            return kind.model_validate_json(reply.text)
        except ValidationError as error:
            problem = f"{error.errors()[0]['msg']}: {reply.text[:200]!r}"
    return Failure(kind=FailureKind.PARSE_FAILURE, detail=f"unreadable {TRIES} times, last: {problem}")


def _schema(kind: type[Value]) -> dict[str, Json]:
    return TypeAdapter(dict[str, Json]).validate_python(kind.model_json_schema())
