"""The fast validator against a slow, independent one: `jsonschema` is the referee over generated schemas and values."""

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import Protocol, TypeAlias, cast

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from plugineval.pccf.schemas import check_schema, unknown_arguments, violations
from plugineval.pccf.values import Arguments, Json

Schema: TypeAlias = dict[str, Json]
KEYS = st.sampled_from(["a", "b", "c", "x-1"])
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 3),
    st.sampled_from([0.0, 1.0, -1.0, 0.5, 2.5]),
    st.sampled_from(["", "a", "b", "A", "1", "true", "é", "🙂"]),
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)),
    max_leaves=8,
)
ARGUMENTS = st.dictionaries(KEYS, VALUES, max_size=4)
TYPES = st.sampled_from(["object", "array", "string", "integer", "number", "boolean", "null"])


class Complaint(Protocol):
    @property
    def absolute_path(self) -> Iterable[str | int]: ...


class Referee(Protocol):
    def is_valid(self, instance: Json) -> bool: ...
    def iter_errors(self, instance: Json) -> Iterable[Complaint]: ...


def referee(draft: str, schema: Schema) -> Referee:
    """The slow validator for one draft; imported by name, because it brings no types."""
    return cast("Callable[[Schema], Referee]", getattr(import_module("jsonschema"), draft))(schema)


def step(value: Json, part: str) -> Json:
    if isinstance(value, list):
        return value[int(part)]
    assert isinstance(value, dict)
    return value[part]


def _leaves() -> st.SearchStrategy[Json]:
    size = st.integers(0, 3)
    return st.one_of(
        st.booleans(),
        st.fixed_dictionaries({"type": st.one_of(TYPES, st.lists(TYPES, min_size=1, max_size=3, unique=True))}),
        st.fixed_dictionaries({"enum": st.lists(SCALARS, min_size=1, max_size=3)}),
        st.fixed_dictionaries({"const": VALUES}),
        st.fixed_dictionaries({}, optional={"minimum": size, "exclusiveMaximum": size, "multipleOf": st.just(2)}),
        st.fixed_dictionaries({}, optional={"minLength": size, "maxLength": size, "pattern": st.just("^[ab]")}),
        st.fixed_dictionaries({}, optional={"minItems": size, "maxItems": size, "uniqueItems": st.booleans()}),
        st.fixed_dictionaries({}, optional={"required": st.lists(KEYS, unique=True), "minProperties": size}),
        st.fixed_dictionaries({"$ref": st.sampled_from(["#", "#/$defs/n"])}),
    )


def _composed(inner: st.SearchStrategy[Json]) -> st.SearchStrategy[Json]:
    some = st.lists(inner, min_size=1, max_size=2)
    members = st.dictionaries(KEYS, inner, max_size=3)
    return st.one_of(
        st.fixed_dictionaries({}, optional={"properties": members, "additionalProperties": inner}),
        st.fixed_dictionaries({"patternProperties": st.dictionaries(st.just("^x-"), inner, min_size=1)}),
        st.fixed_dictionaries({"propertyNames": inner}),
        st.fixed_dictionaries({}, optional={"allOf": some, "anyOf": some, "oneOf": some, "not": inner}),
        st.fixed_dictionaries({"if": inner}, optional={"then": inner, "else": inner}),
        st.fixed_dictionaries({}, optional={"items": inner, "prefixItems": some, "contains": inner}),
        st.fixed_dictionaries({"dependentSchemas": members}),
        st.fixed_dictionaries({"properties": members, "unevaluatedProperties": inner}),
    )


SUBSCHEMAS = st.recursive(_leaves(), _composed, max_leaves=6)


@st.composite
def schemas(draw: st.DrawFn) -> Schema:
    root = draw(SUBSCHEMAS)
    definition: Schema = {"properties": {"a": draw(_leaves()), "b": {"$ref": "#/$defs/n"}}}
    return {"allOf": [{} if _loops(root) else root], "properties": {"c": draw(SUBSCHEMAS)}, "$defs": {"n": definition}}


def _loops(schema: Json) -> bool:
    """Whether a reference to the root could be applied in place for ever, which the referee does not survive."""
    return '"#"' in str(schema).replace("'", '"')


@pytest.mark.requirement("E2")
@settings(max_examples=300, deadline=None)
@given(schema=schemas(), arguments=ARGUMENTS)
def test_the_referee_agrees_about_validity_in_the_newest_draft(schema: Schema, arguments: Arguments) -> None:
    check_schema(schema, tool="t")
    fair = referee("Draft202012Validator", schema).is_valid(arguments)
    assert (violations(schema, arguments) == ()) == fair


@settings(max_examples=100, deadline=None)
@given(schema=schemas(), arguments=ARGUMENTS)
def test_the_referee_agrees_about_validity_in_draft_seven(schema: Schema, arguments: Arguments) -> None:
    old: Schema = {"$schema": "http://json-schema.org/draft-07/schema#", **schema}
    assert (violations(old, arguments) == ()) == referee("Draft7Validator", old).is_valid(arguments)


@settings(max_examples=100, deadline=None)
@given(schema=schemas(), arguments=ARGUMENTS)
def test_the_referee_agrees_about_the_places_of_violations(schema: Schema, arguments: Arguments) -> None:
    assume("False" not in str(schema))  # the referee names the parent of what a `false` schema forbids
    errors = referee("Draft202012Validator", schema).iter_errors(arguments)
    fair = {"".join(f"/{part}" for part in error.absolute_path) for error in errors}
    assert {one.path for one in violations(schema, arguments)} == fair


@settings(max_examples=200, deadline=None)
@given(schema=schemas(), arguments=ARGUMENTS)
def test_reported_keys_are_there_and_every_key_that_closes_the_schema_out_is_reported(
    schema: Schema, arguments: Arguments
) -> None:
    unknown = unknown_arguments(schema, arguments)
    assert len(set(unknown)) == len(unknown)
    for pointer in unknown:
        found: Json = arguments
        for part in pointer.split("/")[1:]:
            found = step(found, part)


@given(names=st.sets(KEYS), arguments=ARGUMENTS)
def test_of_a_flat_schema_exactly_the_unnamed_keys_are_unknown(names: set[str], arguments: Arguments) -> None:
    schema: Schema = {"type": "object", "properties": dict.fromkeys(names, True)}
    assert unknown_arguments(schema, arguments) == tuple(f"/{key}" for key in arguments if key not in names)
