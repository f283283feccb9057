from itertools import permutations

import pytest

from doubles.harness import INTEGER, NUMBER, TEXT, defined, judged, schema
from plugineval.harness.outcomes import Confusion, Exclusion, GradedRow, Outcome, ParameterSubtype
from plugineval.pccf.values import Arguments, Json


def right(row: GradedRow) -> bool:
    return row.outcome is Outcome.CORRECT and row.confusion is Confusion.TP


def value_error(row: GradedRow) -> bool:
    return row.outcome is Outcome.VALID_BUT_WRONG and row.subtype is ParameterSubtype.INCORRECT_VALUE


def unsure(row: GradedRow) -> bool:
    return row.exclusion is Exclusion.UNSURE and row.outcome is None and bool(row.questions)


def one(name: str, subschema: Json) -> dict[str, Json]:
    return {"type": "object", "properties": {name: subschema}, "required": [name]}


FORECAST = schema("city", city=TEXT, days={"type": "integer", "default": 1})


@pytest.mark.parametrize(
    ("wanted", "got"),
    [
        ({"city": "Lima"}, {"city": "Lima", "days": 1}),
        ({"city": "Lima", "days": 1}, {"city": "Lima"}),
        ({"city": "Lima", "days": 1}, {"city": "Lima", "days": 1.0}),
    ],
)
def test_an_explicit_default_is_the_omitted_argument_both_ways(wanted: Arguments, got: Arguments) -> None:
    assert right(judged("forecast", FORECAST, wanted, got))


def test_an_optional_argument_that_is_not_its_default_is_an_incorrect_value() -> None:
    assert value_error(judged("forecast", FORECAST, {"city": "Lima"}, {"city": "Lima", "days": 2}))


@pytest.mark.requirement("P51")
def test_leaving_out_an_argument_that_gold_sets_away_from_its_default_is_a_missing_argument() -> None:
    row = judged("forecast", FORECAST, {"city": "Lima", "days": 3}, {"city": "Lima"})
    assert (row.outcome, row.subtype) == (Outcome.VALID_BUT_WRONG, ParameterSubtype.MISSING_ARGUMENT)


def test_null_on_an_optional_argument_is_an_omission() -> None:
    arguments = schema("id", id=INTEGER, limit={"type": ["integer", "null"], "default": None}, note={})
    assert right(judged("list", arguments, {"id": 2}, {"id": 2, "limit": None, "note": None}))


NULLABLE: list[dict[str, Json]] = [{"type": ["string", "null"]}, {"anyOf": [{"type": "string"}, {"type": "null"}]}]


@pytest.mark.requirement("D13")
@pytest.mark.parametrize("nickname", NULLABLE)
def test_a_null_that_the_schema_speaks_of_is_not_an_omission(nickname: dict[str, Json]) -> None:
    spoken: dict[str, Json] = {**nickname, "description": "Null removes it."}
    arguments = schema("user", user=TEXT, nickname=spoken)
    row = judged("profile", arguments, {"user": "u", "nickname": None}, {"user": "u"})
    assert row.subtype is ParameterSubtype.MISSING_ARGUMENT
    row = judged("profile", arguments, {"user": "u"}, {"user": "u", "nickname": None})
    assert row.subtype is ParameterSubtype.INCORRECT_VALUE


@pytest.mark.requirement("D13")
@pytest.mark.parametrize("nickname", NULLABLE)
def test_a_null_that_the_schema_only_allows_is_left_open(nickname: dict[str, Json]) -> None:
    arguments = schema("user", user=TEXT, nickname=nickname)
    given: list[Arguments] = [{"user": "u", "nickname": None}, {"user": "u"}]
    for wanted, got in permutations(given):
        assert unsure(judged("profile", arguments, wanted, got))


@pytest.mark.requirement("D13", "D14")
def test_a_null_that_the_schema_refuses_is_an_omission_and_flagged_in_the_strict_view() -> None:
    row = judged("list", schema("id", id=INTEGER, limit=INTEGER), {"id": 2}, {"id": 2, "limit": None})
    assert (row.outcome, row.outcome_strict, row.coerced) == (
        Outcome.CORRECT,
        Outcome.INVALID_ARGS,
        ("list.limit",),
    )


@pytest.mark.requirement("E2", "P50")
@pytest.mark.parametrize(
    ("kind", "wanted", "got", "outcome"),
    [
        ("number", 25, 25.0, Outcome.CORRECT),
        ("integer", 25, 25.0, Outcome.CORRECT),
        ("integer", 25, 25.5, Outcome.INVALID_ARGS),
        ("integer", 25, "26", Outcome.INVALID_ARGS),
        ("number", 10, 999, Outcome.VALID_BUT_WRONG),
        ("boolean", True, 1, Outcome.INVALID_ARGS),
        ("string", "v1.2", "v12", Outcome.VALID_BUT_WRONG),
        ("string", "-5.00", "500", Outcome.VALID_BUT_WRONG),
        ("string", "02134", "2134", Outcome.VALID_BUT_WRONG),
        ("string", "02134", 2134, Outcome.INVALID_ARGS),
        ("string", "string", "anything", Outcome.VALID_BUT_WRONG),
        ("string", "Cafe\u0301 ", "Caf\u00e9", Outcome.CORRECT),
    ],
)
def test_scalars_are_equal_by_value_and_never_by_likeness(kind: str, wanted: Json, got: Json, outcome: Outcome) -> None:
    assert judged("set", schema("x", x={"type": kind}), {"x": wanted}, {"x": got}).outcome is outcome


@pytest.mark.requirement("D15", "E2")
@pytest.mark.parametrize(
    ("kind", "wanted", "text"), [("integer", 25, "25"), ("boolean", True, "true"), ("number", 0.5, "0.50")]
)
def test_a_lossless_coercion_counts_for_the_paper_and_is_flagged_in_the_strict_view(
    kind: str, wanted: Json, text: str
) -> None:
    row = judged("set", schema("x", x={"type": kind}), {"x": wanted}, {"x": text})
    assert (row.confusion, row.outcome, row.coerced) == (Confusion.TP, Outcome.CORRECT, ("set.x",))
    assert row.outcome_strict is Outcome.INVALID_ARGS
    assert not row.schema_valid


@pytest.mark.requirement("E2")
@pytest.mark.parametrize("text", ["26", "1e999", "NaN", "0x19", "", "25 apples"])
def test_a_text_that_does_not_spell_the_number_is_not_coerced(text: str) -> None:
    row = judged("set", schema("x", x=INTEGER), {"x": 25}, {"x": text})
    assert (row.confusion, row.coerced) == (Confusion.FN, ())


@pytest.mark.requirement("E2")
def test_an_enum_member_in_another_case_is_invalid() -> None:
    arguments = schema("units", units={"type": "string", "enum": ["metric", "imperial"]})
    row = judged("weather", arguments, {"units": "metric"}, {"units": "METRIC"})
    assert (row.outcome, row.confusion) == (Outcome.INVALID_ARGS, Confusion.FN)


@pytest.mark.requirement("E2")
def test_a_key_outside_the_schema_is_invalid_where_closed_and_reported_where_open() -> None:
    closed = judged("f", schema("a", a=INTEGER), {"a": 1}, {"a": 1, "delete_all": True})
    opened = judged("f", schema("a", a=INTEGER, closed=False), {"a": 1}, {"a": 1, "delete_all": True})
    assert closed.outcome is Outcome.INVALID_ARGS
    assert value_error(opened)
    assert opened.unknown_arguments == ("f/delete_all",)


@pytest.mark.requirement("P51")
def test_a_blank_where_gold_has_words_is_a_missing_argument() -> None:
    row = judged("search", schema("q", q=TEXT), {"q": "weather in Oslo"}, {"q": " "})
    assert (row.outcome, row.subtype) == (Outcome.VALID_BUT_WRONG, ParameterSubtype.MISSING_ARGUMENT)


@pytest.mark.requirement("P51")
def test_an_empty_list_where_gold_has_items_is_a_missing_argument() -> None:
    items: dict[str, Json] = {"type": "array", "items": TEXT}
    row = judged("tag", schema("tags", tags=items), {"tags": ["a"]}, {"tags": []})
    assert row.subtype is ParameterSubtype.MISSING_ARGUMENT


@pytest.mark.requirement("D13")
@pytest.mark.parametrize(
    ("kind", "said", "value"),
    [
        ("string", "Unit (defaults to 'metre' if not given).", "metre"),
        ("string", "Default is 'metre'", "Metre"),
        ("integer", "How many, default 10.", 10),
        ("integer", "How many (default: 10)", 10.0),
        ("boolean", "Default: true.", True),
    ],
)
def test_a_default_that_only_the_description_names_is_one_too(kind: str, said: str, value: Json) -> None:
    arguments = schema("a", a=TEXT, b={"type": kind, "description": said})
    assert right(judged("f", arguments, {"a": "x"}, {"a": "x", "b": value}))
    assert right(judged("f", arguments, {"a": "x", "b": value}, {"a": "x"}))


@pytest.mark.requirement("D13")
def test_a_description_that_names_no_default_gives_none() -> None:
    arguments = schema("a", a=TEXT, b={"type": "string", "description": "Defaults are listed in the manual."})
    assert value_error(judged("f", arguments, {"a": "x"}, {"a": "x", "b": "listed"}))


def test_json_texts_are_compared_as_what_they_spell() -> None:
    arguments = schema("filter", filter=TEXT)
    assert right(judged("q", arguments, {"filter": '{"a":1,"b":[2]}'}, {"filter": '{ "b": [2.0], "a": 1 }'}))
    assert value_error(judged("q", arguments, {"filter": '{"a":1}'}, {"filter": '{"a":2}'}))
    row = judged("q", schema("p", p={"type": "object"}), {"p": {"x": 1}}, {"p": '{"x": 1}'})
    assert (row.outcome, row.outcome_strict, row.coerced) == (Outcome.CORRECT, Outcome.INVALID_ARGS, ("q.p",))


