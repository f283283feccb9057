"""A chat completion document, read into what the model did: its calls verbatim, its text, or the boundary that broke.

Providers differ: `tool_calls`, the older `function_call`, arguments as an object, content in parts, an error inside a
200. All of it ends in one shape here. A call is never dropped: one that cannot be read keeps its raw text and says why.
"""

import json
from typing import cast

from plugineval.clients.models.failures import TryFailed
from plugineval.clients.outputs.chat import message_of, text_of
from plugineval.clients.outputs.reading import OutputReader
from plugineval.clients.outputs.reply import Shape
from plugineval.clients.outputs.spoken import stopped
from plugineval.pccf.routing import Failure, FailureKind, RouterReply
from plugineval.pccf.values import Json

EXCERPT = 300
_UNKEPT = {"choices", "usage", "object", "created"}


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


def read_completion(document: dict[str, Json], reader: OutputReader) -> RouterReply:
    """The reply in `document` (from `document_of`); tool names are mapped back to the offered ones."""
    choice = _choice(document)
    message = cast("dict[str, Json]", choice["message"])
    reply = reader.closed(message_of(message, choice.get("finish_reason")), Shape.CHAT)
    kept: dict[str, Json] = {key: value for key, value in document.items() if key not in _UNKEPT}
    usage = document.get("usage")
    return RouterReply(
        calls=reply.calls,
        text=reply.text,
        finish_reason=reply.finish_reason,
        failure=reply.failure,
        usage=usage if isinstance(usage, dict) else None,
        raw={**kept, "message": message},
    )


def read_text(document: dict[str, Json]) -> tuple[str, Failure | None]:
    """The text in `document` for a role, which is free to speak of calls, and the boundary that broke."""
    choice = _choice(document)
    return text_of(cast("dict[str, Json]", choice["message"])), stopped(choice.get("finish_reason"))


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
