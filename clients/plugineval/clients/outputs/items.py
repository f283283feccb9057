"""Loose items without a document around them: plain calls, and the single pieces of every provider, also mixed."""

from typing import NamedTuple

from plugineval.clients.outputs import blocks, chat, gemini, responses
from plugineval.clients.outputs.reply import Shape
from plugineval.clients.outputs.spoken import Spoken, argument_key, emitted, name_of, no_call
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.values import Json

_PLAIN = frozenset({"name", "arguments"})
_PROVIDER_TYPES = responses.CALLS | blocks.CALLS | {"reasoning", "message"}
_PROVIDER_KEYS = frozenset({"choices", "candidates", "functionCall", "toolUse"})
_SILENT = frozenset({"reasoning", "text", "output_text", "thinking", "redacted_thinking", "tool_result"})


_OTHERS = ("user", "system", "developer", "tool", "function")


class _Read(NamedTuple):
    shape: Shape
    calls: tuple[EmittedCall, ...] = ()
    text: str = ""


def are_plain(items: list[Json]) -> bool:
    """Whether `items` are nothing but name and arguments each, as files of rows hold them."""
    return all(isinstance(item, dict) and item.keys() == _PLAIN for item in items)


def spoken_items(items: list[Json]) -> tuple[Spoken, Shape]:
    """The calls and texts of `items` in order; an item that nothing explains is kept as a call of nothing."""
    if are_plain(items):
        return Spoken(calls=tuple(_plain(item) for item in items if isinstance(item, dict))), Shape.CALLS
    read = [_item(item) for item in items]
    shapes = [found.shape for found in read if found.calls] or [found.shape for found in read] or [Shape.CALLS]
    calls = tuple(call for found in read for call in found.calls)
    return Spoken(calls=calls, text="".join(found.text for found in read)), shapes[0]


def is_provider_item(value: Json) -> bool:
    """Whether `value` carries marks that a provider's serialiser writes and a model does not."""
    if not isinstance(value, dict):
        return False
    numbered = value.get("type") == "function" and "id" in value
    spoken = "role" in value and bool({"tool_calls", "function_call", "content", "parts"} & value.keys())
    return str(value.get("type")) in _PROVIDER_TYPES or bool(_PROVIDER_KEYS & value.keys()) or numbered or spoken


def _plain(item: dict[str, Json]) -> EmittedCall:
    return emitted(item["name"], item["arguments"], item=item, as_object=True)


def _item(item: Json) -> _Read:
    if isinstance(item, str):
        return _Read(Shape.TEXT, text=item)
    if not isinstance(item, dict):
        return _Read(Shape.UNKNOWN, (no_call(item),))
    return _message(item) if "role" in item else _marked(item) or _unmarked(item)


def _marked(item: dict[str, Json]) -> _Read | None:
    """A piece that bears the marks of one provider."""
    kind = str(item.get("type"))
    if kind in responses.CALLS or kind.endswith("_call"):
        shape, found = Shape.RESPONSES, responses.item_call(item)
    elif blocks.is_call(item):
        shape, found = Shape.BLOCKS, blocks.block_call(item)
    elif any(isinstance(item.get(key), dict) for key in gemini.KEYS):
        shape, found = Shape.GEMINI, gemini.part_call(item)
    elif isinstance(item.get("function"), dict):
        shape, found = Shape.CHAT, chat.tool_call(item)
    else:
        return None
    return _Read(shape, (found,) if found else ())


def _message(item: dict[str, Json]) -> _Read:
    if item["role"] in _OTHERS:
        return _Read(Shape.CHAT)
    parts = item.get("parts")
    spoken = gemini.parts_of(parts) if isinstance(parts, list) else chat.message_of(item)
    return _Read(Shape.GEMINI if isinstance(parts, list) else Shape.CHAT, spoken.calls, spoken.text)


def _unmarked(item: dict[str, Json]) -> _Read:
    name = name_of(item)
    if name is not None:
        key = argument_key(item)
        return _Read(Shape.CALLS, (emitted(name, item.get(key) if key else None, item=item, as_object=True),))
    if str(item.get("type")) in _SILENT or isinstance(item.get("text"), str):
        return _Read(Shape.TEXT, text=blocks.block_text(item))
    return _Read(Shape.CALLS, (_keyed(item) or no_call(item),))


def _keyed(item: dict[str, Json]) -> EmittedCall | None:
    """`{NAME: {…}}`, as some data sets write calls."""
    if len(item) != 1:
        return None
    name, raw = next(iter(item.items()))
    if not isinstance(raw, dict) and not (isinstance(raw, str) and raw.strip().startswith("{")):
        return None
    return emitted(name, raw, item=item, as_object=True)
