"""A stream put together again: chunks of chat completions, or events of Anthropic and of the Responses API.

Fragments of several calls come interleaved; each belongs to the call of its index, or of its id where a provider
numbers everything 0.
"""

import re
from collections.abc import Sequence
from typing import TypeAlias, cast

from plugineval.clients.outputs.chat import text_of
from plugineval.clients.strict_json import NotJsonError, strict_loads
from plugineval.pccf.values import Json

Object: TypeAlias = dict[str, Json]

LINES = re.compile("\r\n|\n|\r")
"""What ends a line of a stream: a text inside may hold any other separator unescaped."""
_PER_CHUNK = frozenset({"choices", "object", "delta", "message", "obfuscation"})


def events_of(text: str) -> list[Json] | None:
    """The events of a recorded `text/event-stream`; None where `text` is none, or an event is not JSON."""
    lines = [line.strip() for line in LINES.split(text)]
    data = [line[5:].strip() for line in lines if line.startswith("data:")]
    if not data or any(line and not line.startswith(("data:", "event:", "id:", "retry:", ":")) for line in lines):
        return None
    try:
        return [strict_loads(piece) for piece in data if piece not in {"", "[DONE]"}]
    except NotJsonError:
        return None


def assembled(items: Sequence[Json]) -> Object | None:
    """The document that the chunks or events in `items` amount to; None where they are not a stream."""
    events = [item for item in items if isinstance(item, dict)]
    if not events or len(events) < len(items):
        return None
    if any(_delta(event) is not None for event in events):
        return _chat(events)
    kinds = {str(event.get("type")) for event in events}
    if "content_block_start" in kinds:
        return _blocks(events)
    return _response(events) if any(kind.startswith("response.") for kind in kinds) else None


def _delta(event: Object) -> Object | None:
    choices = event.get("choices")
    holder = choices[0] if isinstance(choices, list) and choices else event
    delta = holder.get("delta") if isinstance(holder, dict) else None
    if isinstance(delta, dict) and "type" not in event:
        return delta
    calls = event.get("tool_calls")
    numbered = isinstance(calls, list) and any(isinstance(call, dict) and "index" in call for call in calls)
    return event if numbered else None


def _chat(events: Sequence[Object]) -> Object:
    calls, legacy, finish = _Calls(), _Fragments(), None
    content, refusal, around = "", "", Object()
    for event in events:
        around |= {key: value for key, value in event.items() if key not in _PER_CHUNK and value is not None}
        delta = _delta(event) or {}
        content += text_of({"content": delta.get("content")})
        refusal += _text(delta.get("refusal"))
        for fragment in _list(delta.get("tool_calls")):
            calls.add(fragment)
        legacy.add(delta.get("function_call"))
        choice = next(iter(_list(event.get("choices"))), event)
        finish = (choice.get("finish_reason") if isinstance(choice, dict) else None) or finish
    message: Object = {"role": "assistant", "content": content, "tool_calls": calls.entries()}
    if refusal:
        message["refusal"] = refusal
    if legacy.begun:
        message["function_call"] = legacy.function()
    return {**around, "choices": [{"message": message, "finish_reason": finish}]}


class _Fragments:
    """One function call that grows: the name is given once or in pieces, the arguments in pieces."""

    def __init__(self) -> None:
        self.id: str | None = None
        self.begun = False
        self._name = ""
        self._arguments: list[Json] = []

    def add(self, fragment: Json) -> None:
        if not isinstance(fragment, dict):
            return
        self.begun = True
        name = _text(fragment.get("name"))
        # Some providers repeat the whole name in every fragment.
        self._name += "" if name == self._name else name
        if fragment.get("arguments") is not None:
            self._arguments.append(fragment["arguments"])

    def function(self) -> Object:
        whole = next((piece for piece in self._arguments if not isinstance(piece, str)), None)
        arguments: Json = "".join(cast("list[str]", self._arguments)) if whole is None else whole
        return {"name": self._name or None, "arguments": arguments}


class _Calls:
    """The calls of one stream in the order in which they began."""

    def __init__(self) -> None:
        self._calls: list[_Fragments] = []
        self._open: dict[str, _Fragments] = {}

    def add(self, fragment: Json) -> None:
        if not isinstance(fragment, dict):
            return
        index, identity = str(fragment.get("index")), fragment.get("id") or None
        call = self._open.get(index)
        fresh = identity is not None and call is not None and call.id not in (None, identity)
        if call is None or fresh:
            call = _Fragments()
            self._calls.append(call)
            self._open[index] = call
        call.id = call.id or (identity if isinstance(identity, str) else None)
        call.add(fragment.get("function", fragment))

    def entries(self) -> list[Json]:
        return [{"id": call.id, "type": "function", "function": call.function()} for call in self._calls]


def _blocks(events: Sequence[Object]) -> Object:
    blocks: dict[int, Object] = {}
    pieces: dict[int, str] = {}
    stop: Json = None
    for event in events:
        index, delta = event.get("index"), event.get("delta")
        block = event.get("content_block")
        if isinstance(block, dict) and isinstance(index, int):
            blocks[index] = dict(block)
        elif isinstance(delta, dict) and isinstance(index, int) and index in blocks:
            pieces[index] = pieces.get(index, "") + _text(delta.get("partial_json"))
            blocks[index]["text"] = _text(blocks[index].get("text")) + _text(delta.get("text"))
        elif isinstance(delta, dict):
            stop = delta.get("stop_reason") or stop
    for index, piece in pieces.items():
        if piece:
            blocks[index]["input"] = piece
    return {"type": "message", "content": [blocks[index] for index in sorted(blocks)], "stop_reason": stop}


def _response(events: Sequence[Object]) -> Object:
    wholes = [found for event in events if isinstance(found := event.get("response"), dict)]
    whole = wholes[-1] if wholes else {}
    if whole.get("output"):
        return whole
    items: dict[str, Object] = {}
    for event in events:
        index = str(event.get("output_index", event.get("item_id")))
        item = event.get("item")
        if isinstance(item, dict):
            items[index] = dict(item)
        elif str(event.get("type")).endswith("arguments.delta"):
            held = items.setdefault(index, {"type": "function_call"})
            held["arguments"] = _text(held.get("arguments")) + _text(event.get("delta"))
        elif str(event.get("type")).endswith("output_text.delta"):
            held = items.setdefault(index, {"type": "message"})
            held["text"] = _text(held.get("text")) + _text(event.get("delta"))
    return {**whole, "output": list(items.values())}


def _text(value: Json) -> str:
    return value if isinstance(value, str) else ""


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []
