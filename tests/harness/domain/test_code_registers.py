"""Countries, states and languages: a code is one only where the argument says so."""

from collections.abc import Callable

import pytest

from plugineval.pccf.values import Json

Verdict = Callable[..., str]


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("country", "DE", "Germany", "equal"),
        ("country", "DE", "DEU", "equal"),
        ("country", "UK", "GB", "equal"),
        ("country", "USA", "United States of America", "equal"),
        ("country", "Russia", "RU", "equal"),
        ("country", "Côte d’Ivoire", "Ivory Coast", "unsure"),
        ("country", "Türkiye", "Turkey", "equal"),
        ("country", "de", "DE", "equal"),
        ("country", "Bolivia", "BO", "equal"),
    ],
)
def test_codes_and_names_of_one_country_are_equal(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("country", "CN", "CH", "different"),
        ("country", "Austria", "Australia", "different"),
        ("country", "AT", "AU", "different"),
        ("country", "DE", "QQ", "different"),
        ("country", "Holland", "Netherlands", "unsure"),
        ("country", "Deutschland", "Germany", "unsure"),
        ("country", "England", "UK", "unsure"),
        ("country", "England", "France", "different"),
        ("country", "Korea", "South Korea", "unsure"),
    ],
)
def test_two_countries_are_different_and_loose_names_are_unsure(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("code", "DE", "Germany", "none"),
        ("word", "in", "India", "none"),
        ("word", "CA", "Canada", "none"),
    ],
)
def test_letters_are_no_country_where_the_argument_is_none(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("state", "CA", "California", "equal"),
        ("state", "NY", "new york", "equal"),
        ("state", "US-TX", "Texas", "equal"),
        ("province", "ON", "Ontario", "equal"),
        ("state", "NY", "NJ", "different"),
        ("state", "WA", "Washington", "unsure"),
        ("state", "open", "closed", "none"),
        ("state", "open", "opened", "none"),
        ("country", "CA", "California", "unsure"),
    ],
)
def test_a_state_is_known_by_its_code_where_the_argument_is_a_state(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("state", "WA", "Washington", "equal"),
        ("state", "WA", "Oregon", "different"),
    ],
)
def test_evidence_for_a_country_settles_a_shared_code(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted, description="Two-letter US state.") == expected


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("language", "en", "English", "equal"),
        ("language", "de", "ger", "equal"),
        ("language", "de", "deu", "equal"),
        ("language", "en-US", "en_us", "equal"),
        ("language", "fr", "German", "different"),
        ("language", "en-US", "en-GB", "different"),
        ("language", "en-US", "en", "unsure"),
        ("language", "zh-CN", "zh-Hans", "unsure"),
        ("language", "Chinese", "Mandarin", "unsure"),
        ("language", "C++", "C", "none"),
        ("language", "Java", "JavaScript", "none"),
    ],
)
def test_languages_have_codes_tags_and_names(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("target_language", "español", "es", "unsure"),
    ],
)
def test_an_unknown_name_of_a_language_is_unsure_where_people_speak(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted, tool="Translate a text.") == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("language", "Ada", "C", "none"),
        ("language", "Go", "Lua", "none"),
    ],
)
def test_a_programming_language_is_no_human_one(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted, tool="Find developers.") == expected
