"""Times of day, instants with and without an offset, time zones."""

import pytest

from doubles.temporal import A_TIME, A_ZONE, AN_INSTANT, WEDNESDAY, described, place, said
from plugineval.pccf.values import Json

HALF_PAST_TWO = [
    "14:30",
    "14:30:00",
    "2:30pm",
    "1430",
    "14h30",
    "T14:30",
    "14.30",
    "14:30h",
    "14:30:00.000",
    "2:30 PM",
    "2.30 p.m.",
    "half past two pm",
    "half past two in the afternoon",
    "2:30 in the afternoon",
    "30 past 2 pm",
]


@pytest.mark.requirement("P42")
@pytest.mark.parametrize("text", HALF_PAST_TWO)
def test_a_time_of_day_is_the_same_in_any_notation(text: str) -> None:
    assert said("14:30", text, place("time", A_TIME)) == "equal"


@pytest.mark.parametrize("text", ["2:30", "02:30", "14:31", "14:30:30", "4:30 PM", "half past three", "25:70", "noon"])
def test_another_time_of_day_is_different(text: str) -> None:
    assert said("14:30", text, place("time", A_TIME)) == "different"


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("12:00", "noon", "equal"),
        ("00:00", "midnight", "equal"),
        ("00:00", "12:00 AM", "equal"),
        ("12:00", "12 PM", "equal"),
        ("9:00", "09:00", "equal"),
        ("16:45", "quarter to five in the afternoon", "equal"),
        ("17:00", "5 in the afternoon", "equal"),
        ("17:00", "5 o'clock", "unsure"),
        ("14:30", "half past two", "unsure"),
        ("half past two", "Half past two", "equal"),
        ("00:00", "24:00", "unsure"),
        ("24:00", "24:00:00", "equal"),
        ("09:00", "morning", "unsure"),
    ],
)
def test_the_half_of_the_day_is_open_only_where_words_leave_it_open(left: str, right: str, verdict: str) -> None:
    assert said(left, right, place("time", A_TIME)) == verdict


SAME_INSTANT = [
    "2026-07-01T17:00:00+02:00",
    "2026-07-01 15:00:00Z",
    "20260701T150000Z",
    "1 July 2026 15:00 UTC",
    "2026-07-01T15:00Z",
    "July 1, 2026 at 3 pm UTC",
    "2026-07-01T15:00:00.000Z",
    "2026-07-01T17:00:00+02:00[Europe/Berlin]",
    "2026-07-01 17:00 Europe/Berlin",
    "Wed, 01 Jul 2026 15:00:00 GMT",
    "2026-07-01T10:00:00-0500",
]


@pytest.mark.requirement("P42")
@pytest.mark.parametrize("text", SAME_INSTANT)
def test_an_instant_is_the_same_with_any_offset(text: str) -> None:
    assert said("2026-07-01T15:00:00Z", text, place("start", AN_INSTANT)) == "equal"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("2026-07-01T15:00:00+02:00", "different"),
        ("2026-07-01T15:00:01Z", "different"),
        ("2026-07-01 18:00 Europe/Berlin", "different"),
        ("2026-07-01T14:00:00", "different"),
        ("2026-07-01T15:00:00", "unsure"),
        ("1782918000", "unsure"),
        # In summer New York keeps EDT; who writes EST may mean either.
        ("2026-07-01 10:00 EST", "unsure"),
        ("2026-07-01 17:00 CEST", "equal"),
        ("2026-07-01 15:00 CEST", "different"),
    ],
)
def test_an_instant_is_unsure_only_where_its_offset_is_open(text: str, verdict: str) -> None:
    assert said("2026-07-01T15:00:00Z", text, place("start", AN_INSTANT)) == verdict


def test_a_missing_offset_is_settled_by_the_documentation_or_the_clock() -> None:
    utc = place("start", described("ISO 8601 date-time in UTC."))
    assert said("2026-07-01T15:00:00Z", "2026-07-01T15:00:00", utc) == "equal"
    assert said("2026-07-01T15:00:00+02:00", "2026-07-01T15:00:00", utc) == "different"
    local = place("start", AN_INSTANT, now=WEDNESDAY)
    assert said("2026-03-12T15:00:00+01:00", "2026-03-12T15:00:00", local) == "equal"
    assert said("2026-03-12T15:00:00Z", "2026-03-12T16:00:00", local) == "unsure"


@pytest.mark.parametrize(
    ("number", "verdict"), [(1782918000, "equal"), (1782918000000, "equal"), (1782918060, "different")]
)
def test_a_timestamp_is_an_instant_where_one_is_asked_for(number: int, verdict: str) -> None:
    where = place("timestamp", described("Unix time."))
    assert said(number, "2026-07-01T15:00:00Z", where) == verdict
    assert said(str(number), "2026-07-01T15:00:00Z", where) == verdict


@pytest.mark.parametrize(
    ("left", "right", "name", "verdict"),
    [
        (2025, 2026, "year", "different"),
        (1782918000, 1782918000000, "timestamp", "unsure"),
        (5, 6, "limit", "nothing"),
        (2026, 2026, "year", "nothing"),
    ],
)
def test_two_numbers_are_of_time_where_the_name_says_so(left: Json, right: Json, name: str, verdict: str) -> None:
    assert said(left, right, place(name, {})) == verdict


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("Asia/Kolkata", "Asia/Calcutta", "equal"),
        ("Asia/Kolkata", "asia/kolkata", "equal"),
        ("America/New_York", "US/Eastern", "equal"),
        ("America/New_York", "America/New York", "equal"),
        ("Europe/Kyiv", "Europe/Kiev", "equal"),
        ("UTC", "Etc/UTC", "equal"),
        ("UTC", "GMT", "equal"),
        ("Z", "UTC+0", "equal"),
        ("Asia/Kolkata", "UTC+5:30", "equal"),
        ("Asia/Kolkata", "Asia/Karachi", "different"),
        ("Europe/Berlin", "Europe/Paris", "different"),
        ("Europe/Berlin", "Asia/Tokyo", "different"),
        ("Asia/Tokyo", "EST", "different"),
        ("America/Chicago", "EST", "different"),
        ("Europe/Berlin", "+05:00", "different"),
        ("Europe/Berlin", "Europe/Atlantis", "different"),
        ("Europe/Berlin", "+01:00", "unsure"),
        ("Europe/Berlin", "CET", "unsure"),
        ("America/New_York", "EST", "unsure"),
        ("EST", "EDT", "unsure"),
        ("EST", "est", "equal"),
        ("Europe/London", "UTC", "unsure"),
        # One zone to the database, two to the people in them.
        ("Europe/Oslo", "Europe/Berlin", "unsure"),
        ("Asia/Kolkata", "Kolkata", "unsure"),
    ],
)
def test_zones_are_the_same_by_name_or_renaming_and_never_by_today_s_offset(
    left: str, right: str, verdict: str
) -> None:
    assert said(left, right, place("timezone", A_ZONE)) == verdict
