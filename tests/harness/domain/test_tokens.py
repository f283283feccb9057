"""MIME types, colours, UUIDs, hashes, base64, identifiers: which characters count."""

from collections.abc import Callable

import pytest

from plugineval.pccf.values import Json

Verdict = Callable[..., str]


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("content_type", "Text/HTML", "text/html", "equal"),
        ("file_type", "text/html; charset=UTF-8", "text/html;charset=utf-8", "equal"),
        ("mime", "text/html", "application/json", "different"),
        ("mime", "text/html", "text/html; charset=utf-8", "unsure"),
        ("mime", "json", "application/json", "unsure"),
        ("mime", "image/jpg", "image/jpeg", "unsure"),
    ],
)
def test_mime_types_ignore_case(verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42", "P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("color", "#FFF", "#ffffff", "equal"),
        ("colour", "white", "#FFFFFF", "equal"),
        ("color", "rgb(255, 0, 0)", "#f00", "equal"),
        ("color", "grey", "gray", "equal"),
        ("color", "Dark Blue", "darkblue", "equal"),
        ("color", "red", "blue", "different"),
        ("color", "#f00", "#f01", "different"),
        ("color", "green", "#00ff00", "unsure"),
        ("issue", "#123", "#112233", "none"),
        ("drink", "white", "#fff", "none"),
    ],
)
def test_colours_are_their_red_green_and_blue(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("id", "550E8400-E29B-41D4-A716-446655440000", "{550e8400-e29b-41d4-a716-446655440000}", "equal"),
        ("id", "550E8400-E29B-41D4-A716-446655440000", "550e8400-e29b-41d4-a716-446655440001", "different"),
        ("sha256", "AB12CD34", "ab12cd34", "equal"),
        ("commit", "ab12cd3", "ab12cd3f99", "unsure"),
        ("checksum", "ab12cd34", "ab12cd35", "different"),
        ("image_base64", "aGk=", "aGk", "equal"),
        ("image_base64", "aGk=", "aGK=", "different"),
    ],
)
def test_uuids_and_hashes_ignore_case_and_base64_does_not(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("zip", "02134", "2134", "different"),
        ("zip", "02134", 2134, "different"),
        ("booking_id", "A1", "B2", "different"),
        ("order_id", "#W12", "W12", "different"),
        ("order_id", "ORD-12", "ORD12", "different"),
        ("order_id", "ORD-12", "ord-12", "unsure"),
        ("zip", "02134", "02134-1000", "unsure"),
        ("seat_code", "12C", "12F", "different"),
    ],
)
def test_every_character_of_an_identifier_counts(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("iban", "DE89 3704 0044", "DE8937040044", "equal"),
        ("isbn", "978-0-306-40615-7", "9780306406157", "equal"),
        ("flight_number", "LH 123", "LH123", "equal"),
        ("order_id", "AB 12", "AB12", "unsure"),
    ],
)
def test_only_numbers_written_in_groups_ignore_their_groups(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected


@pytest.mark.requirement("P41")
@pytest.mark.parametrize(
    ("argument", "gold", "predicted", "expected"),
    [
        ("tickets", "2", "2.0", "none"),
        ("reference_date", "2024-03-05", "20240305", "none"),
        ("key", "C major", "D major", "none"),
    ],
)
def test_numbers_dates_and_quantities_are_no_identifiers(
    verdict_on: Verdict, argument: str, gold: Json, predicted: Json, expected: str
) -> None:
    assert verdict_on(argument, gold, predicted) == expected
