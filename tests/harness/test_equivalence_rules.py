from typing import NamedTuple

import pytest

from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.ruling import ruling
from plugineval.harness.equivalence.verdicts import Agreement, CallContext, Place, Ruling
from plugineval.pccf.values import Json

EQUAL, DIFFERENT, UNSURE = Agreement.EQUAL, Agreement.DIFFERENT, Agreement.UNSURE


class Pair(NamedTuple):
    name: str
    one: Json
    other: Json
    agreement: Agreement
    said: str = ""
    """Description of the argument."""
    query: str = ""


def decided(pair: Pair, schema: dict[str, Json] | None = None) -> Ruling:
    described: dict[str, Json] = {**({"type": "string"} if schema is None else schema), "description": pair.said}
    place = Place(Node.of_root(described), pair.name, CallContext(query=pair.query))
    there, back = ruling(pair.one, pair.other, place), ruling(pair.other, pair.one, place)
    assert there.agreement is back.agreement, "swapping gold and predicted moves a verdict"
    assert there.rule
    return there


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    "pair",
    [
        Pair("town", "Aix en Provence", "aix  en provence ", EQUAL),
        Pair("town", "Aix, France", "Aix ,France", EQUAL),
        Pair("note", "say “hi”", 'say "hi"', EQUAL),
        Pair("note", "７ apples", "7 apples", EQUAL),
        Pair("note", "Dear Bo,\nall is well.\nCy", "dear bo, all is well. Cy", EQUAL),
        Pair("subject", "All is well!", "All is well", EQUAL),
        Pair("note", "All is well!", "All is well", UNSURE, "Kept word for word."),
        Pair("key_name", "Alpha", "alpha", DIFFERENT, "Case-sensitive name."),
        Pair("town", "Aix", "Arles", UNSURE),
        Pair("note", "Is it well?", "It is well.", UNSURE),
    ],
)
def test_words_are_equal_when_only_what_never_carries_meaning_differs(pair: Pair) -> None:
    assert decided(pair).agreement is pair.agreement


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    "pair",
    [
        Pair("note", "do not enter", "do enter", DIFFERENT),
        Pair("note", "never do not enter", "do enter", UNSURE),
        Pair("model", "Robot 5", "Robot 6", DIFFERENT),
        Pair("note", "bus 05", "bus 5", UNSURE),
        Pair("order", "ascending", "descending", DIFFERENT),
        Pair("tongue", "C++", "C", DIFFERENT),
        Pair("grade", "B+", "B", DIFFERENT),
        Pair("title", "Winter Sale Letter", "WinterSaleLetter", DIFFERENT),
        Pair("note", "ice cream", "icecream", UNSURE),
        Pair("kind", "string", "anything", DIFFERENT),
        Pair("note", "walk", "", DIFFERENT),
        Pair("who", "Ann", "Ben", UNSURE),
        Pair("who", "Ann", "Ben", DIFFERENT, query="Give Ann's key to Ben."),
        Pair("who", "Robert", "Bob", UNSURE, query="Call Robert (Bob)."),
        Pair("who", "Robert", "Bob", UNSURE, query="Call Robert, known as Bob."),
        Pair("who", "Ann", "Ann Lee", UNSURE, query="Ann and Ann Lee."),
        Pair("city", "Madrid", "Vienna", DIFFERENT),
        Pair("city", "Kolkata", "Calcutta", UNSURE),
    ],
)
def test_words_are_different_only_where_it_is_proven(pair: Pair) -> None:
    assert decided(pair).agreement is pair.agreement


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    "pair",
    [
        Pair("x", "4,000", "4000", EQUAL),
        Pair("x", "4 000", "4000.0", EQUAL),
        Pair("x", "4e3", "4000", EQUAL),
        Pair("x", "+4", "4", EQUAL),
        Pair("x", "four", "4", EQUAL),
        Pair("title", "Four", "4", UNSURE),
        Pair("x", "4.000", "4000", UNSURE),
        Pair("x", "4,5", "4.5", EQUAL),
        Pair("x", "4", "5", DIFFERENT),
        Pair("x", "-4", "4", DIFFERENT),
        Pair("version", "4.10", "4.1", DIFFERENT),
        Pair("x", "7 %", "7", EQUAL, "A share in percent."),
        Pair("x", "7 %", "0.07", EQUAL, "A fraction between 0 and 1."),
        Pair("x", "7 %", "0.07", DIFFERENT, "A share in percent."),
        Pair("x", "7 %", "8", DIFFERENT),
    ],
)
def test_numbers_in_texts_are_compared_by_value(pair: Pair) -> None:
    assert decided(pair).agreement is pair.agreement


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    "pair",
    [
        Pair("user_id", "u7", "u8", DIFFERENT),
        Pair("order_id", "0042", "42", DIFFERENT),
        Pair("order_id", "20250406", "20250407", DIFFERENT),
        Pair("order_id", "ab7", "AB7", UNSURE),
        Pair("password", "Sesame", "sesame", DIFFERENT),
        Pair("x", "v2.4", "v24", DIFFERENT),
        Pair("x", "K9", "K8", DIFFERENT),
        Pair("x", "B-52", "B52", UNSURE),
        Pair("x", "0042", "42", DIFFERENT),
    ],
)
def test_every_character_of_an_identifier_counts(pair: Pair) -> None:
    assert decided(pair).agreement is pair.agreement


@pytest.mark.requirement("P51")
def test_an_identifier_of_digits_is_no_date() -> None:
    assert not decided(Pair("order_id", "20250406", "20250407", DIFFERENT)).temporal


@pytest.mark.requirement("D14")
@pytest.mark.parametrize(
    ("schema", "one", "other", "agreement"),
    [
        ({"type": "number"}, 7, 7.0, EQUAL),
        ({"type": "number"}, 0.1 + 0.2, 0.3, EQUAL),
        ({"type": "integer"}, 10**30, 10**30 + 1, DIFFERENT),
        ({"type": "number"}, 10**400, 1.5, DIFFERENT),
        ({"type": "integer"}, 7, "7", EQUAL),
        ({"type": "integer"}, 7, "8", DIFFERENT),
        ({"type": "integer"}, 7, "seven", DIFFERENT),
        ({"type": "string"}, "7", 7, DIFFERENT),
        ({"type": "boolean"}, True, "true", EQUAL),
        ({"type": "boolean"}, True, 1, DIFFERENT),
        ({"type": ["string", "integer"]}, "7", 7, UNSURE),
        ({}, "7", 7, UNSURE),
        ({"enum": ["a", "b"]}, "a", "A", DIFFERENT),
        ({"enum": ["a", "b"]}, "a", "b", DIFFERENT),
        ({"type": "integer", "enum": [1, 2]}, 1, "1", EQUAL),
        ({"const": "x"}, "x", " x", DIFFERENT),
    ],
)
def test_types_are_what_the_schema_says(schema: dict[str, Json], one: Json, other: Json, agreement: Agreement) -> None:
    assert decided(Pair("x", one, other, agreement), schema).agreement is agreement
