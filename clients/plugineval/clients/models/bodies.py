"""The body of a 200, as the one JSON document that it holds or, where it is a stream, amounts to.

Whatever else came (HTML, half a document, an error, a stream without its end) is a failed try with the body kept.
"""

import json
from collections.abc import Callable
from typing import NamedTuple, cast

from plugineval.clients.models import completion, response_object
from plugineval.clients.models.failures import TryFailed
from plugineval.clients.models.paths import CHAT, RESPONSES
from plugineval.clients.models.wording import error_text, excerpt, whole_characters
from plugineval.clients.outputs.streams import LINES, assembled
from plugineval.clients.strict_json import MAX_DEPTH, deeper_than
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.values import Json


class _Reading(NamedTuple):
    problem: Callable[[dict[str, Json]], Failure | None]
    """Why a document holds no answer; None where it does."""
    ended: Callable[[list[Json]], bool]
    """Whether the last events say that the answer is whole."""


_READING = {
    CHAT: _Reading(completion.problem_of, completion.ended),
    RESPONSES: _Reading(response_object.problem_of, response_object.ended),
}


def document_of(content: bytes, *, path: str = CHAT, stream: bool = False) -> dict[str, Json]:
    """The document of a 200 of `path`; `TryFailed` where it holds no answer of a model.

    Its kind tells what the body is instead: no JSON, an error, a stream that stops before its end, no choice, or a
    document of another shape. A server that answers a request for events with one document is taken at its word.
    """
    reading = _READING[path]
    streamed = stream and not content.lstrip().startswith(b"{")
    document = _streamed(content, reading) if streamed else _parsed(content)
    if document.get("error"):
        raise _bad(
            f"a 200 that holds an error: {error_text(json.dumps(document))}", content, FailureKind.ERROR_IN_ANSWER
        )
    if problem := reading.problem(document):
        raise _bad(problem.detail, content, problem.kind)
    return document


def _parsed(content: bytes) -> dict[str, Json]:
    try:
        document = _storable(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        reason = f"the body of a 200 is not JSON ({error}): {excerpt(content.decode(errors='replace'))}"
        raise _bad(reason, content, FailureKind.MALFORMED) from error
    if not isinstance(document, dict):
        raise _bad(f"the body of a 200 is not a JSON object: {excerpt(json.dumps(document))}", content)
    return document


def _streamed(content: bytes, reading: _Reading) -> dict[str, Json]:
    events, done = _events(content)
    for event in events:
        if isinstance(event, dict) and (event.get("error") or event.get("type") == "error"):
            raise _bad(
                f"a stream that holds an error: {error_text(json.dumps(event))}", content, FailureKind.ERROR_IN_ANSWER
            )
    whole = assembled(events)
    if whole is None:
        raise _bad(f"the stream holds no answer: {excerpt(content.decode(errors='replace'))}", content)
    if not (done or reading.ended(events)):
        raise _bad(f"the stream stopped after {len(events)} events, before its end", content, FailureKind.CUT_SHORT)
    return whole


def _events(content: bytes) -> tuple[list[Json], bool]:
    """The events, and whether `[DONE]` closed them."""
    lines = LINES.split(content.decode("utf-8-sig", errors="replace"))
    pieces = [line[5:].strip() for line in lines if line.startswith("data:")]
    if not pieces:
        raise _bad(f"the body of a 200 is no stream: {excerpt(content.decode(errors='replace'))}", content)
    events: list[Json] = []
    for index, piece in enumerate(pieces):
        if piece in {"", "[DONE]"}:
            continue
        try:
            events.append(_storable(piece))
        except (ValueError, RecursionError) as error:
            cut = index == len(pieces) - 1
            said = f"the stream stopped inside an event: {excerpt(piece)}" if cut else f"an event is not JSON: {piece}"
            kind = FailureKind.CUT_SHORT if cut else FailureKind.MALFORMED
            raise _bad(excerpt(said), content, kind) from error
    return events, "[DONE]" in pieces


def _storable(text: str) -> Json:
    """The document, with `?` for half of a surrogate pair, which no database and no hash takes; no deep nesting."""
    document = cast("Json", json.loads(text, parse_constant=_refuse_constant))
    if text.count("[") + text.count("{") > MAX_DEPTH and deeper_than(document, MAX_DEPTH):
        raise ValueError(f"nested deeper than {MAX_DEPTH}")
    if "\\ud" not in text and "\\uD" not in text:
        return document
    return cast("Json", json.loads(whole_characters(json.dumps(document, ensure_ascii=False))))


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _bad(detail: str, content: bytes, kind: FailureKind = FailureKind.BAD_RESPONSE) -> TryFailed:
    failed = TryFailed(kind, detail)
    failed.raw = content.decode(errors="replace")
    return failed
