"""A tool's schema as one provider takes it: rewritten only where the provider is known to refuse it, each change told.

Keywords are told from names of arguments by where they stand: a property that is called `type` or `properties` stays
what it is, and what stands in `const`, `enum`, `default` or `examples` is data and never looked into.
"""

import re
from collections.abc import Callable, Mapping
from typing import TypeAlias, cast

from plugineval.clients.models.keywords import LISTS, MAPS, SINGLES
from plugineval.clients.models.merging import merged_branches
from plugineval.clients.models.pointers import resolved
from plugineval.clients.models.quirks import SchemaRules
from plugineval.pccf.json_pointers import escaped
from plugineval.pccf.values import Json

Schema: TypeAlias = dict[str, Json]
Told: TypeAlias = Callable[[str, str], None]
"""Takes the JSON pointer of the change (from the schema's root) and what was done."""

_SHORTHAND = re.compile(r"\\[dDwWsSbB]")
_IDENTITY = ("$schema", "$id")


def adapted(schema: Mapping[str, Json], rules: SchemaRules, told: Told, *, root: bool = True) -> Schema:
    """A copy of `schema` that `rules` allow; `told` hears of every change.

    `root`: the schema is the whole of a function's parameters, which every provider wants to be an object.
    """
    found = dict(schema)
    for keyword in _IDENTITY:
        if keyword in found:
            told(f"/{keyword}", "dropped")
            del found[keyword]
    if root and (refused := [keyword for keyword in found if keyword in rules.refused_at_root]):
        found = merged_branches(found, refused, lambda node: _target(node, schema))
        told("", f"{', '.join(refused)} merged into one object")
    found = found if rules.none else _Rewriting(schema, rules, told).node(found, "", ())
    return _as_object(found, told) if root else found


def _as_object(schema: Schema, told: Told) -> Schema:
    if "type" not in schema:
        told("/type", "added as 'object'")
        schema["type"] = "object"
    if "properties" not in schema:
        told("/properties", "added as {}")
        schema["properties"] = {}
    return schema


def _target(node: Json, root: Mapping[str, Json]) -> Json:
    reference = node.get("$ref") if isinstance(node, dict) else None
    return resolved(reference, root) if isinstance(reference, str) else node


class _Rewriting:
    """One walk over one schema."""

    def __init__(self, root: Mapping[str, Json], rules: SchemaRules, told: Told) -> None:
        self._root = root
        self._rules = rules
        self._told = told

    def node(self, schema: Schema, path: str, above: tuple[str, ...]) -> Schema:
        """`schema` rewritten; `above` are the references that are being unfolded."""
        if self._rules.simple:
            schema, above = self._unfolded(schema, path, above)
            schema = self._simplified(schema, path)
        kept: Schema = {}
        for keyword, value in schema.items():
            here = f"{path}/{escaped(keyword)}"
            if reason := self._refusal(keyword, value, schema):
                self._told(here, reason)
            else:
                kept[keyword] = self._value(keyword, value, here, above)
        return kept

    def _value(self, keyword: str, value: Json, path: str, above: tuple[str, ...]) -> Json:
        if keyword in MAPS and isinstance(value, dict):
            return {name: self._sub(inner, f"{path}/{escaped(name)}", above) for name, inner in value.items()}
        if keyword in LISTS and isinstance(value, list):
            return [self._sub(inner, f"{path}/{index}", above) for index, inner in enumerate(value)]
        return self._sub(value, path, above) if keyword in SINGLES else value

    def _sub(self, value: Json, path: str, above: tuple[str, ...]) -> Json:
        if isinstance(value, bool) and self._rules.simple:
            self._told(path, f"{str(value).lower()} sent as {{}}")
            return {}
        return self.node(value, path, above) if isinstance(value, dict) else value

    def _refusal(self, keyword: str, value: Json, schema: Schema) -> str | None:
        rules = self._rules
        if keyword in rules.dropped or (rules.known is not None and keyword not in rules.known):
            return "dropped"
        if keyword == "format" and rules.formats is not None and value not in rules.formats:
            return f"dropped ({value})"
        if keyword == "pattern" and rules.plain_patterns and isinstance(value, str) and _SHORTHAND.search(value):
            return f"dropped ({value})"
        if rules.simple and keyword == "enum" and not _texts(value):
            return "dropped: values that are no texts"
        tuple_items = rules.simple and keyword == "items" and isinstance(value, list)
        return "dropped: a tuple" if tuple_items else None

    def _unfolded(self, schema: Schema, path: str, above: tuple[str, ...]) -> tuple[Schema, tuple[str, ...]]:
        reference = schema.get("$ref")
        if not isinstance(reference, str):
            return schema, above
        rest = {keyword: value for keyword, value in schema.items() if keyword != "$ref"}
        target = None if reference in above else resolved(reference, self._root)
        if not isinstance(target, dict):
            self._told(f"{path}/$ref", f"{reference} not unfolded again, because it refers to itself")
            return {"type": "object", **rest}, above
        self._told(f"{path}/$ref", f"{reference} put in its place")
        inner, deeper = self._unfolded({**target, **rest}, path, (*above, reference))
        return inner, deeper

    def _simplified(self, schema: Schema, path: str) -> Schema:
        """`const`, `oneOf`, `allOf` and lists of types in the words that are left."""
        found = dict(schema)
        if "const" in found:
            self._told(f"{path}/const", "sent as enum")
            found["enum"] = [found.pop("const")]
        if "oneOf" in found and "anyOf" not in found:
            self._told(f"{path}/oneOf", "sent as anyOf")
            found["anyOf"] = found.pop("oneOf")
        if "allOf" in found:
            self._told(f"{path}/allOf", "merged into one schema")
            found = merged_branches(found, ["allOf"], lambda node: _target(node, self._root))
        if isinstance(found.get("type"), list):
            found = self._one_type(found, path)
        if found.get("type") == "array" and not isinstance(found.get("items"), dict):
            self._told(f"{path}/items", "sent as {}")
            found["items"] = {}
        return found

    def _one_type(self, schema: Schema, path: str) -> Schema:
        types = cast("list[Json]", schema["type"])
        some = [kind for kind in types if kind != "null"]
        found = {keyword: value for keyword, value in schema.items() if keyword != "type"}
        if len(some) < len(types):
            found["nullable"] = True
        if isinstance(values := found.get("enum"), list) and None in values:
            found["enum"] = [value for value in values if value is not None]
        if len(some) > 1:
            found.setdefault("anyOf", [{"type": kind} for kind in some])
        else:
            found["type"] = some[0] if some else "null"
        self._told(f"{path}/type", f"{' | '.join(map(str, types))} sent as {_types_sent(found)}")
        return found


def _types_sent(schema: Schema) -> str:
    kind = str(schema["type"]) if "type" in schema else "anyOf"
    return f"{kind}, nullable" if "nullable" in schema else kind


def _texts(values: Json) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)
