"""Strict validation: what is a violation and where, what the schema does not describe, which schemas are refused."""

import socket
import time

import pytest

from plugineval.pccf.errors import InvalidSchemaError
from plugineval.pccf.json_bounds import MAX_DEPTH
from plugineval.pccf.schemas import MAX_VIOLATIONS, check_schema, unknown_arguments, violations
from plugineval.pccf.values import Arguments, Json

Schema = dict[str, Json]
DRAFT_7 = "http://json-schema.org/draft-07/schema#"


def of(name: str, sub: Json, **rest: Json) -> Schema:
    return {"type": "object", "properties": {name: sub}, **rest}


def nested(levels: int) -> Arguments:
    value: Arguments = {}
    for _ in range(levels):
        value = {"a": value}
    return value


@pytest.mark.requirement("E2", "P3", "P4")
@pytest.mark.parametrize(
    ("sub", "value", "valid"),
    [
        ({"type": "integer"}, 25, True),
        ({"type": "integer"}, 25.0, True),
        ({"type": "integer"}, 25.5, False),
        ({"type": "integer"}, "25", False),
        ({"type": "integer"}, True, False),
        ({"type": "number"}, False, False),
        ({"type": "boolean"}, 1, False),
        ({"type": "boolean"}, "true", False),
        ({"type": "string"}, 5, False),
        ({"type": "string"}, None, False),
        ({"type": ["string", "null"]}, None, True),
        ({"type": "array", "items": {"type": "string"}}, "one", False),
        ({"enum": ["celsius", "kelvin"]}, "Celsius", False),
        ({"enum": ["celsius", "kelvin"]}, "kelvin", True),
        ({"const": 1}, True, False),
        ({"type": "string", "pattern": "^[A-Z]{3}$"}, "OSL", True),
        ({"type": "string", "pattern": "^[A-Z]{3}$"}, "osl", False),
        ({"type": "string", "format": "date"}, "tomorrow", True),
    ],
)
def test_no_value_is_coerced(sub: Json, value: Json, valid: bool) -> None:
    assert (violations(of("x", sub), {"x": value}) == ()) == valid


def test_a_violation_says_where_which_rule_and_what() -> None:
    schema = of("a/b", {"type": "array", "items": {"type": "integer"}}, required=["city"])
    found = violations(schema, {"a/b": [1, "x"]})
    assert {(one.path, one.keyword) for one in found} == {("/a~1b/1", "type"), ("", "required")}
    assert any('"city"' in one.message for one in found)


def test_unknown_keys_are_invalid_where_the_schema_says_so() -> None:
    closed = of("city", {"type": "string"}, additionalProperties=False)
    assert [one.keyword for one in violations(closed, {"city": "Oslo", "unit": "K"})] == ["additionalProperties"]
    assert unknown_arguments(closed, {"city": "Oslo", "unit": "K"}) == ("/unit",)


@pytest.mark.parametrize(
    ("schema", "arguments", "unknown"),
    [
        ({"type": "object"}, {"x": 1}, ("/x",)),
        (of("a", True), {"a": {"b": 1}}, ()),
        (of("a", {"type": "object"}), {"a": {"b": 1}}, ()),
        (of("a", of("b", {})), {"a": {"b": 1, "c": 2}}, ("/a/c",)),
        (of("a", {"type": "object", "additionalProperties": False}), {"a": {"c": 2}}, ("/a/c",)),
        (of("a", {}, additionalProperties=True), {"z": 1}, ("/z",)),
        (of("a", {}, additionalProperties={"type": "integer"}), {"z": 1}, ()),
        (of("a", {}, additionalProperties=of("q", {})), {"z": {"q": 1, "r": 2}}, ("/z/r",)),
        (of("a", {}, unevaluatedProperties={"type": "integer"}), {"z": 1}, ()),
        ({"patternProperties": {"^x-": {}}}, {"x-a": 1, "y": 2}, ("/y",)),
        (of("a", {"items": of("b", {})}), {"a": [{"b": 1}, {"c": 1}]}, ("/a/1/c",)),
        (of("a", {"prefixItems": [of("b", {}), of("c", {})]}), {"a": [{"b": 1}, {"b": 1}]}, ("/a/1/b",)),
        ({"allOf": [of("a", {}), of("b", {})]}, {"a": 1, "b": 1, "c": 1}, ("/c",)),
        ({"anyOf": [of("a", {}), of("b", {})]}, {"a": 1, "b": 1, "c": 1}, ("/c",)),
        ({"oneOf": [of("a", {}), of("b", {})]}, {"b": 1, "c": 1}, ("/c",)),
        ({"if": of("a", {}), "then": of("b", {}), "else": of("d", {})}, {"a": 1, "b": 1, "c": 1, "d": 1}, ("/c",)),
        ({**of("a", {}), "dependentSchemas": {"a": of("b", {})}}, {"a": 1, "b": 1, "c": 1}, ("/c",)),
        ({"not": of("a", {"const": 1})}, {"a": 2}, ("/a",)),
        (of("a~/b", {}), {"a~/b": 1, "c~/d": 1}, ("/c~0~1d",)),
        ({"$ref": "#/$defs/p", "$defs": {"p": of("a", {})}}, {"a": 1, "b": 1}, ("/b",)),
        ({"$ref": "#p", "$defs": {"p": {"$anchor": "p", **of("a", {})}}}, {"a": 1, "b": 1}, ("/b",)),
        (
            {"$schema": DRAFT_7, "definitions": {"p": of("a", {})}, "allOf": [{"$ref": "#/definitions/p"}]},
            {"a": 1, "b": 1},
            ("/b",),
        ),
        (
            {"$id": "https://example.org/root", "$ref": "p", "$defs": {"p": {"$id": "p", **of("a", {})}}},
            {"a": 1, "b": 1},
            ("/b",),
        ),
    ],
)
@pytest.mark.requirement("E2")
def test_keys_that_no_branch_describes_are_reported(
    schema: Schema, arguments: Arguments, unknown: tuple[str, ...]
) -> None:
    check_schema(schema, tool="t")
    assert unknown_arguments(schema, arguments) == unknown


