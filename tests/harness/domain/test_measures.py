"""Quantities and units: amounts are compared, spellings are not."""

from collections.abc import Callable

import pytest

from plugineval.pccf.values import Json

Verdict = Callable[..., str]


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("length", "5 km", "5000 m", "equal"),
        ("length", "5 km", "5 kilometers", "equal"),
        ("length", "5 km", "5 Kilometres", "equal"),
        ("length", "3 ft", "36 inches", "equal"),
        ("length", "5 ft 10 in", "5'10\"", "equal"),
        ("length", "1,500 g", "1.5 kg", "equal"),
        ("length", "5 km", "5 mi", "different"),
        ("length", "5 km", "5 kg", "different"),
        ("length", "5 km", "6 km", "different"),
        ("length", "1 GiB", "1024 MiB", "equal"),
    ],
)
def test_a_quantity_is_its_amount_in_any_unit_of_its_dimension(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("temperature", "20 °C", "68 °F", "equal"),
        ("temperature", "20C", "20 celsius", "equal"),
        ("temperature", "0 °C", "273.15 K", "equal"),
        ("temperature", "20 °C", "20 °F", "different"),
        ("temperature", "21 °C", "70 °F", "unsure"),
    ],
)
def test_temperatures_are_points_of_a_scale_with_an_offset(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("size", "5 mi", "8 km", "unsure"),
        ("size", "2 gallons", "7.57 litres", "unsure"),
        ("size", "1 GB", "1024 MB", "unsure"),
        ("size", "5 tons", "5 tonnes", "unsure"),
        ("size", "8 oz", "8 fl oz", "unsure"),
        ("size", "1.000 g", "1 kg", "unsure"),
    ],
)
def test_what_agrees_after_rounding_or_under_one_reading_is_unsure(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("distance_km", 5, "5 km", "equal"),
        ("distance_km", "5", "5 kilometers", "equal"),
        ("distance_km", 5, "5000 m", "equal"),
        ("distance_km", 5, "5 miles", "different"),
        ("tempCelsius", 20, "68 °F", "equal"),
        ("distance", "5", "5 km", "unsure"),
        ("weight", 70, "70 kg", "unsure"),
        ("salary", "20K", "20000", "none"),
        ("rank", "1st", "1", "none"),
    ],
)
def test_a_bare_number_has_the_unit_that_its_argument_names(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("value", "90 minutes", "1.5 hours", "none"),
        ("value", "5 pm", "5 am", "none"),
        ("value", "3 d", "3 days", "none"),
    ],
)
def test_durations_dates_and_clock_times_are_not_quantities_here(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("unit", "km", "kilometers", "equal"),
        ("units", "C", "celsius", "equal"),
        ("unit", "km", "mi", "different"),
        ("unit", "celsius", "fahrenheit", "different"),
        ("unit", "metric", "imperial", "different"),
        ("unit", "metric", "celsius", "unsure"),
        ("unit", "Mb", "MB", "different"),
        ("initial", "m", "M", "none"),
    ],
)
def test_names_of_units_are_spelled_in_many_ways(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected
