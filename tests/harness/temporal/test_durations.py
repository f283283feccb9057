"""Lengths of time in any notation, and numbers whose unit the argument names."""

import pytest

from doubles.temporal import A_LENGTH, WEDNESDAY, described, place, said
from plugineval.pccf.values import Json

NINETY_MINUTES = [
    "PT1H30M",
    "PT90M",
    "PT5400S",
    "1h30m",
    "1h30",
    "1.5h",
    "90m",
    "5400s",
    "01:30:00",
    "1.5 h",
    "1,5 h",
    "1½ hours",
    "1 1/2 hours",
    "90 min",
    "90 minutes",
    "ninety minutes",
    "1h 30m",
    "1 hour and 30 minutes",
    "1 hour 30 minutes",
    "an hour and a half",
    "one and a half hours",
    "1 hour and a half",
    "5,400 seconds",
]


@pytest.mark.requirement("P42")
@pytest.mark.parametrize("text", NINETY_MINUTES)
def test_a_length_of_time_is_the_same_in_any_notation(text: str) -> None:
    assert said("1h30m", text, place("duration", A_LENGTH)) == "equal"


@pytest.mark.requirement("P51")
@pytest.mark.parametrize("text", ["1.3h", "PT1H", "78 minutes", "2h", "01:31:00", "P1DT1H30M", "half an hour"])
def test_another_length_is_different(text: str) -> None:
    assert said("1h30m", text, place("duration", A_LENGTH)) == "different"


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("1h30m", "1:30", "unsure"),
        ("1:30", "01:30", "equal"),
        ("1h30m", "90", "unsure"),
        ("1h30m", "91", "different"),
        ("P1M", "30 days", "unsure"),
        ("P1M", "40 days", "different"),
        ("P1M", "PT1M", "different"),
        ("P1Y", "12 months", "equal"),
        ("2 weeks", "14 days", "equal"),
        ("1 day", "24 hours", "equal"),
        ("half an hour", "30 min", "equal"),
        ("1 second", "1000 ms", "equal"),
        ("one second", "1s", "equal"),
    ],
)
def test_months_have_no_fixed_length_and_a_colon_two_meanings(left: str, right: str, verdict: str) -> None:
    assert said(left, right, place("duration", A_LENGTH)) == verdict


def test_a_documented_colon_has_one_meaning() -> None:
    assert said("1h30m", "1:30", place("duration", described("Duration as HH:MM."))) == "equal"
    assert said("1h30m", "1:30", place("duration", described("Duration as MM:SS."))) == "different"


@pytest.mark.parametrize(
    ("number", "text", "name", "description", "verdict"),
    [
        (90, "90 minutes", "duration_minutes", "", "equal"),
        (90, "PT1H30M", "durationMinutes", "", "equal"),
        (90, "1.5 hours", "length", "Length in minutes.", "equal"),
        (90, "60 minutes", "duration_minutes", "", "different"),
        ("90", "1.5 hours", "duration_minutes", "", "equal"),
        (1500, "1.5 s", "timeout_ms", "", "equal"),
        (90, "90 minutes", "duration", "", "unsure"),
        (90, "91 minutes", "duration", "", "different"),
    ],
)
def test_a_bare_number_has_the_unit_its_argument_names(
    number: Json, text: str, name: str, description: str, verdict: str
) -> None:
    assert said(number, text, place(name, described(description))) == verdict


def test_lengths_in_words_need_no_name_to_vouch_for_them() -> None:
    assert said("90 minutes", "1.5 hours", place("value", {})) == "equal"
    assert said("5 m", "5 minutes", place("value", {})) == "nothing"


@pytest.mark.parametrize(
    "text", ["1/0 h", "1 0/0 hours", "in 1/0 hours", "P999999999999999999Y", "in 9999999999999 hours"]
)
@pytest.mark.parametrize("other", ["5", "now", "2 h", 5, float("inf"), float("nan")])
def test_a_length_that_nobody_can_count_is_read_without_harm(text: str, other: Json) -> None:
    for name, schema in (("duration", A_LENGTH), ("start", described("ISO 8601 date-time."))):
        assert said(text, other, place(name, schema, now=WEDNESDAY)) != "equal"
