"""A place in a tool's schema, reached by walking along with a value: local references followed, unions narrowed.

The walk never validates: it only finds the keywords that decide equality (default, enum, uniqueItems, format, null).
"""

from collections.abc import Iterator
from urllib.parse import unquote

from plugineval.pccf.json_pointers import unescaped
from plugineval.pccf.values import Json

Schema = dict[str, Json]
_MAX_HOPS = 16
"""A schema comes from an untrusted plugin and may refer to itself."""


class Node:
    """A subschema with the document it belongs to; what is below it is walked to once and kept."""

    __slots__ = ("_items", "_members", "_narrowed", "_others", "description", "format", "root", "schema", "types")

    def __init__(self, schema: Schema, root: Schema) -> None:
        self.schema = schema
        self.root = root
        self.types = _types(schema)
        """The type names the schema gives here; empty where it gives none."""
        self.description = _text(schema, "description")
        """What the schema says about the value; empty where it says nothing."""
        self.format = _text(schema, "format")
        self._members: dict[str, Node] = {}
        self._others: Node | None = None
        self._items: Node | None = None
        self._narrowed: dict[frozenset[str], Node] = {}

    @classmethod
    def of_root(cls, schema: Schema) -> "Node":
        """The top of a tool's argument schema."""
        return cls(_flat(schema, schema), schema)

    def under(self, child: Json) -> "Node":
        """The node of a subschema of this document; `true`, `false` and nonsense say nothing."""
        return Node(_flat(child if isinstance(child, dict) else {}, self.root), self.root)

    def narrowed(self, value: Json) -> "Node":
        """The first union branch whose type admits `value`, merged with what stands beside the union."""
        if "anyOf" not in self.schema and "oneOf" not in self.schema:
            return self
        types = json_types(value)
        found = self._narrowed.get(types)
        if found is None:
            found = self._narrowed[types] = self._branch(types, _MAX_HOPS)
        return found

    def _branch(self, types: frozenset[str], hops: int) -> "Node":
        for branch in self.branches() if hops else ():
            node = self.under(branch)
            if not node.types or not node.types.isdisjoint(types):
                merged = Node({**node.schema, **_without_unions(self.schema)}, self.root)
                return merged._branch(types, hops - 1)
        return self

    def branches(self) -> Iterator[Json]:
        """The branches of `anyOf` and `oneOf`."""
        for keyword in ("anyOf", "oneOf"):
            found = self.schema.get(keyword)
            yield from found if isinstance(found, list) else ()

    def admits(self, value: Json) -> bool:
        """Whether the declared types allow the JSON type of `value` (no types allow everything)."""
        return not self.types or not self.types.isdisjoint(json_types(value))

    def means_null(self, *, hops: int = _MAX_HOPS) -> bool:
        """Whether null is a value the schema names, so that it is not the same as leaving the argument out (D13)."""
        enum = self.schema.get("enum")
        if "null" in self.types or (isinstance(enum, list) and None in enum):
            return True
        return hops > 0 and any(self.under(branch).means_null(hops=hops - 1) for branch in self.branches())

    def property(self, name: str) -> "Node":
        """The node of one key of an object."""
        found = self._members.get(name)
        if found is None:
            properties = self.schema.get("properties")
            if not isinstance(properties, dict) or name not in properties:
                return self._other_member()
            found = self._members[name] = self.under(properties[name])
        return found

    def _other_member(self) -> "Node":
        """The node of every key that the schema does not name."""
        if self._others is None:
            self._others = self.under(self.schema.get("additionalProperties"))
        return self._others

    def item(self, index: int) -> "Node":
        """The node of one element of an array."""
        prefix = self.schema.get("prefixItems")
        if isinstance(prefix, list) and index < len(prefix):
            return self.under(prefix[index])
        if self._items is None:
            self._items = self.under(self.schema.get("items"))
        return self._items

    def requires(self, name: str) -> bool:
        """Whether the object must hold `name`."""
        required = self.schema.get("required")
        return isinstance(required, list) and name in required


def _types(schema: Schema) -> frozenset[str]:
    found = schema.get("type")
    if isinstance(found, str):
        return _ALONE.get(found) or frozenset((found,))
    return frozenset(name for name in found if isinstance(name, str)) if isinstance(found, list) else _NO_TYPES


def _text(schema: Schema, keyword: str) -> str:
    found = schema.get(keyword)
    return found if isinstance(found, str) else ""


_TYPE_NAMES: dict[type, frozenset[str]] = {
    type(None): frozenset({"null"}),
    bool: frozenset({"boolean"}),
    int: frozenset({"integer", "number"}),
    str: frozenset({"string"}),
    list: frozenset({"array"}),
    dict: frozenset({"object"}),
}
_ALONE = {name: frozenset({name}) for names in _TYPE_NAMES.values() for name in names}
_NO_TYPES: frozenset[str] = frozenset()


def json_types(value: Json) -> frozenset[str]:
    """The JSON Schema type names of a value: 25.0 is an integer too, true is not a number."""
    exactly = _TYPE_NAMES.get(type(value))
    if exactly is not None:
        return exactly
    if isinstance(value, float):
        return _TYPE_NAMES[int] if value.is_integer() else _ALONE["number"]
    return next(names for kind, names in _TYPE_NAMES.items() if isinstance(value, kind))


def _flat(schema: Schema, root: Schema) -> Schema:
    """`schema` with local references and `allOf` merged in; keywords beside a reference win."""
    for _ in range(_MAX_HOPS):
        if "$ref" not in schema and "allOf" not in schema:
            break
        merged: Schema = {}
        for part in _parts(schema, root):
            merged = _merge(merged, part)
        schema = _merge(merged, {key: value for key, value in schema.items() if key not in {"$ref", "allOf"}})
    return schema


def _parts(schema: Schema, root: Schema) -> Iterator[Schema]:
    reference = schema.get("$ref")
    if isinstance(reference, str):
        yield _lookup(reference, root)
    for part in _list(schema.get("allOf")):
        if isinstance(part, dict):
            yield part


def _merge(first: Schema, second: Schema) -> Schema:
    merged = {**first, **second}
    properties = [found for found in (first.get("properties"), second.get("properties")) if isinstance(found, dict)]
    if len(properties) > 1:
        merged["properties"] = {**properties[0], **properties[1]}
    required = [name for part in (first, second) for name in _list(part.get("required")) if isinstance(name, str)]
    return {**merged, "required": list(dict.fromkeys(required))} if required else merged


def _list(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _lookup(reference: str, root: Schema) -> Schema:
    found: Json = root if reference.startswith("#") else {}
    for step in reference.split("/")[1:]:
        key = unescaped(unquote(step))
        found = found.get(key, {}) if isinstance(found, dict) else {}
    return found if isinstance(found, dict) else {}


def _without_unions(schema: Schema) -> Schema:
    return {key: value for key, value in schema.items() if key not in {"anyOf", "oneOf"}}
