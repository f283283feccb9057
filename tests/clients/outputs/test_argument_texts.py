"""Argument texts: what is read, what is mended with a note, and what stays in sight unread."""

import json

import pytest

from plugineval.clients.outputs.arguments import ReadArguments, read_arguments
from plugineval.pccf.values import Json


@pytest.mark.requirement("B4")
@pytest.mark.parametrize("raw", ["", " ", "\n\t", "null", None, '{}"', "{}}", '{ } ""'])
def test_every_spelling_of_no_arguments_is_an_empty_object_with_its_repair_noted(raw: Json) -> None:
    read = read_arguments(raw)
    assert read.arguments == {}
    assert read.repair
    assert read.problem is None


@pytest.mark.requirement("X11")
@pytest.mark.parametrize(
    "raw",
    [
        '{"q": "a"}"',
        '{"q": "a"}}',
        '"{"q": "a"}"',
        '\'{"q": "a"}\'',
        '`{"q": "a"}`',
        '```json\n{"q": "a"}\n```',
        '{}{"q": "a"}',
        json.dumps('{"q": "a"}'),
        json.dumps(json.dumps('{"q": "a"}')),
    ],
)
def test_a_whole_object_inside_stray_quotes_or_encoded_again_is_read_and_noted(raw: str) -> None:
    read = read_arguments(raw)
    assert read.arguments == {"q": "a"}
    assert read.repair


def test_text_encoded_without_end_is_refused() -> None:
    raw = '{"q": 1}'
    for _ in range(6):
        raw = json.dumps(raw)
    assert read_arguments(raw).arguments is None


def test_an_object_that_is_no_json_is_refused_like_a_text() -> None:
    assert "NaN" in (read_arguments({"q": float("nan")}).problem or "")
    assert "surrogate" in (read_arguments({"q": "\ud800"}).problem or "")


def test_an_empty_object_needs_no_repair() -> None:
    assert read_arguments("{}") == ReadArguments({})


@pytest.mark.requirement("E6")
@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ('{"q":', "not JSON"),
        ('{"q": 1} {"q": 2}', "not JSON"),
        ("{q: 1}", "not JSON"),
        ("[1]", "a list"),
        ('"no object"', "a text"),
        ('{"q": 1} x', "not JSON"),
        ('{"q": "1}', "not JSON"),
        ("{'q': 1}", "not JSON"),
        ("7", "a number"),
        ("true", "a boolean"),
        ('{"a": NaN}', "NaN"),
        ('{"a": -Infinity}', "Infinity"),
        ('{"a": 1e999}', "too large"),
        ('{"a": 1, "a": 2}', "occurs twice"),
        ('{"a": {"b": 1, "b": 1}}', "'b' occurs twice"),
        ('{"a": "\\ud800"}', "surrogate"),
        ('{"a": ' + "[" * 70 + "]" * 70 + "}", "deeper"),
        ('{"a": ' + "[" * 100_000, "deeper"),
        ('{"a": ' + "9" * 5000 + "}", "not JSON"),
    ],
)
def test_what_cannot_be_read_says_why_and_is_never_empty_arguments(raw: str, said: str) -> None:
    read = read_arguments(raw)
    assert read.arguments is None
    assert read.repair is None
    assert said in (read.problem or "")


@pytest.mark.parametrize("raw", [[], [1], 3, True, 1.5])
def test_arguments_that_are_neither_text_nor_object_are_a_problem(raw: Json) -> None:
    assert read_arguments(raw).arguments is None


def test_integers_beyond_double_precision_keep_every_digit() -> None:
    assert read_arguments('{"id": 9007199254740993}').arguments == {"id": 9007199254740993}
    assert read_arguments('{"id": 123456789012345678901234567890}').arguments == {"id": 123456789012345678901234567890}


def test_an_object_instead_of_a_text_is_taken_and_noted() -> None:
    read = read_arguments({"city": "Oslo"})
    assert read.arguments == {"city": "Oslo"}
    assert read.repair


def test_a_pair_of_surrogates_is_one_character() -> None:
    assert read_arguments('{"a": "\\ud83d\\ude00"}').arguments == {"a": "\U0001f600"}
