"""Values are read off a text with their place, and nothing is read that is not there."""

import pytest

from doubles.lexical_tools import NOW, asked
from plugineval.clients.baseline.spotting.found import Found
from plugineval.clients.baseline.spotting.reading import Reading, read


def reading(text: str) -> Reading:
    return read(asked(text, now=NOW))


def values(found: list[Found]) -> list[object]:
    return [each.value for each in found]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("add 3, -5.5 and 1,200", [3, -5.5, 1200]),
        ("twelve hundred and forty-two", [1242]),
        ("three, five and nine", [3, 5, 9]),
        ("room B-12 at 14:30 on 2026-03-05", []),
        ("one of them", []),
    ],
)
def test_numbers_are_read_in_digits_and_words_but_not_out_of_codes_and_clocks(text: str, numbers: list[object]) -> None:
    assert values(reading(text).numbers) == numbers


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("at 9:05", "09:05"),
        ("at 3 pm", "15:00"),
        ("at half past two in the afternoon", "14:30"),
        ("at quarter to eight in the evening", "19:45"),
        ("at noon", "12:00"),
        ("at 12:15 am", "00:15"),
        ("seven o'clock in the morning", "07:00"),
    ],
)
def test_clock_idioms_are_read_as_24_hour_times(text: str, clock: str) -> None:
    assert values(reading(text).times) == [clock]


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("tomorrow", "2026-03-05"),
        ("in two weeks", "2026-03-18"),
        ("in twenty-eight days", "2026-04-01"),
        ("the day before yesterday", "2026-03-02"),
        ("5 May 2027", "2027-05-05"),
        ("2026-07-01", "2026-07-01"),
    ],
)
def test_dates_are_read_with_the_clock_of_the_query(text: str, day: str) -> None:
    assert values(reading(text).dates) == [day]


def test_a_relative_date_without_a_clock_is_not_guessed() -> None:
    assert read(asked("remind me tomorrow")).dates == []


def test_cities_and_iana_names_are_zones_and_common_words_are_not() -> None:
    assert values(reading("from New York to Asia/Seoul, then UTC").zones) == ["America/New_York", "Asia/Seoul", "UTC"]
    assert reading("May I ask the reunion committee?").zones == []


def test_expressions_are_read_with_operators_or_in_words_and_dates_are_none() -> None:
    assert values(reading("what is (3 + 4) * 2, please").expressions) == ["(3 + 4) * 2"]
    assert values(reading("twelve plus seven times two").expressions) == ["12 + 7 * 2"]
    assert reading("on 2026-03-05 from 3 to 5").expressions == []


def test_json_in_the_text_is_read_whole() -> None:
    assert values(reading("rows [[1, 2], [3, 4]] and [broken").literals) == [[[1, 2], [3, 4]]]
