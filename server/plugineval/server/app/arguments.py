"""What is wrong with the arguments of a tool call, as one sentence for each: the argument, and what it may be."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from plugineval.pccf.errors import PluginEvalError, UnknownNameError
from plugineval.server.app.shortening import cut

SHOWN = 60
"""Characters of what was given that an error repeats."""
MOST = 8
"""Errors that are told; a list of a thousand wrong members has a thousand."""


def unknown_arguments(tool: str, arguments: Mapping[str, object], properties: Mapping[str, object]) -> str | None:
    """The sentence about arguments that the tool does not have; None where it has all of them."""
    strange = [name for name in arguments if name not in properties]
    if not strange:
        return None
    told = [str(UnknownNameError("argument", cut(name, SHOWN), properties)) for name in strange[:MOST]]
    return " ".join([*told, *_more(len(strange)), again(tool)])


def wrong_arguments(tool: str, error: ValidationError, properties: Mapping[str, object]) -> str:
    """The sentences about arguments that are missing or do not fit."""
    wrong = error.errors(include_url=False)
    return " ".join([*(_wrong(detail, properties) for detail in wrong[:MOST]), *_more(len(wrong)), again(tool)])


def _more(count: int) -> tuple[str, ...]:
    return (f"{count - MOST:,} more are wrong.",) if count > MOST else ()


def again(tool: str) -> str:
    """What helps where only the arguments have to be mended."""
    return f"Next: call {tool} again with that mended."


def _wrong(detail: ErrorDetails, properties: Mapping[str, object]) -> str:
    field = cut(".".join(str(part) for part in detail["loc"]), 2 * SHOWN)
    schema = cast("Mapping[str, Any]", properties.get(str(detail["loc"][0]), {}))
    given = _shown(detail["input"])
    # The SDK's words name a class of ours.
    should = "input should be an object" if detail["type"] in _OBJECTS else _lowered(detail["msg"])
    problem = "is required" if detail["type"] == "missing" else f"{should}, not {given[:SHOWN]}"
    return str(PluginEvalError(problem, field=field, allowed=_allowed(_at(schema, detail["loc"][1:]))))


def _at(schema: Mapping[str, Any], path: Sequence[int | str]) -> Mapping[str, Any]:
    """The schema of the member at `path`, or of the nearest one above it that says what it may be."""
    for part in path:
        inner = schema.get("items") if isinstance(part, int) else schema.get("properties", {}).get(part)
        if not isinstance(inner, Mapping):
            return schema
        schema = cast("Mapping[str, Any]", inner)
    return schema


def _shown(given: object) -> str:
    return json.dumps(given, ensure_ascii=False, default=str)


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:]


def _allowed(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """What an argument may be, in words: the values of an enum, or a kind with its bounds."""
    if "enum" in schema:
        # An empty one stands for leaving it out.
        return tuple(str(value) for value in schema["enum"] if value != "")
    if "anyOf" in schema:
        return tuple(word for choice in schema["anyOf"] for word in _allowed(choice))
    kind = str(schema.get("type", "any value"))
    bounds = [
        f"{words} {schema[key]}" for key, words in _BOUNDS.items() if key in schema and (key, schema[key]) != _TRIVIAL
    ]
    items = f" of {_allowed(schema['items'])[0]}" if isinstance(schema.get("items"), dict) else ""
    members = schema.get("required") or list(schema.get("properties", {}))
    holding = f" {{{', '.join(map(str, members))}}}" if members else ""
    return (" ".join([kind + items + holding, *bounds]),)


_BOUNDS = {
    "minimum": "from",
    "maximum": "to",
    "minLength": "of length from",
    "maxLength": "to",
    "minItems": "of length from",
    "maxItems": "to",
}
_OBJECTS = frozenset({"model_type", "model_attributes_type", "dict_type", "dataclass_type"})
_TRIVIAL = ("minLength", 0)
