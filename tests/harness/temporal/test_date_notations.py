"""One day in many notations, and notations that could be two days."""

import pytest

from doubles.temporal import A_DAY, AN_INSTANT, described, place, said
from plugineval.pccf.values import Json

SAME_DAY = [
    "2024-03-05",
    "20240305",
    "2024/3/5",
    "2024.03.05",
    "2024-W10-2",
    "2024-065",
    "05.03.2024",
    "5.3.2024",
    "05MAR2024",
    "5-Mar-2024",
    "March 5, 2024",
    "5 Mar 2024",
    "Mar.05, 2024",
    "5th of March 2024",
    "the fifth of March 2024",
    "March 5th 2024",
    "Tuesday, March 5, 2024",
    "Tue 5 Mar 2024",
    "March 5 2024 (Tuesday)",
    "2024 March 5",
    "5 march, 2024",
    "５ March 2024",
    "5. März 2024",
    "5 de marzo de 2024",
    "le 5 mars 2024",
    "2024年3月5日",
]
OTHER_DAY = [
    "2024-03-06",
    "20240306",
    "2024-05-03",
    "2023-03-05",
    "03.05.2024",
    "2024-03",
    "14/03/2024",
    "March 6, 2024",
    "5 May 2024",
    "March 5, 2023",
    "6. März 2024",
    "April 5",
]


@pytest.mark.requirement("P42", "D14")
@pytest.mark.parametrize("text", SAME_DAY)
def test_a_day_is_the_same_day_in_any_common_notation(text: str) -> None:
    assert said("2024-03-05", text, place()) == "equal"


@pytest.mark.requirement("P41", "P51")
@pytest.mark.parametrize("text", OTHER_DAY)
def test_another_day_is_different_in_any_notation(text: str) -> None:
    assert said("2024-03-05", text, place()) == "different"


@pytest.mark.parametrize("text", ["2024-02-30", "2024-13-45", "31 February 2024", "30/02/2024"])
def test_a_day_that_does_not_exist_is_different_from_every_day(text: str) -> None:
    assert said("2024-03-05", text, place()) == "different"


@pytest.mark.parametrize("text", ["03/05/2024", "05/03/2024", "05-03-2024", "5/3", "5 Mar 24", "05/03/24"])
def test_a_notation_with_two_meanings_is_unsure_where_nothing_settles_it(text: str) -> None:
    assert said("2024-03-05", text, place()) == "unsure"


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("2024-03-14", "14/03/2024", "equal"),
        ("2024-03-14", "03/14/2024", "equal"),
        ("14/03/2024", "03/14/2024", "equal"),
        ("1/12/2024", "11/2/2024", "different"),
        # One tool reads both in one order, whichever it is.
        ("3/4/2026", "03/04/2026", "equal"),
        ("3/4/2026", "4/3/2026", "different"),
        ("3/4/26", "03/04/26", "equal"),
        # The weekday beside a date settles its order, or contradicts it.
        ("2026-03-04", "Wednesday 04/03/2026", "equal"),
        ("2026-03-04", "Friday 04/03/2026", "different"),
        ("2026-03-04", "Sunday, 4 March 2026", "unsure"),
        ("2026-03-05", "Sunday, 4 March 2026", "different"),
    ],
)
def test_two_numeric_dates_are_read_under_every_order_that_is_open(left: str, right: str, verdict: str) -> None:
    assert said(left, right, place()) == verdict


@pytest.mark.parametrize(
    ("schema", "same", "other"),
    [
        (described("Date, written DD/MM/YYYY or ISO 8601."), "04/03/2026", "03/04/2026"),
        (described("The day (mm/dd/yyyy)"), "03/04/2026", "04/03/2026"),
        (described("The date in %d/%m/%Y form."), "04/03/2026", "03/04/2026"),
        (described("The date, such as 25/12/2025."), "04/03/2026", "03/04/2026"),
        (described("The date, such as 12/25/2025."), "03/04/2026", "04/03/2026"),
        (described("Date.", pattern=r"^(0[1-9]|[12]\d|3[01])/(0[1-9]|1[0-2])/\d{4}$"), "04/03/2026", "03/04/2026"),
        (described("Date.", pattern=r"^(0[1-9]|1[0-2])/(0[1-9]|[12]\d|3[01])/\d{4}$"), "03/04/2026", "04/03/2026"),
        (described("Date as DD/MM/YY."), "04/03/2026", "03/04/2026"),
        (described("Day in MM.DD.YYYY form."), "03.04.2026", "04.03.2026"),
    ],
)
def test_the_documented_order_of_day_and_month_decides(schema: dict[str, Json], same: str, other: str) -> None:
    assert said("2026-03-04", same, place(schema=schema)) == "equal"
    assert said("2026-03-04", other, place(schema=schema)) == "different"


@pytest.mark.parametrize(
    ("query", "text", "verdict"),
    [
        ("A table on March 4, 2026", "03/04/2026", "equal"),
        ("A table on 4 March 2026", "04/03/2026", "equal"),
        # The words are British, the digits would have to be American.
        ("A table on 4 March 2026", "03/04/2026", "unsure"),
        ("From 04/03/2026 to 25/03/2026", "04/03/2026", "equal"),
        ("From 04/03/2026 to 25/03/2026", "03/04/2026", "different"),
        ("A table on the 4th of March 2026", "4 Mar 26", "equal"),
    ],
)
def test_the_spelling_of_the_query_is_evidence_for_the_order(query: str, text: str, verdict: str) -> None:
    assert said("2026-03-04", text, place(query=query)) == verdict


