"""One line of a log as the request that a user opened a conversation with.

Read are plain lines `{"query": …}`, chat messages (also inside `request`, `body` or `input`), ShareGPT
`conversations`, and spans of OpenTelemetry, OpenInference and Traceloop with their message attributes. What comes after
the first answer is left out: a later turn leans on results that nobody has any more.
"""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from plugineval.clients.formats.fields import Refused, kind_of, mapping
from plugineval.clients.traffic.span_attributes import messages_of_span
from plugineval.pccf.examples import Message
from plugineval.pccf.values import Json

_ENVELOPES = ("request", "body", "params", "kwargs", "data", "inputs")
_TEXTS = ("query", "prompt", "question", "instruction", "input", "text")
_LISTS = ("messages", "conversation", "conversations", "input", "chat")
_MOMENTS = ("now", "timestamp", "created_at", "created", "start_time", "time", "startTimeUnixNano")
_SPEAKERS = {
    "user": "user", "human": "user", "system": "system", "developer": "system",
    "assistant": "assistant", "gpt": "assistant", "ai": "assistant", "model": "assistant", "bot": "assistant",
    "tool": "tool", "function": "tool", "ipython": "tool",
}  # fmt: skip
_NANOSECONDS = 1e15


def opening_of(record: dict[str, Json]) -> tuple[Message, ...]:
    """The messages up to the first answer: what the system was told, and the user's request.

    `Refused` where there is none.
    """
    said = messages_of_span(record) or _messages(record)
    opening: list[Message] = []
    for number, item in enumerate(said):
        message = _message(item, f"messages[{number}]")
        if message.role in {"assistant", "tool"}:
            break
        opening.append(message)
    if not any(message.role == "user" and message.content.strip() for message in opening):
        raise Refused("messages", "no words of a user come before the first answer")
    return tuple(opening)


def moment_of(record: Mapping[str, Json]) -> datetime | None:
    """When it was asked, where the line says so with its offset, or in seconds or nanoseconds since 1970."""
    for name in _MOMENTS:
        value = record.get(name)
        if isinstance(value, str) and value.isdecimal():
            value = int(value)
        if isinstance(value, int | float) and not isinstance(value, bool) and value > 0:
            seconds = value / 1e9 if value > _NANOSECONDS else value / 1e3 if value > 1e11 else value
            return _moment(seconds)
        if isinstance(value, str):
            return _written(value)
    return None


def _messages(record: dict[str, Json]) -> Sequence[Json]:
    for name in _LISTS:
        found = record.get(name)
        if isinstance(found, list) and found:
            return found
    for name in _TEXTS:
        found = record.get(name)
        if isinstance(found, str):
            return [{"role": "user", "content": found}]
    for name in _ENVELOPES:
        found = record.get(name)
        if isinstance(found, dict):
            return _messages(found)
    raise Refused("line", f"holds no request; it may be {', '.join((*_TEXTS, *_LISTS))}, or a span's attributes")


def _message(value: Json, field: str) -> Message:
    message = mapping(value, field)
    speaker = message.get("role", message.get("from", message.get("type")))
    role = _SPEAKERS.get(speaker) if isinstance(speaker, str) else None
    if role is None:
        raise Refused(f"{field}.role", f"{speaker!r} is not one of {', '.join(_SPEAKERS)}")
    return Message.model_validate({"role": role, "content": _content(message, field)})


def _content(message: Mapping[str, Json], field: str) -> str:
    value = next((message[name] for name in ("content", "value", "text", "parts") if message.get(name) is not None), "")
    if isinstance(value, str):
        return value
    if not isinstance(value, list):
        raise Refused(f"{field}.content", f"must be a text or a list of parts, not {kind_of(value)}")
    texts = [part if isinstance(part, str) else _part(part) for part in value]
    if None in texts:
        raise Refused(f"{field}.content", "holds an image, a sound or a file, which a query cannot")
    return "".join(text for text in texts if text is not None)


def _part(part: Json) -> str | None:
    if not isinstance(part, dict):
        return None
    found = part.get("text", part.get("content"))
    return found if isinstance(found, str) else None


def _moment(seconds: float) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC)
    except (OverflowError, OSError, ValueError):
        return None


def _written(text: str) -> datetime | None:
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return None
    return moment if moment.utcoffset() is not None else None
