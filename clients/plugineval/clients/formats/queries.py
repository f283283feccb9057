"""The query of a record: a text or a list of chat messages, and the clock it was asked at."""

from datetime import datetime
from typing import Literal, cast

from plugineval.clients.formats.fields import Refused, items, kind_of, mapping, one_of
from plugineval.pccf.examples import Message, Query
from plugineval.pccf.values import Json

_ROLES = ("system", "user", "assistant", "tool")


def query_of(record: dict[str, Json]) -> Query:
    """The query of `record`: `query` (text or messages) or `messages`, with `now` and `origin`."""
    field, value = one_of(record, ("query", "messages"), field="query")
    if isinstance(value, str):
        messages = [Message(role="user", content=value)]
    elif isinstance(value, list):
        messages = [_message(item, f"{field}[{index}]") for index, item in enumerate(value)]
    else:
        problem = "is missing" if value is None else f"must be a text or a list of messages, not {kind_of(value)}"
        raise Refused(field, problem)
    if not any(message.role == "user" and message.content.strip() for message in messages):
        raise Refused(field, "holds no words of a user")
    return Query(messages=tuple(messages), now=_now(record.get("now")), origin=_origin(record.get("origin")))


def _message(value: Json, field: str) -> Message:
    message = mapping(value, field)
    role = message.get("role")
    if role not in _ROLES:
        raise Refused(f"{field}.role", f"{role!r} is not one of {', '.join(_ROLES)}")
    if message.get("tool_calls") or message.get("function_call"):
        raise Refused(field, "holds tool calls, which cannot be part of a query's history; write their result as text")
    content = _content(message.get("content"), f"{field}.content")
    return Message.model_validate({"role": role, "content": content})


def _content(value: Json, field: str) -> str:
    if isinstance(value, str):
        return value
    parts = [mapping(part, f"{field}[{index}]") for index, part in enumerate(items(value, field))]
    texts = [part.get("text") for part in parts]
    if not parts or not all(isinstance(part, str) for part in texts):
        raise Refused(field, "must be a text, or text parts and nothing else")
    return "".join(cast("list[str]", texts))


def _now(value: Json) -> datetime | None:
    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value) if isinstance(value, str) else None
    except ValueError:
        moment = None
    if moment is None:
        raise Refused("now", f"{value!r} is not a moment; write it like 2026-03-01T09:00:00+01:00")
    if moment.utcoffset() is None:
        raise Refused("now", f"{value!r} has no offset from UTC; add one, like +01:00, or Z for UTC")
    return moment


def _origin(value: Json) -> Literal["real", "synthetic", "unknown"]:
    if value is None:
        return "unknown"
    if value == "real":
        return "real"
    if value == "synthetic":
        return "synthetic"
    raise Refused("origin", f"{value!r} is not one of real, synthetic")
