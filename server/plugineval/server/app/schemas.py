"""Schemas as they are published: without what tells a client nothing, because tools/list costs every conversation.

Titles that repeat a name, docstrings of types and defaults of null go; nested types stand where they are used; a choice
of plain types is one list of types. Names, kinds, bounds and descriptions stay, and the same values are valid.
"""

from collections.abc import Mapping
from typing import Any, cast

Schema = dict[str, Any]

_PREFIX = "#/$defs/"


def published_input(schema: Mapping[str, Any]) -> Schema:
    """The schema of a tool's arguments, which allows no others."""
    return {**_plain(schema, schema.get("$defs", {})), "additionalProperties": False}


def published_output(schema: Mapping[str, Any]) -> Schema:
    """The schema of a tool's structured content: its members, with a type where it is one and no text.

    It is true of every answer and says little: an answer shows itself, while its schema is paid for in every
    conversation. Other members are allowed, as answers grow.
    """
    plain = _plain(schema, schema.get("$defs", {}))
    members = {name: _type_of(member) for name, member in plain.get("properties", {}).items()}
    return {"type": "object", "properties": members}


def _type_of(member: Schema) -> Schema:
    kind = member.get("type", "string")
    return {"type": kind} if isinstance(kind, str) and kind != "string" else {}


def inlined(schema: Mapping[str, Any]) -> Schema:
    """A schema without titles and references, as an agent reads it; the same values are valid."""
    return _plain(schema, schema.get("$defs", {}))


def _plain(schema: Mapping[str, Any], types: Mapping[str, Schema]) -> Schema:
    """`types` are nested types by name; none of them may hold itself."""
    if "$ref" in schema:
        return _undescribed(_plain(types[schema["$ref"].removeprefix(_PREFIX)], types))
    shown = {key: _member(key, value, types) for key, value in schema.items() if not _idle(key, value)}
    choices = cast("list[Schema]", shown.get("anyOf", []))
    if choices and all(set(choice) == {"type"} for choice in choices):
        del shown["anyOf"]
        shown["type"] = [choice["type"] for choice in choices]
    return shown


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
