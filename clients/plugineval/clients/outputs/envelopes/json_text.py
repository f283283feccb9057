"""Calls written as JSON: one object, a list, or several documents one after another."""

import re

from plugineval.clients.outputs.spoken import argument_key, emitted, name_of
from plugineval.clients.strict_json import NotJsonError, strict_document
from plugineval.pccf.routing import EmittedCall
from plugineval.pccf.values import Json

_BETWEEN = re.compile(r"[\s,;]*")
_NAME = re.compile(r'"(?:name|tool_name|tool|function)"\s*:\s*"([^"\\]+)"')


def documents(text: str) -> list[Json]:
    """The JSON documents that make up `text`, parted by white space, commas or semicolons; `NotJsonError` else."""
    found: list[Json] = []
    place = _BETWEEN.match(text)
    position = place.end() if place else 0
    while position < len(text):
        value, position = strict_document(text, position)
        found.append(value)
        place = _BETWEEN.match(text, position)
        position = place.end() if place else position
    return found


def whole_calls(text: str) -> list[EmittedCall]:
    """The calls that `text` consists of; empty where any part of it is something else."""
    if not text.lstrip().startswith(("{", "[")):
        return []
    try:
        calls = [call for value in documents(text) for call in _calls(value)]
    except NotJsonError:
        return []
    return [] if None in calls else [call for call in calls if call is not None]


def marked_calls(text: str) -> list[EmittedCall]:
    """The calls in the body of an envelope: the mark says that it is a call, so one that is cut is kept as such.

    Empty where nothing even names a call.
    """
    if calls := whole_calls(text):
        return calls
    try:
        values = [item for value in documents(text) for item in (value if isinstance(value, list) else [value])]
    except NotJsonError as error:
        return _cut(text, str(error))
    return [call for item in values if isinstance(item, dict) and (call := _call(item, marked=True)) is not None]


def _calls(value: Json) -> list[EmittedCall | None]:
    if isinstance(value, dict) and isinstance(value.get("tool_calls"), list):
        value = value["tool_calls"]
    items = value if isinstance(value, list) else [value]
    return [_call(item, marked=False) if isinstance(item, dict) else None for item in items] or [None]


def _call(item: dict[str, Json], *, marked: bool) -> EmittedCall | None:
    inner = item.get("function")
    if isinstance(inner, dict):
        return _call(inner, marked=marked)
    name, key = name_of(item), argument_key(item)
    value = item.get(key) if key else None
    if name is None or not (marked or isinstance(value, dict | str)):
        return None
    return emitted(name, value, item=item, as_object=True)


def _cut(text: str, problem: str) -> list[EmittedCall]:
    """Calls whose JSON broke off: their names are known, their arguments are not."""
    return [
        EmittedCall(name=name, arguments=None, raw_arguments=text, problem=f"arguments are not JSON: {problem}")
        for name in _NAME.findall(text)
    ]
