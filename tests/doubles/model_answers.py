"""One answer of a model in the clothes of every API: chat completions and the Responses API, whole or as events."""

import json
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from doubles.openai_server import Reply, calling, document, message
from plugineval.clients.models.paths import Api
from plugineval.pccf.values import Json

CallMode: TypeAlias = Literal["native", "json_schema"]

PIECE = 3
"""Characters of an argument text or a word in one event."""


class Clothes(NamedTuple):
    """How an answer is dressed."""

    api: Api = "chat"
    stream: bool = False
    call_mode: CallMode = "native"


def answering(clothes: Clothes, *calls: tuple[str, Json], text: str = "") -> Reply:
    """A completed answer that makes `calls` (at most one in mode `json_schema`), or says `text`."""
    if clothes.call_mode == "json_schema":
        said: Json = {"name": calls[0][0], "arguments": calls[0][1]} if calls else {"name": "none"}
        calls, text = (), json.dumps(said)
    if clothes.api == "responses":
        whole = response(*calls, text=text)
        return events(response_events(whole)) if clothes.stream else document(whole)
    if clothes.stream:
        return events([*chunks(*calls, text=text), {"choices": [], "usage": CHAT_USAGE}], done=True)
    return calling(*calls) if calls else message(text)


CHAT_USAGE: Json = {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10}


def response(*calls: tuple[str, Json], text: str = "", status: str = "completed", **more: Json) -> dict[str, Json]:
    """A response object with function calls or a message, and the usage of the chat double."""
    output: list[Json] = [
        {"type": "function_call", "id": f"fc_{index}", "call_id": f"call_{index}", "name": name, "arguments": _raw(raw)}
        for index, (name, raw) in enumerate(calls)
    ]
    if text or not calls:
        part: Json = {"type": "output_text", "text": text, "annotations": []}
        output.append({"type": "message", "id": "m1", "role": "assistant", "content": [part]})
    usage: Json = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
    whole: dict[str, Json] = {"id": "r1", "object": "response", "created_at": 1, "model": "m", "error": None}
    return {**whole, "status": status, "output": output, "usage": usage, "tools": [], **more}


def response_events(whole: dict[str, Json]) -> list[Json]:
    """The events that amount to the response `whole`; the last one holds it."""
    found: list[Json] = [{"type": "response.created", "response": {**whole, "status": "in_progress", "output": []}}]
    output = whole["output"]
    for index, item in enumerate(output if isinstance(output, list) else []):
        found.append({"type": "response.output_item.added", "output_index": index, "item": _opened(item)})
        raw = item.get("arguments") if isinstance(item, dict) else None
        deltas = pieces(raw) if isinstance(raw, str) else []
        for piece in deltas:
            kind = "response.function_call_arguments.delta"
            found.append({"type": kind, "output_index": index, "delta": piece})
        found.append({"type": "response.output_item.done", "output_index": index, "item": item})
    return [*found, {"type": f"response.{whole['status']}", "response": whole}]


def chunks(*calls: tuple[str, Json], text: str = "", finish_reason: str | None = "stop") -> list[Json]:
    """The chunks of a chat completion; the last says why it ended, unless `finish_reason` is None."""
    deltas: list[Json] = [{"role": "assistant", "content": ""}]
    for piece in pieces(text):
        deltas.append({"content": piece})
    for index, (name, raw) in enumerate(calls):
        head: Json = {"index": index, "id": f"call_{index}", "function": {"name": name, "arguments": ""}}
        deltas.append({"tool_calls": [head]})
        for piece in pieces(_raw(raw)):
            deltas.append({"tool_calls": [{"index": index, "function": {"arguments": piece}}]})
    found = [_chunk(delta, None) for delta in deltas]
    return found if finish_reason is None else [*found, _chunk({}, finish_reason)]


def events(items: Sequence[Json], *, done: bool = False, cut: str = "") -> Reply:
    """A `text/event-stream` of `items`, ending in `[DONE]` or in the middle of an event."""
    lines = [f"data: {json.dumps(item, ensure_ascii=False)}" for item in items]
    body = "\n\n".join([*lines, *(["data: [DONE]"] if done else []), cut])
    return Reply(body=body.encode(), headers=(("content-type", "text/event-stream"),))


def pieces(text: str) -> list[str]:
    """`text` in pieces."""
    return [text[at : at + PIECE] for at in range(0, len(text), PIECE)]


def _raw(arguments: Json) -> str:
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _opened(item: Json) -> Json:
    return {**item, "arguments": ""} if isinstance(item, dict) and "arguments" in item else item


def _chunk(delta: Json, finish_reason: str | None) -> Json:
    choice: Json = {"index": 0, "delta": delta, "finish_reason": finish_reason}
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}