TREE: Schema = {"$ref": "#/$defs/n", "$defs": {"n": of("next", {"$ref": "#/$defs/n"}, required=["v"])}}


def test_a_recursive_definition_is_followed_as_deep_as_the_arguments() -> None:
    arguments: Arguments = {"v": 1, "next": {"v": 1, "next": {"w": 1}}}
    assert [one.path for one in violations(TREE, arguments)] == ["/next/next"]
    assert unknown_arguments(TREE, arguments) == ("/v", "/next/v", "/next/next/w")


def test_the_schema_chooses_its_draft() -> None:
    pair: Json = [{"type": "integer"}, {"type": "string"}]
    assert violations({"$schema": DRAFT_7, **of("x", {"items": pair})}, {"x": [1, 2]})
    assert not violations(of("x", {"prefixItems": pair}), {"x": [1, "a"]})
    assert not violations({"$schema": DRAFT_7, **of("x", {"prefixItems": pair})}, {"x": ["a", 1]})


@pytest.mark.parametrize(
    ("schema", "place", "said"),
    [
        (of("a", {"type": "strng"}), "/properties/a/type", "strng"),
        (of("a", {"pattern": "("}), "/properties/a/pattern", "regex"),
        (of("a", {"$ref": "#/$defs/gone"}), "/properties/a/$ref", "/$defs/gone"),
        (of("a", {"$ref": "http://127.0.0.1:9/s.json"}), "/properties/a/$ref", "never fetched"),
        (of("a", {"$ref": "file:///etc/hostname"}), "/properties/a/$ref", "never fetched"),
        (of("a", {"$ref": "other.json"}), "/properties/a/$ref", "never fetched"),
        ({"$schema": "https://example.org/mine"}, "/$schema", "draft/2020-12"),
        ({"required": "city"}, "/required", "array"),
        ({"const": float("nan")}, "", "NaN"),
        ({"const": "\ud800"}, "", "surrogate"),
        (nested(MAX_DEPTH + 1), "", "nested"),
    ],
)
def test_a_bad_schema_is_refused_with_tool_place_and_next_step(schema: Schema, place: str, said: str) -> None:
    with pytest.raises(InvalidSchemaError) as caught:
        check_schema(schema, tool="sky/weather")
    assert caught.value.field == f"tool sky/weather, schema{place}"
    assert said in str(caught.value)
    assert caught.value.next_step


def test_a_remote_ref_is_refused_and_never_fetched() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0)
        url = f"http://127.0.0.1:{server.getsockname()[1]}/schema.json"
        with pytest.raises(InvalidSchemaError):
            violations(of("a", {"anyOf": [{"$ref": url}, True]}), {"a": 1})
        with pytest.raises(InvalidSchemaError):
            unknown_arguments(of("a", {"anyOf": [{"$ref": url}, True]}), {"a": {"b": 1}})
        with pytest.raises(BlockingIOError):
            server.accept()


def test_an_id_does_not_make_a_schema_remote() -> None:
    check_schema({"$id": "https://example.org/tools/weather", **of("a", {"type": "string"})}, tool="t")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800", nested(50_000)])
def test_what_is_not_json_breaks_a_rule_instead_of_the_program(value: Json) -> None:
    assert [one.keyword for one in violations({"type": "object"}, {"x": value})] == ["json"]
    assert unknown_arguments({"type": "object"}, {"x": value}) == ()


@pytest.mark.parametrize("pattern", ["^(a+)+$", r"^((a|a)+)+\1$", r"^(?=(a+)+b)(a+)+\2$"])
def test_a_catastrophic_pattern_does_not_hang(pattern: str) -> None:
    started = time.process_time()
    assert violations(of("x", {"pattern": pattern}), {"x": "a" * 50 + "!"})
    violations({"patternProperties": {pattern: False}}, {"a" * 50 + "!": 1})
    unknown_arguments({"patternProperties": {pattern: {}}}, {"a" * 50 + "!": 1})
    assert time.process_time() - started < 5


