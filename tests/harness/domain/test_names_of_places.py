"""Names that convention may make one: unsure, never guessed."""

from collections.abc import Callable

import pytest

from plugineval.pccf.values import Json

Verdict = Callable[..., str]


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("city", "New York City", "NYC", "unsure"),
        ("city", "Mumbai", "Bombay", "unsure"),
        ("city", "Munich", "München", "unsure"),
        ("city", "Ålesund", "Alesund", "unsure"),
        ("city", "Zürich", "Zuerich", "unsure"),
        ("city", "St. Moritz", "Saint Moritz", "unsure"),
        ("city", "Paris", "Paris, France", "unsure"),
        ("city", "Springfield, IL", "Springfield, Illinois", "unsure"),
        ("city", "New York", "Newark", "unsure"),
        ("city", "LA", "Los Angeles", "unsure"),
        ("city", "Delhi", "New Delhi", "unsure"),
    ],
)
def test_another_name_of_a_place_is_unsure(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("city", "New York", "York", "different"),
        ("city", "Springfield, IL", "Springfield, MO", "different"),
        ("city", "France", "Spain", "different"),
    ],
)
def test_provably_another_place_is_different(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("city", "Paris", "London", "none"),
        ("city", "New York", "new york", "none"),
        ("city", "Boston, MA", "Boston,MA", "equal"),
        ("city", "Boston, USA", "Boston, MA", "unsure"),
        ("start", "Rome", "Paris", "none"),
        ("text", "１２ eggs", "12 eggs", "none"),
        ("title", "Call Anna", "call anna", "none"),
    ],
)
def test_plainly_other_names_are_left_to_the_rules_of_text(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("city", "Porto", "Porte", "none"),
    ],
)
def test_two_similar_cities_of_one_query_are_left_to_the_rules_of_text(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted, query="Fly from Porto to Porte.") == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("name", "J. Smith", "John Smith", "unsure"),
        ("organizer", "World Health Organization", "WHO", "unsure"),
        ("company", "Apple", "AAPL", "unsure"),
        ("company", "Apple", "Apple Inc.", "unsure"),
        ("company", "Apple", "Google", "none"),
        ("address", "5 Main St", "5 Main Street", "unsure"),
    ],
)
def test_names_of_people_and_companies_may_be_abbreviated(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected
