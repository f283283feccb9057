"""Whole answers, told apart by the field that holds what was said."""

from collections.abc import Callable
from typing import TypeAlias

from plugineval.clients.outputs import blocks, chat, gemini, responses
from plugineval.clients.outputs.reply import Shape
from plugineval.clients.outputs.spoken import Spoken
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.values import Json

Read: TypeAlias = tuple[Spoken, Shape]
_MESSAGE_FIELDS = frozenset({"role", "content", "tool_calls"})


def document_of(answer: dict[str, Json]) -> Read | None:
    """What `answer` said, where it is a whole answer or message; None where it is a loose item."""
    for key, read in _BY_FIELD:
        if answer.get(key):
            return read(answer)
    return _message(answer) if _MESSAGE_FIELDS & answer.keys() and "name" not in answer else None


def _chat(answer: dict[str, Json]) -> Read:
    choices = answer["choices"]
    choice = choices[0] if isinstance(choices, list) else choices
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict) or not isinstance(message, dict):
        return Spoken(failure=_bad("the first choice holds no message")), Shape.CHAT
    return chat.message_of(message, choice.get("finish_reason")), Shape.CHAT


def _gemini(answer: dict[str, Json]) -> Read:
    return gemini.document_of(answer), Shape.GEMINI


def _output(answer: dict[str, Json]) -> Read:
    output = answer["output"]
    if isinstance(output, list):
        return responses.response_of(answer), Shape.RESPONSES
    message = output.get("message") if isinstance(output, dict) else None
    if isinstance(message, dict):
        content = message.get("content")
        return blocks.blocks_of(content if isinstance(content, list) else [], answer.get("stopReason")), Shape.BLOCKS
    if isinstance(output, str):
        return Spoken(text=output), Shape.TEXT
    return Spoken(failure=_bad("the output holds no message")), Shape.UNKNOWN


def _wrapped(answer: dict[str, Json]) -> Read:
    message = answer["message"]
    reason = answer.get("finish_reason", answer.get("done_reason"))
    if isinstance(message, dict):
        return chat.message_of(message, reason), Shape.CHAT
    return Spoken(text=message if isinstance(message, str) else ""), Shape.TEXT


def _parts(answer: dict[str, Json]) -> Read:
    parts = answer["parts"]
    return gemini.parts_of(parts if isinstance(parts, list) else [parts]), Shape.GEMINI


def _message(answer: dict[str, Json]) -> Read:
    content = answer.get("content")
    blocked = isinstance(content, list) and any(isinstance(part, dict) and blocks.is_call(part) for part in content)
    if isinstance(content, list) and (blocked or "stop_reason" in answer):
        return blocks.blocks_of(content, answer.get("stop_reason")), Shape.BLOCKS
    return chat.message_of(answer, answer.get("finish_reason")), Shape.CHAT


def _error(answer: dict[str, Json]) -> Read:
    error = answer["error"]
    detail = error.get("message") if isinstance(error, dict) else error
    return Spoken(failure=Failure(kind=FailureKind.PROVIDER_ERROR, detail=str(detail or error))), Shape.UNKNOWN


def _bad(detail: str) -> Failure:
    return Failure(kind=FailureKind.BAD_RESPONSE, detail=detail)


_BY_FIELD: tuple[tuple[str, Callable[[dict[str, Json]], Read]], ...] = (
    ("choices", _chat),
    ("candidates", _gemini),
    ("promptFeedback", _gemini),
    ("output", _output),
    ("error", _error),
    ("parts", _parts),
    ("tool_calls", _message),
    ("message", _wrapped),
)