def doubling(steps: int) -> Schema:
    """A schema of some lines that is applied 2**steps times to one value."""
    twice: dict[str, Json] = {
        f"d{i}": {"allOf": [{"$ref": f"#/$defs/d{i + 1}"}, {"$ref": f"#/$defs/d{i + 1}"}]} for i in range(steps)
    }
    return {"$ref": "#/$defs/d0", "$defs": {**twice, f"d{steps}": {"type": "object"}}}


def test_references_that_double_at_every_step_are_refused() -> None:
    check_schema(doubling(4), tool="t")
    with pytest.raises(InvalidSchemaError, match="unfold"):
        check_schema(doubling(60), tool="t")


def test_a_chain_of_references_without_end_is_refused_or_followed_but_never_crashes() -> None:
    chain: dict[str, Json] = {f"d{i}": {"$ref": f"#/$defs/d{i + 1}"} for i in range(3000)}
    with pytest.raises(InvalidSchemaError):
        check_schema({"$ref": "#/$defs/d0", "$defs": {**chain, "d3000": {}}}, tool="t")


def test_a_recursive_schema_that_doubles_is_checked_as_deep_as_the_arguments() -> None:
    both: Json = [of("a", {"$ref": "#/$defs/n"}), of("a", {"$ref": "#/$defs/n"})]
    schema: Schema = {"$ref": "#/$defs/n", "$defs": {"n": {"allOf": both}}}
    assert violations(schema, nested(5)) == ()
    assert violations(schema, nested(90)) == ()


def test_a_dense_schema_is_not_applied_to_very_many_values() -> None:
    dense = doubling(14)
    schema: Schema = {**dense, "properties": {"x": {"items": {"$ref": dense["$ref"]}}}}
    del schema["$ref"]
    many: list[Json] = [{}] * 1000
    assert violations(schema, {"x": many[:1]}) == ()
    assert [one.message for one in violations(schema, {"x": many})] == [
        "too intricate to be checked against this schema"
    ]


def branching(levels: int) -> Arguments:
    """`levels` lists around a text: each of them fails in two branches, and so does what is in it."""
    value: Json = "s"
    for _ in range(levels):
        value = [value]
    return {"x/y": value}


LISTS: Json = {"type": "array", "items": {"$ref": "#/$defs/n"}}
BRANCHED: Json = {"n": {"anyOf": [LISTS, LISTS, {"type": "integer"}]}}
BRANCHES: Schema = {"$defs": BRANCHED, **of("x/y", {"$ref": "#/$defs/n"})}


def test_what_fails_in_few_branches_is_told_in_full() -> None:
    (found,) = violations(BRANCHES, branching(3))
    assert (found.path, found.keyword) == ("/x~1y", "anyOf")
    assert found.message.startswith('[[["s"]]] is not valid')


@pytest.mark.parametrize("levels", [14, 18, 60, 90])
def test_what_fails_in_twice_as_many_branches_at_every_level_is_summed_up_at_once(levels: int) -> None:
    started = time.process_time()
    (found,) = violations(BRANCHES, branching(levels))
    assert time.process_time() - started < 1
    assert (found.path, found.keyword) == ("/x~1y", "anyOf")
    assert "in more ways than can be listed" in found.message


def test_a_summary_names_the_first_argument_that_is_wrong_or_else_the_whole() -> None:
    many: Json = {"items": {"anyOf": [{"type": "string"}, {"type": "null"}]}}
    schema: Schema = {"type": "object", "properties": {"good": many, "bad": many}}
    flood: list[Json] = [1] * 5000
    fine: list[Json] = ["a"] * 5000
    (found,) = violations(schema, {"good": fine, "bad": flood})
    assert (found.path, found.keyword) == ("/bad", "items")
    (found,) = violations({**schema, "required": ["gone"]}, {"good": fine})
    assert (found.path, found.keyword) == ("", "properties")


MANY_NAMES: Json = {"required": [f"r{i}" for i in range(1000)]}
MANY_BRANCHES: Json = {"anyOf": [{"maxLength": 1, "minimum": 100 + i} for i in range(500)]}
EMPTY: Json = {}


@pytest.mark.parametrize(
    ("schema", "arguments"),
    [
        (of("x", {"items": MANY_NAMES}), {"x": [EMPTY] * 1000}),
        (of("x", {"items": MANY_BRANCHES}), {"x": [1] * 1000}),
        ({"propertyNames": MANY_BRANCHES}, {f"name{i}": 1 for i in range(1000)}),
        (of("x", MANY_BRANCHES), {"x": "y" * 1_000_000}),
    ],
    ids=["required", "branches", "names", "long"],
)
def test_a_flood_of_errors_costs_no_time(schema: Schema, arguments: Arguments) -> None:
    started = time.process_time()
    assert len(violations(schema, arguments)) == 1
    assert time.process_time() - started < 1


def test_a_flood_of_violations_is_cut_and_so_is_a_long_message() -> None:
    schema = of("x", {"items": {"type": "string"}})
    flood: list[Json] = [1] * 1000
    assert len(violations(schema, {"x": flood})) == MAX_VIOLATIONS
    assert len(violations(of("x", {"const": 1}), {"x": "y" * 10_000})[0].message) <= 500
