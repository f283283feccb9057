"""Rewriting schemas, whatever they look like: originals stay, no argument is lost, and once is enough."""

import json

from hypothesis import given
from hypothesis import strategies as st

from plugineval.clients.models.adaptation import adapted
from plugineval.clients.models.keywords import inner_schemas
from plugineval.clients.models.quirks import DIALECTS
from plugineval.pccf.values import Json, canonical_json

NAMES = st.sampled_from(["type", "properties", "not", "const", "format", "pattern", "$ref", "anyOf", "a/b", "city", ""])
LEAVES = st.sampled_from(
    [
        '{"type": "string", "format": "uri", "pattern": "\\\\d"}',
        '{"type": ["integer", "null"], "enum": [1, null]}',
        '{"const": {"not": 1}}',
        '{"$ref": "#/$defs/Deep"}',
        '{"type": "array", "items": [{"type": "string"}, true]}',
        '{"oneOf": [{"type": "string"}, {"$ref": "#/$defs/Deep"}], "not": {"enum": [""]}}',
        "true",
        "{}",
    ]
).map(json.loads)
DEEP: Json = {"type": "object", "properties": {"child": {"$ref": "#/$defs/Deep"}}}


def _object(properties: dict[str, Json]) -> Json:
    return {"type": "object", "properties": properties, "additionalProperties": False}


def _root(properties: dict[str, Json]) -> dict[str, Json]:
    return {"type": "object", "properties": properties, "$defs": {"Deep": DEEP}}


NODES = st.recursive(LEAVES, lambda inner: st.dictionaries(NAMES, inner, max_size=3).map(_object), max_leaves=8)
SCHEMAS = st.dictionaries(NAMES, NODES, max_size=4).map(_root)


def _arguments(schema: Json, path: str = "") -> set[str]:
    """Where arguments are named, through objects alone."""
    found: set[str] = set()
    for steps, inner in inner_schemas(schema) if isinstance(schema, dict) else ():
        if steps[0] == "properties":
            here = f"{path}/{json.dumps(steps[1])}"
            found |= {here, *_arguments(inner, here)}
    return found


@given(schema=SCHEMAS, dialect=st.sampled_from(sorted(DIALECTS)))
def test_the_original_stays_and_every_argument_stays_where_it_was(schema: dict[str, Json], dialect: str) -> None:
    before = canonical_json(schema)
    told: list[str] = []
    sent = adapted(schema, DIALECTS[dialect].schemas, lambda path, _: told.append(path))
    assert canonical_json(schema) == before
    assert _arguments(schema) <= _arguments(sent)
    assert (canonical_json(sent) == before) == (not told)


@given(schema=SCHEMAS, dialect=st.sampled_from(sorted(DIALECTS)))
def test_what_a_provider_takes_is_not_changed_again(schema: dict[str, Json], dialect: str) -> None:
    rules = DIALECTS[dialect].schemas
    sent = adapted(schema, rules, lambda path, change: None)
    told: list[str] = []
    assert adapted(sent, rules, lambda path, _: told.append(path)) == sent
    assert told == []
