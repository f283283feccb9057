"""Days told from today, with a clock, without one, and where speakers disagree."""

from datetime import datetime

import pytest

from doubles.temporal import AN_INSTANT, WEDNESDAY, described, place, said

DUE = described("Due date (ISO 8601).")


@pytest.mark.requirement("P42")
@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("today", "2026-03-11"),
        ("Tomorrow ", "2026-03-12"),
        ("yesterday", "2026-03-10"),
        ("the day after tomorrow", "2026-03-13"),
        ("in three days", "2026-03-14"),
        ("3 days from now", "2026-03-14"),
        ("in a week", "2026-03-18"),
        ("a week from today", "2026-03-18"),
        ("in two weeks", "2026-03-25"),
        ("in a fortnight", "2026-03-25"),
        ("in one month", "2026-04-11"),
        ("a year ago", "2025-03-11"),
        ("this Friday", "2026-03-13"),
        ("Friday", "2026-03-13"),
        ("on Monday next week", "2026-03-16"),
        ("end of month", "2026-03-31"),
        ("the end of next month", "2026-04-30"),
        ("beginning of next year", "2027-01-01"),
        ("last day of February 2028", "2028-02-29"),
        ("first Monday of May", "2026-05-04"),
        ("the last Friday in November 2026", "2026-11-27"),
        ("second Tuesday of next month", "2026-04-14"),
        ("mañana", "2026-03-12"),
        ("morgen", "2026-03-12"),
    ],
)
def test_a_relative_day_is_counted_from_the_clock_of_the_case(text: str, day: str) -> None:
    where = place("due", DUE, now=WEDNESDAY)
    assert said(day, text, where) == "equal"
    assert said("2026-06-17", text, where) == "different"


@pytest.mark.parametrize(
    ("today", "phrase", "open_days", "excluded"),
    [
        ("2026-03-11", "next Friday", ("2026-03-13", "2026-03-20"), ("2026-03-12", "2026-03-27")),
        ("2026-03-15", "next Friday", ("2026-03-20", "2026-03-27"), ("2026-03-13",)),
        ("2026-03-11", "last Tuesday", ("2026-03-10", "2026-03-03"), ("2026-03-17",)),
        ("2026-03-14", "this Friday", ("2026-03-13", "2026-03-20"), ("2026-03-27",)),
        ("2026-03-11", "end of the week", ("2026-03-13", "2026-03-15"), ("2026-03-18",)),
    ],
)
def test_a_phrase_that_speakers_read_differently_is_unsure_for_its_days_and_no_other(
    today: str, phrase: str, open_days: tuple[str, ...], excluded: tuple[str, ...]
) -> None:
    where = place("due", DUE, now=datetime.fromisoformat(f"{today}T09:00:00+00:00"))
    assert [said(day, phrase, where) for day in open_days] == ["unsure"] * len(open_days)
    assert [said(day, phrase, where) for day in excluded] == ["different"] * len(excluded)


def test_next_friday_said_on_a_friday_or_a_saturday_is_one_day() -> None:
    for today in ("2026-03-13", "2026-03-14"):
        where = place("due", DUE, now=datetime.fromisoformat(f"{today}T09:00:00+00:00"))
        assert said("2026-03-20", "next Friday", where) == "equal"


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("2026-03-12", "tomorrow", "unsure"),
        ("tomorrow", "Tomorrow", "equal"),
        ("next Friday", "next friday", "equal"),
        ("tomorrow", "in 1 day", "equal"),
        ("in a week", "in 7 days", "equal"),
        ("tomorrow", "today", "different"),
        ("in two hours", "in 120 minutes", "equal"),
        ("in 30 days", "in a month", "unsure"),
    ],
)
def test_without_a_clock_only_what_holds_on_every_day_is_decided(left: str, right: str, verdict: str) -> None:
    assert said(left, right, place("due", DUE)) == verdict


@pytest.mark.parametrize(
    ("day", "verdict"), [("2026-01-05", "equal"), ("2025-01-05", "different"), ("2026-01-06", "different")]
)
def test_a_day_without_a_year_is_the_coming_one_where_something_is_booked(day: str, verdict: str) -> None:
    where = place("date", DUE, now=datetime.fromisoformat("2025-12-30T10:00:00+00:00"))
    assert said(day, "January 5", where) == verdict


def test_a_day_without_a_year_and_without_a_clock_settles_only_what_it_excludes() -> None:
    assert said("2026-01-05", "January 5", place()) == "unsure"
    assert said("2026-01-06", "January 5", place()) == "different"
    assert said("5 Jan", "January 5", place()) == "equal"


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("tomorrow at 3 pm", "equal"),
        ("tomorrow 15:00", "equal"),
        ("15:00 tomorrow", "equal"),
        ("tomorrow at 4 pm", "different"),
        ("today at 3 pm", "different"),
        ("in 30 hours", "equal"),
    ],
)
def test_a_relative_day_with_a_time_is_an_instant(text: str, verdict: str) -> None:
    assert said("2026-03-12T15:00:00", text, place("start", AN_INSTANT, now=WEDNESDAY)) == verdict


def test_now_is_the_instant_of_the_clock_and_not_only_its_day() -> None:
    where = place("start", AN_INSTANT, now=WEDNESDAY)
    assert said("2026-03-11T08:00:00Z", "now", where) == "equal"
    assert said("2026-03-11T09:30:00+01:00", "now", where) == "different"
    assert said("2026-03-11", "now", place("due", DUE, now=WEDNESDAY)) == "unsure"
