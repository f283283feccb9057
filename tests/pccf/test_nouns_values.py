"""Values: frozen, closed, and hashed by content alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.values import Json, canonical_json, content_hash

FLOATS = st.floats(allow_nan=False, allow_infinity=False)
SCALARS = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(), st.floats(allow_nan=False, allow_infinity=False)
)
JSON: st.SearchStrategy[Json] = st.recursive(
    SCALARS, lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)), max_leaves=8
)


@given(st.dictionaries(st.text(), JSON))
def test_the_order_of_keys_does_not_change_the_hash(value: dict[str, Json]) -> None:
    assert content_hash(value) == content_hash(dict(reversed(list(value.items()))))


def test_different_types_of_one_look_have_different_hashes() -> None:
    assert len({content_hash(value) for value in (1, "1", True, None, "null", [1])}) == 6


@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_what_is_not_json_has_no_canonical_form(value: float) -> None:
    with pytest.raises(ValueError, match="JSON"):
        canonical_json({"x": value})


def test_a_value_hashes_like_its_json() -> None:
    call = Invocation(tool="t", arguments={"b": 1, "a": 2})
    assert content_hash(call) == content_hash(call.model_dump(mode="json"))


def test_a_value_is_frozen_and_refuses_unknown_fields() -> None:
    call = Invocation(tool="t")
    with pytest.raises(ValidationError, match="frozen"):
        call.__setattr__("tool", "u")
    with pytest.raises(ValidationError, match="Extra inputs"):
        Invocation.model_validate({"tool": "t", "argument": {}})


@pytest.mark.requirement("P8")
def test_a_query_keeps_where_it_came_from() -> None:
    assert Query.of_text("hi").origin == "real"
    assert Query.of_text("hi", origin="synthetic").origin == "synthetic"


def test_the_text_of_a_query_is_its_last_user_message() -> None:
    query = Query.model_validate(
        {"messages": [{"role": role, "content": role + str(i)} for i, role in enumerate(["user", "user", "assistant"])]}
    )
    assert query.text == "user1"
