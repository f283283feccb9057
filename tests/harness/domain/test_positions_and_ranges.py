"""Positions on Earth and ranges of numbers."""

from collections.abc import Callable

import pytest

from plugineval.pccf.values import Json

Verdict = Callable[..., str]


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("coordinates", "40.7,-74.0", [40.7, -74.0], "equal"),
        ("coordinates", "40.7, -74.0", "40.7 N, 74.0 W", "equal"),
        ("location", "40°30'00\"N 74°15'00\"W", "40.5,-74.25", "equal"),
        ("location", {"lat": 40.7, "lng": -74.0}, "40.7,-74.0", "equal"),
        ("location", "74 W, 40.7 N", "40.7 N, 74 W", "equal"),
        ("longitude", -119.5, "119.5 W", "equal"),
    ],
)
def test_a_position_has_many_notations(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("longitude", -119.5, 119.5, "different"),
        ("latitude", 37.8, 38.9, "different"),
        ("coordinates", "40.7,-74.0", "-74.0,40.7", "different"),
        ("coordinates", "40.7,-74.0", "40.7,74.0", "different"),
        ("coordinates", "40.7,-74.0", [-74.0, 40.7], "different"),
    ],
)
def test_another_hemisphere_or_order_is_another_place(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("latitude", 37.8651, 37.87, "unsure"),
        ("coordinates", "40.7128,-74.0060", "40.71,-74.01", "unsure"),
    ],
)
def test_a_rounded_position_is_unsure(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("range", "1-5", "1 to 5", "equal"),
        ("price_range", "10–20", "between 10 and 20", "equal"),
        ("age", "at least 5", "5+", "equal"),
        ("age", "under 10", "<10", "equal"),
        ("age", ">5", ">=5", "different"),
        ("age", "from 1 to 5", "1-6", "different"),
        ("range", "10-20 km", "10-20", "unsure"),
        ("score", "3-4", "3–4", "none"),
        ("range", "[1,5]", "1 to 5", "equal"),
    ],
)
def test_ranges_in_words_signs_and_dashes(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected
