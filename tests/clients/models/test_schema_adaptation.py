"""A schema as one provider takes it: changed where that provider refuses it, told, and nowhere else."""

import pytest

from plugineval.clients.models.adaptation import adapted
from plugineval.clients.models.quirks import DIALECTS
from plugineval.pccf.values import Json, canonical_json

Schema = dict[str, Json]


def rewritten(schema: Schema, dialect: str) -> tuple[Schema, list[tuple[str, str]]]:
    told: list[tuple[str, str]] = []
    before = canonical_json(schema)
    found = adapted(schema, DIALECTS[dialect].schemas, lambda path, change: told.append((path, change)))
    assert canonical_json(schema) == before
    return found, told


def of(**properties: Json) -> Schema:
    return {"type": "object", "properties": dict(properties)}


NAMED_LIKE_KEYWORDS: Schema = {
    "type": "object",
    "properties": {
        "type": {"type": "string"},
        "properties": {"type": "object", "properties": {"type": {"type": "integer"}, "not": {"type": "string"}}},
        "required": {"type": "boolean"},
        "format": {"type": "string"},
        "pattern": {"type": "string"},
        "anyOf": {"type": "string"},
        "$ref": {"type": "string"},
        "const": {"type": "string"},
        "not": {"type": "string"},
        "additionalProperties": {"type": "string"},
        "$schema": {"type": "string"},
        "a/b~c": {"type": "string"},
    },
    "required": ["type", "properties", "not"],
}


@pytest.mark.requirement("B8")
@pytest.mark.parametrize("dialect", DIALECTS)
def test_arguments_that_are_named_like_keywords_stay_what_they_are(dialect: str) -> None:
    assert rewritten(NAMED_LIKE_KEYWORDS, dialect) == (NAMED_LIKE_KEYWORDS, [])


@pytest.mark.parametrize("dialect", DIALECTS)
def test_a_plain_schema_goes_everywhere_as_it_is(dialect: str) -> None:
    schema = of(
        city={"type": "string", "description": "a city", "default": "Oslo"}, n={"type": "integer", "minimum": 1}
    )
    assert rewritten(schema, dialect) == (schema, [])


def test_data_is_never_taken_for_a_schema() -> None:
    data: Json = {"not": {"x": 1}, "pattern": "\\d", "$ref": "#/nowhere", "oneOf": []}
    schema = of(a={"type": "object", "default": data, "enum": [data]})
    assert rewritten(schema, "llamacpp") == (schema, [])


COMPOSED: Schema = {
    "type": "object",
    "properties": {"id": {"type": "integer"}},
    "required": ["id"],
    "anyOf": [
        {"properties": {"title": {"type": "string"}, "x": {"type": "string"}}, "required": ["title", "x"]},
        {"$ref": "#/$defs/Other"},
    ],
    "$defs": {"Other": {"properties": {"x": {"type": "integer"}}, "required": ["x"]}},
}


@pytest.mark.parametrize("dialect", ["openai", "anthropic", "bedrock"])
def test_a_combined_root_becomes_one_object_that_accepts_no_less(dialect: str) -> None:
    found, told = rewritten(COMPOSED, dialect)
    either: Json = [{"type": "string"}, {"type": "integer"}]
    merged = of(id={"type": "integer"}, title={"type": "string"}, x={"anyOf": either})
    assert found == {**merged, "required": ["id", "x"], "$defs": COMPOSED["$defs"]}
    assert told == [("", "anyOf merged into one object")]


def test_all_of_at_the_root_requires_what_every_part_requires() -> None:
    parts: list[Json] = [{**of(a={}), "required": ["a"]}, {**of(b={}), "required": ["b"]}]
    found, _ = rewritten({"allOf": parts}, "openai")
    assert found == {**of(a={}, b={}), "required": ["a", "b"]}


@pytest.mark.parametrize("dialect", ["plain", "vllm", "mistral", "ollama"])
def test_a_provider_that_refuses_nothing_is_sent_the_original(dialect: str) -> None:
    assert rewritten(COMPOSED, dialect) == (COMPOSED, [])


def test_a_combination_below_the_root_stays_where_only_the_root_is_refused() -> None:
    schema = of(a={"oneOf": [{"type": "string"}, {"type": "null"}], "not": {"const": ""}})
    assert rewritten(schema, "openai") == (schema, [])


def test_an_empty_schema_is_given_the_shape_of_an_object() -> None:
    for schema in ({}, {"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "x"}):
        found, told = rewritten(dict[str, Json](schema), "plain")
        assert found == {"type": "object", "properties": {}}
        assert [path for path, _ in told] == [f"/{key}" for key in schema] + ["/type", "/properties"]


GEMINI: list[tuple[Json, Json, list[tuple[str, str]]]] = [
    ({"const": "a", "type": "string"}, {"type": "string", "enum": ["a"]}, [("/const", "sent as enum")]),
    ({"type": "integer", "enum": [1, 2]}, {"type": "integer"}, [("/enum", "dropped: values that are no texts")]),
    (
        {"type": ["string", "null"], "enum": ["a", None]},
        {"enum": ["a"], "nullable": True, "type": "string"},
        [("/type", "string | null sent as string, nullable")],
    ),
    (
        {"type": ["string", "integer"]},
        {"anyOf": [{"type": "string"}, {"type": "integer"}]},
        [("/type", "string | integer sent as anyOf")],
    ),
    ({"type": "string", "format": "uri"}, {"type": "string"}, [("/format", "dropped (uri)")]),
    ({"type": "string", "format": "date-time"}, {"type": "string", "format": "date-time"}, []),
    ({"oneOf": [{"type": "string"}]}, {"anyOf": [{"type": "string"}]}, [("/oneOf", "sent as anyOf")]),
    (
        {"allOf": [{"$ref": "#/$defs/U"}], "description": "d"},
        {"description": "d", "type": "string"},
        [("/allOf", "merged into one schema")],
    ),
    ({"$ref": "#/$defs/U"}, {"type": "string"}, [("/$ref", "#/$defs/U put in its place")]),
    (
        {"type": "array", "items": [{"type": "string"}]},
        {"type": "array", "items": {}},
        [("/items", "sent as {}")],
    ),
    (
        {"type": "array", "prefixItems": [{"type": "string"}]},
        {"type": "array", "items": {}},
        [("/items", "sent as {}"), ("/prefixItems", "dropped")],
    ),
    (
        {"type": "object", "additionalProperties": False, "examples": [{}], "properties": {}},
        {"type": "object", "properties": {}},
        [("/additionalProperties", "dropped"), ("/examples", "dropped")],
    ),
    (True, {}, [("", "true sent as {}")]),
    ({"type": "array", "items": False}, {"type": "array", "items": {}}, [("/items", "sent as {}")]),
]


@pytest.mark.requirement("B8")
@pytest.mark.parametrize(("argument", "sent", "told"), GEMINI)
def test_gemini_is_sent_what_its_schemas_can_say_and_every_change_is_told(
    argument: Json, sent: Json, told: list[tuple[str, str]]
) -> None:
    definitions: Json = {"U": {"type": "string"}}
    found, changes = rewritten({**of(a=argument), "$defs": definitions}, "gemini")
    assert found == of(a=sent)
    assert changes == [*((f"/properties/a{path}", change) for path, change in told), ("/$defs", "dropped")]


def test_a_schema_that_refers_to_itself_is_unfolded_once() -> None:
    node: Schema = of(child={"$ref": "#/$defs/Node"}, name={"type": "string"})
    found, told = rewritten({**of(root={"$ref": "#/$defs/Node"}), "$defs": {"Node": node}}, "gemini")
    assert found == of(root=of(child={"type": "object"}, name={"type": "string"}))
    assert (
        "/properties/root/properties/child/$ref",
        "#/$defs/Node not unfolded again, because it refers to itself",
    ) in told


def test_llamacpp_is_spared_what_its_grammars_cannot_say() -> None:
    schema = of(
        a={"type": "string", "pattern": "^\\d+$"},
        b={"type": "string", "pattern": "^[0-9]+$", "not": {"const": "0"}},
        c={"type": "array", "prefixItems": [{"type": "string", "pattern": "\\w"}]},
    )
    found, told = rewritten(schema, "llamacpp")
    assert found == of(
        a={"type": "string"},
        b={"type": "string", "pattern": "^[0-9]+$"},
        c={"type": "array", "prefixItems": [{"type": "string"}]},
    )
    assert [path for path, _ in told] == [
        "/properties/a/pattern", "/properties/b/not", "/properties/c/prefixItems/0/pattern",
    ]  # fmt: skip


def test_a_path_names_arguments_as_json_pointers_do() -> None:
    named: Schema = {"a/b~c": {"type": "string", "pattern": "\\d"}}
    _, told = rewritten(of(**named), "llamacpp")
    assert told == [("/properties/a~1b~0c/pattern", "dropped (\\d)")]
