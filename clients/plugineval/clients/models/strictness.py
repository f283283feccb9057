"""Whether a schema fits the subset that strict function calling takes; nothing is changed to make it fit (B8).

Source: OpenAI's guide to structured outputs (supported schemas). The depth is the smaller of the limits it has had.
"""

from collections.abc import Mapping

from plugineval.clients.models.keywords import inner_schemas
from plugineval.pccf.json_pointers import escaped
from plugineval.pccf.values import Json

_KEYWORDS = frozenset(
    {"type", "properties", "required", "additionalProperties", "items", "enum", "const", "anyOf", "$ref", "$defs"}
    | {"definitions", "title", "description", "pattern", "format", "multipleOf", "maximum", "exclusiveMaximum"}
    | {"minimum", "exclusiveMinimum", "minItems", "maxItems"}
)
_FORMATS = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}  # nothing else
)
_DEEPEST = 5


def misfit(schema: Mapping[str, Json]) -> str | None:
    """The first place where `schema` leaves the subset, and why; None where it fits."""
    if schema.get("type") != "object" or "anyOf" in schema:
        return "the root is not a plain object"
    return _misfit(schema, "", 1)


def _misfit(schema: Mapping[str, Json], path: str, depth: int) -> str | None:
    own = _own_misfit(schema, depth)
    if own:
        return f"{path or 'the root'}: {own}"
    for steps, inner in inner_schemas(schema):
        if steps == ("additionalProperties",):
            continue
        here = path + "".join(f"/{escaped(step)}" for step in steps)
        if not isinstance(inner, dict):
            return f"{here}: {inner!r} instead of a schema"
        if found := _misfit(inner, here, depth + (steps[0] == "properties")):
            return found
    return None


def _own_misfit(schema: Mapping[str, Json], depth: int) -> str | None:
    unknown = sorted(schema.keys() - _KEYWORDS)
    if unknown:
        return f"{unknown[0]} is not supported"
    if "format" in schema and schema["format"] not in _FORMATS:
        return f"the format {schema['format']!r} is not supported"
    if isinstance(schema.get("items"), list):
        return "a tuple is not supported"
    return _object_misfit(schema, depth) if schema.get("type") == "object" or "properties" in schema else None


def _object_misfit(schema: Mapping[str, Json], depth: int) -> str | None:
    if depth > _DEEPEST:
        return f"nested deeper than {_DEEPEST}"
    if schema.get("additionalProperties") is not False:
        return "additionalProperties is not false"
    properties, required = schema.get("properties"), schema.get("required")
    names = properties if isinstance(properties, dict) else {}
    listed = required if isinstance(required, list) else []
    optional = [name for name in names if name not in listed]
    return f"{optional[0]!r} is optional" if optional else None
