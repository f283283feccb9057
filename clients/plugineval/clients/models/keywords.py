"""Where schemas stand inside a schema: what tells a keyword from an argument of that name, and schemas from data."""

from collections.abc import Iterator, Mapping

from plugineval.pccf.values import Json

MAPS = frozenset({"properties", "patternProperties", "$defs", "definitions", "dependentSchemas"})
"""Keywords whose members are schemas under names of their own."""
LISTS = frozenset({"anyOf", "oneOf", "allOf", "prefixItems", "items"})
SINGLES = frozenset(
    {"items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames", "additionalItems"}
    | {"unevaluatedItems", "unevaluatedProperties", "contentSchema"}
)


def inner_schemas(schema: Mapping[str, Json]) -> Iterator[tuple[tuple[str, ...], Json]]:
    """Every schema directly inside `schema`, with the steps that lead to it."""
    for keyword, value in schema.items():
        if keyword in MAPS and isinstance(value, dict):
            yield from (((keyword, name), inner) for name, inner in value.items())
        elif keyword in LISTS and isinstance(value, list):
            yield from (((keyword, str(index)), inner) for index, inner in enumerate(value))
        elif keyword in SINGLES:
            yield (keyword,), value
