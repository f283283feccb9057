"""Invariants of the temporal rules: notation never moves a verdict, swapping never does, and no text breaks them."""

from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from doubles.temporal import A_DAY, A_LENGTH, A_ZONE, AN_INSTANT, WEDNESDAY, place, ruled
from plugineval.harness.equivalence.verdicts import Agreement, Place

DAYS = st.dates(date(1950, 1, 1), date(2090, 12, 31))
SPELLINGS = st.sampled_from(
    ["%Y-%m-%d", "%Y%m%d", "%B %d, %Y", "%d %b %Y", "%A, %d %B %Y", "%b.%d, %Y", "%Y/%m/%d", "%d.%m.%Y", "%G-W%V-%u"]
)
WORDS = st.sampled_from(
    [
        "2026-03-04",
        "03/04/2026",
        "4",
        "March",
        "may",
        "Friday",
        "next",
        "last",
        "in",
        "two",
        "weeks",
        "ago",
        "end",
        "of",
        "month",
        "tomorrow",
        "now",
        "at",
        "15:00",
        "24:00",
        "5",
        "pm",
        "half",
        "past",
        "noon",
        "Z",
        "+02:00",
        "UTC",
        "EST",
        "Europe/Berlin",
        "PT1H",
        "90",
        "minutes",
        "1.5",
        "h",
        "to",
        "/",
        "-",
        ",",
        "99999",
        "years",
        "2024-W53-7",
        "Q1",
        "29",
        "Feb",
        "1782918000",
        "0000",
        "9999-12-31",
        "12/31/99",
        "first",
        "60",
        ":",
        "½",
        "１２",
        "0",
        "99:99",
    ]
)
TEXTS = st.one_of(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), st.text(max_size=12))
PLACES = st.sampled_from(
    [
        place("date", A_DAY),
        place("start", AN_INSTANT, now=WEDNESDAY, query="on March 4, 2026"),
        place("due", A_DAY, now=WEDNESDAY),
        place("timezone", A_ZONE),
        place("duration", A_LENGTH),
        place("value", {}),
    ]
)


@pytest.mark.requirement("P42")
@given(DAYS, SPELLINGS, SPELLINGS)
def test_one_day_in_two_notations_is_equal(day: date, first: str, second: str) -> None:
    found = ruled(day.strftime(first), day.strftime(second), place())
    assert found is not None
    assert found.agreement is Agreement.EQUAL


@pytest.mark.requirement("P41")
@given(DAYS, DAYS, SPELLINGS, SPELLINGS)
def test_two_days_in_any_notation_are_different(one: date, two: date, first: str, second: str) -> None:
    assume(one != two)
    found = ruled(one.strftime(first), two.strftime(second), place())
    assert found is not None
    assert found.agreement is Agreement.DIFFERENT
    assert found.temporal


@given(DAYS, st.sampled_from(["%d/%m/%Y", "%m/%d/%Y", "%d-%m-%Y", "%m-%d-%y", "%d/%m/%y"]), DAYS)
def test_a_notation_of_two_meanings_is_never_taken_for_a_day_it_may_not_be(day: date, spelled: str, gold: date) -> None:
    found = ruled(gold.isoformat(), day.strftime(spelled), place())
    assert found is not None
    if found.agreement is Agreement.EQUAL:
        assert gold == day
        assert day.day > 12 or day.day == day.month
    elif gold == day:
        assert found.agreement is Agreement.UNSURE


@given(
    st.datetimes(datetime(1990, 1, 1), datetime(2080, 1, 1)), st.integers(-12, 14), st.integers(-12, 14), st.booleans()
)
def test_an_instant_is_equal_to_itself_at_any_offset_and_to_no_other(
    moment: datetime, one: int, two: int, other: bool
) -> None:
    first = moment.replace(tzinfo=UTC).astimezone(timezone(timedelta(hours=one)))
    second = (first + timedelta(seconds=int(other))).astimezone(timezone(timedelta(hours=two)))
    found = ruled(first.isoformat(), second.isoformat(), place("start", AN_INSTANT))
    assert found is not None
    assert found.agreement is (Agreement.DIFFERENT if other else Agreement.EQUAL)


@given(st.integers(1, 100_000), st.integers(1, 100_000))
def test_a_length_is_its_seconds(one: int, two: int) -> None:
    hours, rest = divmod(two, 3600)
    found = ruled(f"{one} seconds", f"PT{hours}H{rest // 60}M{rest % 60}S", place("duration", A_LENGTH))
    assert found is not None
    assert found.agreement is (Agreement.EQUAL if one == two else Agreement.DIFFERENT)


@given(TEXTS, TEXTS, PLACES)
def test_any_two_texts_get_the_same_ruling_both_ways_round(left: str, right: str, where: Place) -> None:
    ruled(left, right, where)


@given(TEXTS, PLACES)
def test_a_text_is_never_different_from_itself(text: str, where: Place) -> None:
    found = ruled(text, text, where)
    assert found is None or found.agreement is not Agreement.DIFFERENT