@pytest.mark.parametrize(
    ("left", "right", "name", "verdict"),
    [
        ("2024-03", "March 2024", "month", "equal"),
        ("2024-03", "03/2024", "month", "equal"),
        ("2024-03", "April 2024", "month", "different"),
        ("December", "Dec", "month", "equal"),
        ("December", "12", "month", "equal"),
        ("December", 12, "month", "equal"),
        ("December", 11, "month", "different"),
        ("Q1 2024", "2024-Q1", "quarter", "equal"),
        ("Q1 2024", "first quarter of 2024", "quarter", "equal"),
        ("Q1 2024", "Q2 2024", "quarter", "different"),
        ("Mon", "Monday", "day", "equal"),
        ("Mon", "Tuesday", "day", "different"),
        ("2024-03-01", "March 2024", "date", "unsure"),
        ("2024-03-05", "March 2024", "date", "different"),
        ("2024-03", "March", "month", "unsure"),
    ],
)
def test_months_quarters_and_weekdays_are_named_in_any_form(left: Json, right: Json, name: str, verdict: str) -> None:
    assert said(left, right, place(name, {})) == verdict


@pytest.mark.requirement("D14")
def test_midnight_is_the_day_only_where_the_schema_asks_for_a_day() -> None:
    assert said("2026-03-14", "2026-03-14T00:00:00", place(schema=A_DAY)) == "equal"
    assert said("2026-03-14", "2026-03-14T00:00:00", place("at", {"type": "string", "format": "date"})) == "equal"
    assert said("2026-03-14", "2026-03-14T00:00:00", place("start", AN_INSTANT)) == "unsure"
    assert said("2026-03-14", "2026-03-14T15:00:00", place("start", AN_INSTANT)) == "different"
    assert said("2026-03-14", "2026-03-15T00:00:00", place(schema=A_DAY)) == "different"


@pytest.mark.parametrize(
    ("left", "right", "verdict"),
    [
        ("2024-03-01/2024-03-05", "2024-03-01 to 2024-03-05", "equal"),
        ("2024-03-01/2024-03-05", "2024-03-01 - 2024-03-05", "equal"),
        ("2024-03-01/2024-03-05", "March 1-5, 2024", "equal"),
        ("2024-03-01/2024-03-05", "1 to 5 March 2024", "equal"),
        ("2024-03-01/2024-03-05", "from March 1, 2024 to March 5, 2024", "equal"),
        ("2024-03-01/2024-03-05", "2024-03-01/2024-03-06", "different"),
        ("2024-03-01/2024-03-05", "2024-03-01/P4D", "unsure"),
        ("2024-03-01/2024-03-31", "March 2024", "unsure"),
        ("2024-03-01/2024-03-05", "2024-04-01", "different"),
        ("9:00-17:00", "9am to 5pm", "equal"),
        ("9:00-17:00", "9am to 6pm", "different"),
    ],
)
def test_a_range_is_its_two_ends(left: str, right: str, verdict: str) -> None:
    assert said(left, right, place("period", described("Date range, or opening time."))) == verdict


@pytest.mark.parametrize(
    ("text", "verdict"),
    [("Christmas", "unsure"), ("the day of the party", "unsure"), ("asap", "unsure"), ("banana", "different")],
)
def test_words_that_may_name_a_day_are_unsure_and_other_words_are_no_day(text: str, verdict: str) -> None:
    assert said("2024-12-25", text, place()) == verdict


@pytest.mark.parametrize(
    ("left", "right", "name"),
    [
        ("1/2", "2/4", "ratio"),
        ("1.2.3", "1.2.4", "version"),
        ("16:9", "16:09", "aspect_ratio"),
        ("02134", "2134", "zip"),
        ("4/4", "2/4", "time_signature"),
        ("YYYY-MM-DD", "yyyy/mm/dd", "date_format"),
        ("20240305", "2024-03-05", "order_id"),
        ("2024-03-05", "March 5, 2024", "text"),
        ("may", "May", "name"),
        ("+14155550132", "+1 (415) 555-0132", "to"),
        ("5 m", "5 min", "distance"),
        ("2.30", "2.3", "rate"),
        ("10", "20", "limit"),
        ("1/2", "0.5", "amount"),
        ("2024-03-05", "", "date"),
        ("Oslo", "oslo", "departure"),
        (None, "2024-03-05", "date"),
        (True, 1, "date"),
    ],
)
def test_what_only_looks_like_a_time_is_left_to_other_rules(left: Json, right: Json, name: str) -> None:
    assert said(left, right, place(name, {})) == "nothing"


def test_an_enum_is_left_to_the_rule_of_enums() -> None:
    where = place("day", {"enum": ["Monday", "Tuesday"]})
    assert said("Monday", "Mon", where) == "nothing"


def test_a_date_needs_no_name_to_vouch_for_it_but_bare_digits_do() -> None:
    assert said("2024-03-05", "March 5, 2024", place("value", {})) == "equal"
    assert said("2024-03-05", "March 6, 2024", place("value", {})) == "different"
    assert said("2024-03-05", "20240305", place("value", {})) == "unsure"
