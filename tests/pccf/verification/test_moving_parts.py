"""Two results of one call: where they differ, and whether a later difference lies where they were known to."""

import json

import pytest

from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.values import Json
from plugineval.pccf.verification.repetition import covered, moving_parts


def seen(text: str = "", structured: Json = None, kind: ObservationKind = ObservationKind.RETURNED) -> Observation:
    return Observation(kind=kind, tool="t", arguments={}, text=text, structured=structured)


def parts(old: Json, new: Json) -> tuple[str, ...]:
    return moving_parts(seen(structured=old), seen(structured=new))


def test_equal_results_have_no_moving_parts_however_long_they_took() -> None:
    slow = seen("x", {"a": [1]}).model_copy(update={"elapsed_ms": 900.0})
    assert moving_parts(seen("x", {"a": [1]}), slow) == ()
    assert parts({"a": 1, "b": 2}, {"b": 2, "a": 1.0}) == ()


def test_a_differing_leaf_is_named_by_its_pointer() -> None:
    old: Json = {"id": "7f", "items": [{"at": 1, "name": "x"}, {"at": 2, "name": "y"}]}
    new: Json = {"id": "a0", "items": [{"at": 1, "name": "x"}, {"at": 9, "name": "y"}]}
    assert parts(old, new) == ("/id", "/items/1/at")
    assert parts({"a/b~c": 1}, {"a/b~c": 2}) == ("/a~1b~0c",)


def test_true_is_not_one() -> None:
    assert parts({"on": True}, {"on": 1}) == ("/on",)


def test_where_names_or_numbers_of_items_differ_the_whole_place_moves() -> None:
    assert parts({"by": {"7f": 1}}, {"by": {"a0": 1}}) == ("/by",)
    assert parts({"rows": [1, 2]}, {"rows": [1]}) == ("/rows",)
    assert parts({"7f": 1}, {"a0": 1}) == ("text",)


@pytest.mark.parametrize("wrapped", [False, True])
def test_a_text_that_is_json_is_looked_into(wrapped: bool) -> None:
    texts = [json.dumps({"zone": "UTC", "datetime": f"2030-01-01T00:00:0{second}"}) for second in (1, 2)]
    old, new = (seen(text, {"result": text} if wrapped else None) for text in texts)
    assert moving_parts(old, new) == ("/datetime",)


def test_any_other_text_moves_as_a_whole() -> None:
    assert moving_parts(seen("it is 10:01"), seen("it is 10:02")) == ("text",)
    assert moving_parts(seen("[draft"), seen("[draft]")) == ("text",)
    assert moving_parts(seen('{"a": 1}'), seen("nothing")) == ("text",)


def test_a_text_that_says_more_than_equal_content_moves() -> None:
    assert moving_parts(seen("took 3 ms", {"n": 1}), seen("took 4 ms", {"n": 1})) == ("text",)
    assert moving_parts(seen('{"n": 1}', {"n": 1}), seen('{"n":1}', {"n": 1})) == ()


def test_another_kind_of_observation_is_no_moving_part_of_the_result() -> None:
    broken = seen("it is 10:01", kind=ObservationKind.TOOL_ERROR)
    assert moving_parts(seen("it is 10:01"), broken) == ("kind",)
    assert not covered(("kind",), ("text",))


def test_a_place_covers_what_lies_below_it_and_nothing_beside_it() -> None:
    assert covered(("/by/7f", "/id"), ("/by", "/id"))
    assert covered(("/by/7f",), ("text",))
    assert not covered(("/byte",), ("/by",))
    assert not covered(("/by",), ("/by/7f",))
    assert covered((), ())
