"""Schemas as they are published: without what tells a client nothing, because tools/list costs every conversation.

Titles that repeat a name, docstrings of types and empty defaults go; nested types stand where they are used. Names,
kinds, bounds and descriptions stay. What is published is valid; of what is valid, null is not published for an argument
that may be left out. No `type` is a list: some providers know one type for a schema alone.
"""

from collections.abc import Mapping
from typing import Any, cast

Schema = dict[str, Any]

_PREFIX = "#/$defs/"
_NULL: Schema = {"type": "null"}
_NOTHING: tuple[object, ...] = (None, "", [], {}, False, 0)
"""Defaults that leaving the argument out says as well."""


def published_input(schema: Mapping[str, Any]) -> Schema:
    """The schema of a tool's arguments, which allows no others."""
    return {**_terse(_plain(schema, schema.get("$defs", {}))), "additionalProperties": False}


def published_output(schema: Mapping[str, Any]) -> Schema:
    """The schema of a tool's structured content: an object.

    An answer shows its members itself, and grows; what says nothing else is paid for in every conversation.
    """
    return {"type": str(schema.get("type", "object"))}


def _terse(schema: Schema) -> Schema:
    """Without what leaving an argument out says as well: null, and defaults that are nothing."""
    shown = {key: _terse_member(key, value) for key, value in schema.items() if not _empty(key, value)}
    choices = cast("list[Schema]", shown.get("anyOf", []))
    if schema.get("default") is None and len(choices) == 2 and _NULL in choices:
        del shown["anyOf"]
        return shown | next(choice for choice in choices if choice != _NULL)
    return shown


def _terse_member(key: str, value: object) -> object:
    if key == "properties":
        return {name: _terse(each) for name, each in cast("dict[str, Schema]", value).items()}
    if key == "items" and isinstance(value, dict):
        return _terse(cast("Schema", value))
    return value


def _empty(key: str, value: object) -> bool:
    return (key == "default" and value in _NOTHING) or (key == "additionalProperties" and value == {})


def _plain(schema: Mapping[str, Any], types: Mapping[str, Schema]) -> Schema:
    """`types` are nested types by name; none of them may hold itself."""
    if "$ref" in schema:
        return _undescribed(_plain(types[schema["$ref"].removeprefix(_PREFIX)], types))
    return {key: _member(key, value, types) for key, value in schema.items() if not _idle(key, value)}


def _idle(key: str, value: object) -> bool:
    return key == "$defs" or (key == "title" and isinstance(value, str)) or (key == "default" and value is None)


def _member(key: str, value: object, types: Mapping[str, Schema]) -> object:
    if key == "properties":
        # Its keys are names, not keywords.
        return {name: _plain(each, types) for name, each in cast("dict[str, Schema]", value).items()}
    if isinstance(value, dict):
        return _plain(cast("Schema", value), types)
    if isinstance(value, list):
        return [_member("", each, types) for each in cast("list[object]", value)]
    return value


def _undescribed(schema: Schema) -> Schema:
    closed = schema.get("additionalProperties") is False
    unsaid = {"description", "additionalProperties"} if closed else {"description"}
    return {key: value for key, value in schema.items() if key not in unsaid}
