"""Which subschemas speak about a place of an instance: the local `$ref`s of one schema followed, its branches unfolded.

Only the document itself is ever looked into. Whatever branch an instance takes, a key that any branch names counts
as described: this is about what the author of the schema wrote down, not about what is valid.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, cast

import jsonschema_rs

from plugineval.pccf.values import Json

_ROOT = "urn:plugineval:schema"
_REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
_BRANCHES = ("allOf", "anyOf", "oneOf")
_CONDITIONS = ("if", "then", "else", "not")
_KEYED = ("dependentSchemas", "dependencies")
IN_PLACE = frozenset({*_REFERENCES, *_BRANCHES, *_CONDITIONS, *_KEYED})
"""Keywords whose subschemas are applied to the very same part of the instance."""
_REST_OF_OBJECT = ("additionalProperties", "unevaluatedProperties")
_REST_OF_ARRAY = ("items", "additionalItems", "unevaluatedItems", "contains")


class Place(NamedTuple):
    """A subschema and the resolver for the references in it."""

    schema: dict[str, Json]
    resolver: jsonschema_rs.Resolver


class SchemaGraph:
    """The subschemas of one document, walked from its root; the document must have been compiled before."""

    def __init__(self, schema: dict[str, Json]) -> None:
        self._resolved: dict[tuple[str, str], Place | None] = {}
        self._patterns: dict[str, jsonschema_rs.Validator] = {}
        resolver = jsonschema_rs.Registry([(_ROOT, schema)]).resolver(_ROOT)
        self.root = self._based(schema, resolver)

    def everywhere(self) -> Iterator[Place]:
        """Every object of the document, as if it were a subschema; the root first."""
        waiting: list[Json] = [self.root.schema]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                yield Place(value, self.root.resolver)
            waiting.extend(value.values() if isinstance(value, dict) else _listed(value))

    def unfolded(self, places: Iterable[Place]) -> list[Place]:
        """`places` and everything that speaks about the same part of the instance, each once; `not` says nothing."""
        found: dict[int, Place] = {}
        waiting = list(places)
        while waiting:
            place = waiting.pop()
            if id(place.schema) not in found:
                found[id(place.schema)] = place
                waiting.extend(self.in_place(place, without="not"))
        return list(found.values())

    def targets(self, place: Place) -> Iterator[Place]:
        """What the references anywhere inside `place` lead to."""
        waiting: list[Json] = [place.schema]
        while waiting:
            value = waiting.pop()
            if isinstance(value, dict):
                yield from self._referred(Place(value, place.resolver))
            waiting.extend(value.values() if isinstance(value, dict) else _listed(value))

    def in_place(self, place: Place, *, without: str | None = None) -> Iterator[Place]:
        """Subschemas of `place` that are applied to the very same part of the instance."""
        yield from self._referred(place)
        subs = [place.schema.get(keyword) for keyword in _CONDITIONS if keyword != without]
        for keyword in _BRANCHES:
            subs.extend(_listed(place.schema.get(keyword)))
        for keyword in _KEYED:
            subs.extend(_mapped(place.schema.get(keyword)).values())
        yield from self._children(place, subs)

    def of_member(self, places: Iterable[Place], key: str) -> list[Place] | None:
        """What the (unfolded) places say about the member `key` of an object; None where they do not describe it."""
        found: list[Place] = []
        described = False
        for place in places:
            subs = self._member_schemas(place.schema, key)
            described = described or bool(subs)
            found.extend(self._children(place, subs))
        return found if described else None

    def of_item(self, places: Iterable[Place], index: int) -> list[Place]:
        """What the (unfolded) places say about item `index` of an array."""
        found: list[Place] = []
        for place in places:
            rows = [*_listed(place.schema.get("prefixItems")), *_listed(place.schema.get("items"))]
            subs = rows[index : index + 1]
            subs.extend(place.schema.get(keyword) for keyword in _REST_OF_ARRAY)
            found.extend(self._children(place, subs))
        return found

    def _referred(self, place: Place) -> Iterator[Place]:
        for keyword in _REFERENCES:
            ref = place.schema.get(keyword)
            target = self._follow(place, ref) if isinstance(ref, str) else None
            if target is not None:
                yield target

    def _member_schemas(self, schema: dict[str, Json], key: str) -> list[Json]:
        named = _mapped(schema.get("properties"))
        subs = [named[key]] if key in named else []
        patterns = _mapped(schema.get("patternProperties"))
        subs.extend(sub for pattern, sub in patterns.items() if self._matches(pattern, key))
        rest = [schema.get(keyword) for keyword in _REST_OF_OBJECT]
        return subs or [sub for sub in rest if isinstance(sub, dict)]

    def _matches(self, pattern: str, key: str) -> bool:
        if pattern not in self._patterns:
            self._patterns[pattern] = jsonschema_rs.validator_for({"pattern": pattern}, offline=True)
        return self._patterns[pattern].is_valid(key)

    def _children(self, place: Place, subs: Iterable[Json]) -> Iterator[Place]:
        for sub in subs:
            if isinstance(sub, dict):
                yield self._based(sub, place.resolver)

    def _based(self, schema: dict[str, Json], resolver: jsonschema_rs.Resolver) -> Place:
        """References inside a schema with an `$id` of its own start from there."""
        place = Place(schema, resolver)
        own = schema.get("$id")
        base = self._follow(place, own) if isinstance(own, str) else None
        return Place(schema, base.resolver) if base else place

    def _follow(self, place: Place, ref: str) -> Place | None:
        key = (place.resolver.base_uri, ref)
        if key not in self._resolved:
            self._resolved[key] = _lookup(place.resolver, ref)
        return self._resolved[key]


def names_members(places: Iterable[Place]) -> bool:
    """Whether any of the places names a member of an object, or closes it."""
    return any(
        place.schema.get("properties")
        or place.schema.get("patternProperties")
        or any(place.schema.get(keyword) is False for keyword in _REST_OF_OBJECT)
        for place in places
    )


def _lookup(resolver: jsonschema_rs.Resolver, ref: str) -> Place | None:
    try:
        found = resolver.lookup(ref)
    except jsonschema_rs.ReferencingError:
        return None
    contents = found.contents
    return Place(cast("dict[str, Json]", contents), found.resolver) if isinstance(contents, dict) else None


def _listed(value: Json) -> list[Json]:
    return value if isinstance(value, list) else []


def _mapped(value: Json) -> dict[str, Json]:
    return value if isinstance(value, dict) else {}
