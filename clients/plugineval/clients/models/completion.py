"""A chat completion document, read into what the model did: its calls verbatim, its text, or the boundary that broke.

Providers differ: `tool_calls`, the older `function_call`, arguments as an object, content in parts, an error inside a
200. All of it ends in one shape here. A call is never dropped: one that cannot be read keeps its raw text and says why.
"""

import json
from typing import cast

from plugineval.clients.models.failures import TryFailed
from plugineval.clients.outputs.arguments import raw_text, read_arguments
from plugineval.clients.outputs.attempted import attempted_call
from plugineval.clients.outputs.naming import Names
from plugineval.pccf.routing import EmittedCall, Failure, FailureKind, RouterReply
from plugineval.pccf.values import Json

EXCERPT = 300
_UNKEPT = {"choices", "usage", "object", "created"}
_STOPPED = {"length": FailureKind.TRUNCATED, "content_filter": FailureKind.CONTENT_FILTER}
_STOPPED_DETAIL = {
    FailureKind.TRUNCATED: "the answer was cut at the token limit (finish_reason length)",
    FailureKind.CONTENT_FILTER: "the provider's content filter stopped the answer",
}


def document_of(content: bytes) -> dict[str, Json]:
    """The document of a 200; `TryFailed` (bad response) where it holds no message of a model."""
    try:
        document = _storable(content.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        reason = f"the body of a 200 is not JSON ({error}): {_excerpt(content.decode(errors='replace'))}"
        raise _bad(reason, content) from error
    if not isinstance(document, dict):
        raise _bad(f"the body of a 200 is not a JSON object: {_excerpt(json.dumps(document))}", content)
    if document.get("error"):
        raise _bad(f"a 200 that holds an error: {error_text(json.dumps(document))}", content)
    if problem := _problem(document):
        raise _bad(problem, content)
    return document


def error_text(body: str) -> str:
    """The provider's own sentence in an error body, or the beginning of whatever came instead."""
    try:
        document = cast("Json", json.loads(body))
    except (ValueError, RecursionError):
        return _excerpt(body)
    error = document.get("error", document) if isinstance(document, dict) else document
    if not isinstance(error, dict):
        return _excerpt(error if isinstance(error, str) else body)
    parts = [str(error[key]) for key in ("message", "code") if error.get(key)]
    return _excerpt(" / ".join(parts) or body)


def read_completion(document: dict[str, Json], names: Names) -> RouterReply:
    """The reply in `document` (from `document_of`); tool names are mapped back to the offered ones."""
    choice = _choice(document)
    message = cast("dict[str, Json]", choice["message"])
    finish_reason = choice.get("finish_reason")
    calls = tuple(_call(item, names) for item in _emitted(message))
    text = _text_of(message)
    kept: dict[str, Json] = {key: value for key, value in document.items() if key not in _UNKEPT}
    usage = document.get("usage")
    return RouterReply(
        calls=calls,
        text=text,
        finish_reason=finish_reason if isinstance(finish_reason, str) else None,
        failure=_stopped(finish_reason) or (None if calls else _unread_call(text)),
        usage=usage if isinstance(usage, dict) else None,
        raw={**kept, "message": message},
    )


def read_text(document: dict[str, Json]) -> tuple[str, Failure | None]:
    """The text in `document` for a role, which is free to speak of calls, and the boundary that broke."""
    choice = _choice(document)
    return _text_of(cast("dict[str, Json]", choice["message"])), _stopped(choice.get("finish_reason"))


def _text_of(message: dict[str, Json]) -> str:
    """The text of a message: its content, the text parts of it, or the words of a refusal."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    if not content:
        content = message.get("refusal")
    return content if isinstance(content, str) else ""


def _stopped(finish_reason: Json) -> Failure | None:
    kind = _STOPPED.get(finish_reason) if isinstance(finish_reason, str) else None
    return None if kind is None else Failure(kind=kind, detail=_STOPPED_DETAIL[kind])


def _unread_call(text: str) -> Failure | None:
    envelope = attempted_call(text)
    if envelope is None:
        return None
    return Failure(
        kind=FailureKind.PARSE_FAILURE, detail=f"the text attempts a call that the provider did not read: {envelope}"
    )


def _problem(document: dict[str, Json]) -> str | None:
    choices = document.get("choices")
    if not isinstance(choices, list) or not choices:
        return "a 200 without choices"
    choice = choices[0]
    if not isinstance(choice, dict):
        return "the first choice is not an object"
    if choice.get("error") or choice.get("finish_reason") == "error":
        return f"the choice holds an error: {error_text(json.dumps(choice))}"
    return None if isinstance(choice.get("message"), dict) else "the first choice holds no message"


def _choice(document: dict[str, Json]) -> dict[str, Json]:
    return cast("list[dict[str, Json]]", document["choices"])[0]


def _emitted(message: dict[str, Json]) -> list[Json]:
    calls = message.get("tool_calls")
    if calls:
        return calls if isinstance(calls, list) else [calls]
    legacy = message.get("function_call")
    return [{"type": "function", "function": legacy}] if legacy else []


def _call(item: Json, names: Names) -> EmittedCall:
    body = _function(item)
    name = body.get("name") if body is not None else None
    if body is None or not isinstance(name, str):
        return EmittedCall(name="", arguments=None, raw_arguments=raw_text(item), problem="not a function call")
    raw = body.get("arguments")
    arguments, repair, problem = read_arguments(raw)
    return EmittedCall(
        name=names.back(name), arguments=arguments, raw_arguments=raw_text(raw), problem=problem, repair=repair
    )


def _function(item: Json) -> dict[str, Json] | None:
    if not isinstance(item, dict):
        return None
    found = item.get("function")
    return found if isinstance(found, dict) else None


def _storable(text: str) -> Json:
    """The document, with `?` for half of a surrogate pair, which no database and no hash takes."""
    document = cast("Json", json.loads(text, parse_constant=_refuse_constant))
    if "\\ud" not in text and "\\uD" not in text:
        return document
    return cast("Json", json.loads(_whole_characters(json.dumps(document, ensure_ascii=False))))


def _whole_characters(text: str) -> str:
    return text.encode("utf-8", "replace").decode()


def _refuse_constant(name: str) -> object:
    raise ValueError(f"{name} is not a JSON number")


def _bad(detail: str, content: bytes) -> TryFailed:
    failed = TryFailed(FailureKind.BAD_RESPONSE, detail)
    failed.raw = content.decode(errors="replace")
    return failed


def _excerpt(text: str) -> str:
    flat = _whole_characters(" ".join(text.split()))
    return flat if len(flat) <= EXCERPT else flat[:EXCERPT] + "…"
