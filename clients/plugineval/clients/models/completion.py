"""A chat completion, read into what the model did: its calls verbatim, its text, or the boundary that broke.

Providers differ: `tool_calls`, the older `function_call`, arguments as an object, content in parts, an error inside a
200. All of it ends in one shape here. A call is never dropped: one that cannot be read keeps its raw text and says why.
"""

import json
from typing import cast

from plugineval.clients.models.wording import error_text
from plugineval.clients.outputs.chat import message_of, text_of
from plugineval.clients.outputs.spoken import Spoken, stopped
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.values import Json

_UNKEPT = {"choices", "usage", "object", "created"}


def spoken_of(document: dict[str, Json]) -> Spoken:
    """What a `document` without a `problem_of` says, under wire names."""
    choice = _choice(document)
    return message_of(cast("dict[str, Json]", choice["message"]), choice.get("finish_reason"))


def text_and_failure(document: dict[str, Json]) -> tuple[str, Failure | None]:
    """The text in `document` for a role, which is free to speak of calls, and the boundary that broke."""
    choice = _choice(document)
    return text_of(cast("dict[str, Json]", choice["message"])), stopped(choice.get("finish_reason"))


def trace_of(document: dict[str, Json]) -> dict[str, Json]:
    """What of `document` a record keeps beside the calls and the usage."""
    kept: dict[str, Json] = {key: value for key, value in document.items() if key not in _UNKEPT}
    return {**kept, "message": _choice(document)["message"]}


def problem_of(document: dict[str, Json]) -> Failure | None:
    """Why `document` holds no answer of a model; None where it does."""
    choices = document.get("choices")
    if not isinstance(choices, list) or not choices:
        return Failure(kind=FailureKind.NO_CHOICES, detail="a 200 without choices")
    choice = choices[0]
    if not isinstance(choice, dict):
        return Failure(kind=FailureKind.BAD_RESPONSE, detail="the first choice is not an object")
    if choice.get("error") or choice.get("finish_reason") == "error":
        detail = f"the choice holds an error: {error_text(json.dumps(choice))}"
        return Failure(kind=FailureKind.ERROR_IN_ANSWER, detail=detail)
    if isinstance(choice.get("message"), dict):
        return None
    return Failure(kind=FailureKind.BAD_RESPONSE, detail="the first choice holds no message")


def ended(events: list[Json]) -> bool:
    """Whether a chunk says why the model stopped."""
    return any(choice.get("finish_reason") for event in events for choice in _choices(event))


def _choices(event: Json) -> list[dict[str, Json]]:
    found = event.get("choices") if isinstance(event, dict) else None
    return [choice for choice in found if isinstance(choice, dict)] if isinstance(found, list) else []


def _choice(document: dict[str, Json]) -> dict[str, Json]:
    return cast("list[dict[str, Json]]", document["choices"])[0]
