"""A role's answer read strictly: one JSON object of the asked shape, or a parse failure that keeps the raw text.

Accepted is the whole text as JSON, or the one fenced block in it. Doubled keys, NaN, half surrogate pairs, unknown
fields and values of another type are refused: a verdict that has to be guessed is no verdict.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Generic, NoReturn, TypeVar

from pydantic import ValidationError

from plugineval.pccf.chat import ChatModel, ChatRequest, ChatTurn
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Json, Value

V = TypeVar("V", bound=Value)
_FENCE = re.compile(r"```[A-Za-z]*[ \t]*\r?\n(.*?)```", re.DOTALL)
_KEPT = 20_000


class UnreadableAnswerError(ValueError):
    """The text is not one JSON object of the asked shape; says why."""


@dataclass(frozen=True, kw_only=True)
class Answered(Generic[V]):
    """Exactly one of `value` and `failure`, with the text as it came."""

    value: V | None = None
    failure: Failure | None = None
    raw: str = ""
    spent: Spent | None = None
    """Of all tries together; None where the model tells of none."""


async def ask_json(
    model: ChatModel,
    request: ChatRequest,
    kind: type[V],
    *,
    retries: int = 1,
    read: Callable[[str], V] | None = None,
) -> Answered[V]:
    """The answer of `model` as a `kind`; an unreadable one is asked for again `retries` times, with the problem told.

    `read` replaces `read_json` for a role that is stricter; it raises `UnreadableAnswerError`. The schema of `request`
    is that of `kind`.

    A failure of the model's own boundary is handed on at once: its adapter has retried already.
    """
    raw = problem = ""
    turns = asked = request.turns
    spent: Spent | None = None
    for _ in range(retries + 1):
        schema = answer_schema(kind)
        reply = await model.complete(request.model_copy(update={"turns": asked, "answer_schema": schema}))
        spent = _both(spent, reply.spent)
        if reply.failure:
            return Answered(failure=reply.failure, raw=reply.text, spent=spent)
        raw = reply.text
        try:
            return Answered(value=read(raw) if read else read_json(raw, kind), raw=raw, spent=spent)
        except UnreadableAnswerError as error:
            problem = str(error)
        asked = (*turns, ChatTurn(role="assistant", content=raw), ChatTurn(role="user", content=_again(problem)))
    failure = Failure(kind=FailureKind.PARSE_FAILURE, detail=f"{problem}; the answer was: {printable(raw)}")
    return Answered(failure=failure, raw=raw, spent=spent)


@cache
def answer_schema(kind: type[Value]) -> dict[str, Json]:
    """The JSON Schema of a `kind`, without the names and notes that are for readers of our code."""
    return _bare(kind.model_json_schema())


def _bare(schema: dict[str, Json]) -> dict[str, Json]:
    kept = {keyword: held for keyword, held in schema.items() if keyword not in {"title", "description"}}
    return {keyword: _under(keyword, held) for keyword, held in kept.items()}


def _under(keyword: str, held: Json) -> Json:
    if isinstance(held, list):
        return [_bare(each) if isinstance(each, dict) else each for each in held]
    if not isinstance(held, dict):
        return held
    if keyword in {"properties", "$defs"}:
        # Names here are those of fields, whatever they are called.
        return {name: _under(name, sub) for name, sub in held.items()}
    return _bare(held)


def _both(first: Spent | None, second: Spent | None) -> Spent | None:
    return first + second if first and second else first or second


def read_json(text: str, kind: type[V]) -> V:
    """`text` as a `kind`; `UnreadableAnswerError` says why it is none."""
    try:
        return kind.model_validate(parse_json(text), strict=True)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"]) or "answer"
        raise UnreadableAnswerError(f"{place}: {first['msg']}") from error


def parse_json(text: str) -> Json:
    """The one JSON value in `text`; `UnreadableAnswerError` where there is none, or more than one fenced block."""
    blocks = _FENCE.findall(text)
    body = blocks[0] if len(blocks) == 1 else text
    try:
        value: Json = json.loads(body, object_pairs_hook=_object, parse_constant=_constant)
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise UnreadableAnswerError(f"not one JSON value: {str(error)[:200]}") from error
    return value


def printable(text: str) -> str:
    """`text` as it can be kept: cut, and without half surrogate pairs."""
    return text[:_KEPT].encode("utf-8", "backslashreplace").decode()


def _again(problem: str) -> str:
    return f"That could not be read ({printable(problem)}). Answer again, with the one JSON object and nothing else."


def _object(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key occurs twice in one object")
    return found


def _constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not JSON")
