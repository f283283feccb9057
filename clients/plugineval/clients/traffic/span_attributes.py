"""The messages that a span of a trace was called with, whichever of the three conventions wrote its attributes.

OpenTelemetry's GenAI convention holds them as one JSON text (`gen_ai.input.messages`), OpenInference and Traceloop as
numbered attributes (`llm.input_messages.0.message.content`, `gen_ai.prompt.0.content`).
"""

import re
from collections.abc import Mapping

from plugineval.clients.strict_json import NotJsonError, strict_loads
from plugineval.pccf.values import Json

_WHOLE = ("gen_ai.input.messages", "input.value", "ai.prompt.messages", "ai.prompt")
_SYSTEM = "gen_ai.system_instructions"
_NUMBERED = re.compile(
    r"(?:llm\.input_messages\.(?P<a>\d+)\.message|gen_ai\.prompt\.(?P<b>\d+))\.(?P<field>role|content)"
)


def messages_of_span(record: Mapping[str, Json]) -> list[Json]:
    """The messages in order; empty where the record is no such span."""
    attributes = _attributes(record.get("attributes"))
    if not attributes:
        return []
    whole = next(filter(None, (_list(attributes.get(name)) for name in _WHOLE)), None)
    return _numbered(attributes) if whole is None else [*_system(attributes.get(_SYSTEM)), *whole]


def _attributes(value: Json) -> dict[str, Json]:
    """As an object, or as OTLP's list of key and typed value."""
    if isinstance(value, dict):
        return value
    found: dict[str, Json] = {}
    for item in value if isinstance(value, list) else []:
        if isinstance(item, dict) and isinstance(key := item.get("key"), str):
            typed = item.get("value")
            found[key] = next(iter(typed.values()), None) if isinstance(typed, dict) else typed
    return found


def _list(value: Json) -> list[Json]:
    parsed = _parsed(value)
    if isinstance(parsed, dict):
        parsed = parsed.get("messages")
    return parsed if isinstance(parsed, list) else []


def _system(value: Json) -> list[Json]:
    parts = _list(value)
    return [{"role": "system", "content": parts}] if parts else []


def _parsed(value: Json) -> Json:
    if not isinstance(value, str):
        return value
    try:
        return strict_loads(value)
    except NotJsonError:
        # A prompt that is no JSON is the user's own words.
        return [{"role": "user", "content": value}]


def _numbered(attributes: Mapping[str, Json]) -> list[Json]:
    messages: dict[int, dict[str, Json]] = {}
    for name, value in attributes.items():
        if match := _NUMBERED.fullmatch(name):
            messages.setdefault(int(match["a"] or match["b"]), {})[match["field"]] = value
    return [messages[number] for number in sorted(messages)]
