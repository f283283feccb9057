"""The message of a chat completion: `tool_calls`, the older `function_call`, content as a text or in parts."""

import json
from typing import cast

from plugineval.clients.outputs.blocks import block_call, is_call
from plugineval.clients.outputs.spoken import Spoken, argument_key, emitted, name_of, no_call, noted
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.values import Json


def message_of(message: dict[str, Json], finish_reason: Json = None) -> Spoken:
    """The calls and the text of one assistant message; a mirrored legacy call is one call, and says so."""
    return Spoken(
        calls=_calls(message),
        text=text_of(message),
        finish_reason=finish_reason if isinstance(finish_reason, str) else None,
    )


def text_of(message: dict[str, Json]) -> str:
    """The text of a message: its content, the text parts of it, or the words of a refusal."""
    content = message.get("content")
    if isinstance(content, list):
        content = "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    if not content:
        content = message.get("refusal")
    return content if isinstance(content, str) else ""


def tool_call(item: Json) -> EmittedCall:
    """One entry of `tool_calls`."""
    if not isinstance(item, dict):
        return no_call(item)
    inner = item.get("function")
    if isinstance(inner, dict):
        key = argument_key(inner) or "arguments"
        return emitted(inner.get("name"), inner.get(key), item=item, as_object=key != "arguments")
    outside = argument_key(item)
    if outside is None or name_of(item) is None:
        return no_call(item)
    call = emitted(name_of(item), item.get(outside), item=item, as_object=True)
    return noted(call, "name and arguments stood beside the function")


def _calls(message: dict[str, Json]) -> tuple[EmittedCall, ...]:
    found = message.get("tool_calls")
    entries = found if isinstance(found, list) else [found] if found else []
    calls = [tool_call(item) for item in entries] + _blocks(message.get("content"))
    legacy = message.get("function_call")
    if not legacy:
        return tuple(calls)
    call = tool_call({"type": "function", "function": legacy})
    twin = next((index for index, other in enumerate(calls) if _same(other, call)), None)
    if twin is None:
        return (*calls, call)
    calls[twin] = noted(calls[twin], "the same call stood in function_call as well")
    return tuple(calls)


def _blocks(content: Json) -> list[EmittedCall]:
    """Calls that a translating server left in the content, as its own provider's blocks."""
    parts = content if isinstance(content, list) else []
    found = [block_call(part) for part in parts if isinstance(part, dict) and is_call(part)]
    return [noted(call, "the call stood in the content") for call in found if call is not None]


def _same(one: EmittedCall, other: EmittedCall) -> bool:
    return one.name == other.name and _content(one) == _content(other)


def _content(call: EmittedCall) -> str:
    return call.raw_arguments if call.arguments is None else json.dumps(cast("object", call.arguments), sort_keys=True)