def test_a_call_that_the_schema_refuses_is_wrong_even_where_it_is_meant_right() -> None:
    day: dict[str, Json] = {"type": "string", "pattern": "^[0-9]{4}-[0-9]{2}-[0-9]{2}$"}
    row = judged("book", schema("day", day=day), {"day": "2026-03-14"}, {"day": "14 March 2026"})
    assert (row.outcome, row.confusion, row.subtype) == (
        Outcome.INVALID_ARGS,
        Confusion.FN,
        ParameterSubtype.TEMPORAL,
    )


def test_a_gold_that_breaks_its_own_schema_is_not_held_against_the_call() -> None:
    row = judged("f", schema("n", n=INTEGER), {"n": "many"}, {"n": "many"})
    assert (row.outcome, row.outcome_strict, row.confusion) == (
        Outcome.CORRECT,
        Outcome.INVALID_ARGS,
        Confusion.TP,
    )


def test_the_order_of_a_list_matters_unless_its_schema_says_set() -> None:
    ordered: dict[str, Json] = {"type": "array", "items": TEXT}
    wanted: Arguments = {"tags": ["a", "b"]}
    got: Arguments = {"tags": ["b", "a"]}
    assert value_error(judged("tag", schema("tags", tags=ordered), wanted, got))
    assert right(judged("tag", schema("tags", tags={**ordered, "uniqueItems": True}), wanted, got))


def test_a_list_with_one_more_item_is_wrong_even_as_a_set() -> None:
    unique: dict[str, Json] = {"type": "array", "items": TEXT, "uniqueItems": True}
    assert value_error(judged("tag", schema("tags", tags=unique), {"tags": ["a"]}, {"tags": ["a", "b"]}))


def trip(**traveller: Json) -> Arguments:
    return {"traveller": traveller}


PERSON = schema("first", "last", first=TEXT, last=TEXT, seat={"type": "string", "default": "any"})
TRIP = defined(schema("traveller", traveller={"$ref": "#/$defs/Person"}), Person=PERSON)


def test_defaults_of_nested_objects_are_found_through_references() -> None:
    assert right(judged("book", TRIP, trip(first="Mia", last="Li"), trip(last="Li", seat="any", first="Mia")))


@pytest.mark.requirement("P51")
def test_a_missing_nested_key_is_named_by_its_path() -> None:
    row = judged("book", TRIP, trip(first="Mia", last="Li"), trip(first="Mia"))
    assert [m.argument for m in row.mismatches] == ["traveller.last"]
    assert (row.outcome, row.subtype) == (Outcome.INVALID_ARGS, ParameterSubtype.MISSING_ARGUMENT)


def test_a_schema_that_refers_to_itself_does_not_hang_the_comparison() -> None:
    loop: dict[str, Json] = {"$ref": "#/$defs/A"}
    arguments = defined(schema(x=loop), A={"anyOf": [{"$ref": "#/$defs/A"}, {"type": "integer"}]})
    assert right(judged("f", arguments, {"x": 1}, {"x": 1.0}))
    assert not right(judged("f", arguments, {"x": 1}, {"x": None}))


@pytest.mark.requirement("P51")
@pytest.mark.parametrize(
    ("name", "subschema", "wanted", "got"),
    [
        ("when", TEXT, "noon", "midnight"),
        ("startTime", TEXT, "09:00", "10:00"),
        ("due_date", TEXT, "1/12/2024", "11/2/2024"),
        ("timezone", TEXT, "Asia/Kolkata", "Asia/Karachi"),
        ("x", {"type": "string", "format": "date-time"}, "2026-03-14T09:00:00Z", "2026-03-14T10:00:00Z"),
        ("x", TEXT, "2026-03-14", "2026-03-15"),
        ("x", TEXT, "9:30 pm", "9:30 am"),
    ],
)
def test_an_argument_about_time_is_known_by_format_name_or_value(
    name: str, subschema: Json, wanted: Json, got: Json
) -> None:
    row = judged("set", one(name, subschema), {name: wanted}, {name: got})
    assert row.subtype is ParameterSubtype.TEMPORAL


@pytest.mark.requirement("P51")
@pytest.mark.parametrize(("name", "subschema"), [("candidate", TEXT), ("limit", NUMBER), ("timeless", TEXT)])
def test_an_argument_that_only_sounds_like_time_is_an_incorrect_value(name: str, subschema: dict[str, Json]) -> None:
    values: tuple[Json, Json] = ("x", "y") if subschema is TEXT else (1, 2)
    assert value_error(judged("set", one(name, subschema), {name: values[0]}, {name: values[1]}))
