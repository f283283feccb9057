"""JSON pointers into a schema: followed, and moved where a schema becomes part of a larger one."""

from collections.abc import Mapping
from typing import cast
from urllib.parse import unquote

from plugineval.clients.models.keywords import LISTS, MAPS, SINGLES, inner_schemas
from plugineval.pccf.json_pointers import followed, unescaped
from plugineval.pccf.values import Json


def resolved(reference: str, root: Mapping[str, Json]) -> Json:
    """What the local `reference` points to in `root`; None where there is nothing."""
    return followed(cast("Json", root), _steps(reference))


def holds_reference(schema: Json) -> bool:
    """Whether `schema` refers to another place of its document."""
    if not isinstance(schema, dict):
        return False
    return isinstance(schema.get("$ref"), str) or any(holds_reference(inner) for _, inner in inner_schemas(schema))


def rebased(schema: Json, prefix: str) -> Json:
    """`schema` with every local reference in it moved to below `prefix` (such as `#/$defs/x`); data is left alone."""
    if not isinstance(schema, dict):
        return schema
    return {keyword: _rebased_value(keyword, value, prefix) for keyword, value in schema.items()}


def _rebased_value(keyword: str, value: Json, prefix: str) -> Json:
    if keyword == "$ref" and isinstance(value, str) and value.startswith("#"):
        return prefix + value[1:]
    if keyword in MAPS and isinstance(value, dict):
        return {name: rebased(inner, prefix) for name, inner in value.items()}
    if keyword in LISTS and isinstance(value, list):
        return [rebased(inner, prefix) for inner in value]
    return rebased(value, prefix) if keyword in SINGLES else value


def _steps(reference: str) -> list[str]:
    pointer = unquote(reference.removeprefix("#"))
    return [*map(unescaped, pointer.split("/")[1:])]
