"""Days told from another day: tomorrow, in two weeks, next Friday, end of month, first Monday of May.

A phrase is resolved for a given today. Where speakers disagree ("next Friday" on a Wednesday) each reading has a name.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from functools import lru_cache
from typing import TypeAlias

from plugineval.harness.equivalence.rules.temporal.spans import Span
from plugineval.harness.equivalence.rules.temporal.words import MONTH, MONTHS, WEEKDAY, WEEKDAYS, day_of_ordinal

Readings: TypeAlias = dict[str, Span]
"""What a phrase may mean, by the name of the reading."""
Resolve: TypeAlias = Callable[[date], Readings]
_Found: TypeAlias = re.Match[str]
_WEEK = timedelta(days=7)
_LONGEST = 10_000
"""Units counted in a phrase; beyond it is no date a person asks for."""


@lru_cache(maxsize=16_384)
def read_relative(text: str) -> Resolve | None:
    """How `text` (in normal spelling) follows from today; None where it is no such phrase."""
    plain = day_of_ordinal(text)
    for pattern, resolve in _PHRASES:
        found = pattern.fullmatch(plain)
        if found:
            return _bound(resolve, found)
    return None


def _bound(resolve: Callable[[_Found, date], Readings], found: _Found) -> Resolve:
    return lambda today: resolve(found, today)


def shifted(day: date, count: int, unit: str) -> date:
    """`day` moved by `count` days, weeks, months or years; the end of a shorter month where the day is missing."""
    if unit.startswith(("day", "week", "fortnight")):
        return day + timedelta(days=count * {"d": 1, "w": 7, "f": 14}[unit[0]])
    month = Span.months(day.year, day.month + count * (12 if unit.startswith("year") else 1))
    return month.first.replace(day=min(day.day, month.last.day))


_FIXED = {
    "today": 0, "this day": 0, "today's date": 0, "current date": 0, "current day": 0,
    "tomorrow": 1, "tmrw": 1, "tmr": 1, "tomorow": 1, "next day": 1, "day after today": 1,
    "yesterday": -1, "day before today": -1, "overmorrow": 2, "day after tomorrow": 2, "day before yesterday": -2,
}  # fmt: skip


def _fixed(found: _Found, today: date) -> Readings:
    return {"": Span.day(today + timedelta(days=_FIXED[found[0]]))}


def _counted(found: _Found, today: date) -> Readings:
    amount = found["n"]
    count = 1 if amount in {"a", "an"} else 2 if amount == "a couple of" else min(int(amount), _LONGEST)
    back = "back" in found.groupdict()
    try:
        return {"": Span.day(shifted(today, -count if back else count, found["unit"]))}
    except (OverflowError, ValueError):
        return {}


def _weekday(found: _Found, today: date) -> Readings:
    day = WEEKDAYS[found["w"]]
    coming = today + timedelta(days=(day - today.weekday()) % 7)
    last = coming - _WEEK
    if coming == today:
        return {"today": Span.day(today), "coming": Span.day(today + _WEEK), "past": Span.day(last)}
    return {"coming": Span.day(coming), "past": Span.day(last)}


def _this_weekday(found: _Found, today: date) -> Readings:
    day = WEEKDAYS[found["w"]]
    coming = today + timedelta(days=(day - today.weekday()) % 7)
    return {"coming": Span.day(coming)} | {name: Span.day(d) for name, d in _of_weeks(today, day, 0).items()}


def _next_weekday(found: _Found, today: date) -> Readings:
    day = WEEKDAYS[found["w"]]
    coming = today + timedelta(days=(day - today.weekday() - 1) % 7 + 1)
    return {"coming": Span.day(coming)} | {name: Span.day(d) for name, d in _of_weeks(today, day, 1).items()}


def _last_weekday(found: _Found, today: date) -> Readings:
    day = WEEKDAYS[found["w"]]
    recent = today - timedelta(days=(today.weekday() - day - 1) % 7 + 1)
    return {"recent": Span.day(recent)} | {name: Span.day(d) for name, d in _of_weeks(today, day, -1).items()}


def _weekday_of_week(found: _Found, today: date) -> Readings:
    weeks = {"this": 0, "next": 1, "last": -1, "previous": -1, "following": 1, "coming": 1}[found["which"]]
    return {name: Span.day(d) for name, d in _of_weeks(today, WEEKDAYS[found["w"]], weeks).items()}


def _of_weeks(today: date, weekday: int, weeks: int) -> dict[str, date]:
    """That weekday of the week `weeks` from now, for weeks that begin on Monday and on Sunday."""
    monday = today - timedelta(days=today.weekday()) + weeks * _WEEK
    sunday = today - timedelta(days=today.isoweekday() % 7) + weeks * _WEEK
    return {
        "weeks from Monday": monday + timedelta(days=weekday),
        "weeks from Sunday": sunday + timedelta(days=(weekday + 1) % 7),
    }


def _period(found: _Found, today: date) -> Readings:
    which = found["which"] or "this"
    step = 0 if which in {"this", "current"} else 1 if which in {"next", "coming", "following"} else -1
    unit, part = found["unit"], found.groupdict().get("part")
    if unit == "week":
        weeks = {name: Span.week(first) for name, first in _first_days(today, step).items()}
        fridays = {"working weeks": Span.day(weeks["weeks from Monday"].last - timedelta(days=2))}
        return {name: _part(span, part) for name, span in weeks.items()} | (fridays if part == "end" else {})
    if unit == "weekend":
        coming = today + timedelta(days=5 - today.weekday())
        saturdays = {"coming": coming + min(step, 0) * _WEEK, "week's": coming + step * _WEEK}
        return {name: Span(first, first + timedelta(days=1)) for name, first in saturdays.items()}
    months = {"month": 1, "quarter": 3, "year": 12}[unit]
    start = (today.month - 1) // months * months + 1
    return {"": _part(Span.months(today.year, start + step * months, months), part)}


def _first_days(today: date, step: int) -> dict[str, date]:
    return {
        "weeks from Monday": today - timedelta(days=today.weekday()) + step * _WEEK,
        "weeks from Sunday": today - timedelta(days=today.isoweekday() % 7) + step * _WEEK,
    }


def _part(span: Span, part: str | None) -> Span:
    if part is None:
        return span
    return Span.day(span.last if part.startswith(("end", "last")) else span.first)


def _part_of_month(found: _Found, today: date) -> Readings:
    months = _months(found, today)
    return {name: _part(span, found["part"]) for name, span in months.items()}


def _nth_weekday(found: _Found, today: date) -> Readings:
    nth, day = found["nth"], WEEKDAYS[found["w"]]
    months = _months(found, today)
    days = {name: _nth(span, nth, day) for name, span in months.items()}
    return {name: Span.day(found_day) for name, found_day in days.items() if found_day is not None}


def _nth(month: Span, nth: str, weekday: int) -> date | None:
    if nth == "last":
        return month.last - timedelta(days=(month.last.weekday() - weekday) % 7)
    day = month.first + timedelta(days=(weekday - month.first.weekday()) % 7 + 7 * (int(nth) - 1))
    return day if day <= month.last else None


def _months(found: _Found, today: date) -> Readings:
    """The month a phrase speaks of: named with or without a year, or this, next or last month."""
    parts = found.groupdict()
    if parts.get("which"):
        return _period(found, today)
    month = MONTHS[parts["m"]]
    if parts.get("y"):
        return {"": Span.months(int(parts["y"]), month)}
    coming = today.year + (month < today.month)
    return {"coming": Span.months(coming, month), "past": Span.months(coming - 1, month)}


def _phrases() -> Iterator[tuple[str, Callable[[_Found, date], Readings]]]:
    unit = r"(?P<unit>(?:day|week|fortnight|month|year)s?)"
    which = r"(?P<which>this|current|next|coming|following|last|previous|past)"
    count = r"(?P<n>an?|a couple of|\d{1,5})"
    part = r"(?P<part>end|beginning|start|first day|1 day|last day)"
    month = rf"(?P<m>{MONTH})(?:,?\s+(?P<y>\d{{4}}))?"
    yield "|".join(map(re.escape, sorted(_FIXED, key=len, reverse=True))), _fixed
    yield rf"(?:in|within)\s+{count}\s+{unit}(?:'? time)?", _counted
    yield rf"{count}\s+{unit}\s+(?:from (?:now|today)|hence|later|ahead)", _counted
    yield rf"(?P<back>){count}\s+{unit}\s+(?:ago|before today|back|earlier)", _counted
    yield rf"(?P<w>{WEEKDAY})", _weekday
    yield rf"(?:this|coming|this coming)\s+(?P<w>{WEEKDAY})", _this_weekday
    yield rf"next\s+(?P<w>{WEEKDAY})", _next_weekday
    yield rf"(?:last|past|previous)\s+(?P<w>{WEEKDAY})", _last_weekday
    yield (
        rf"(?P<w>{WEEKDAY})\s+(?:of\s+)?(?:the\s+)?(?P<which>this|next|last|previous|following|coming)\s+week",
        (_weekday_of_week),
    )
    yield rf"(?:the\s+)?{which}\s+(?P<unit>week|weekend|month|quarter|year)", _period
    yield rf"{part}\s+of\s+(?:the\s+)?{which}?\s*(?P<unit>week|month|quarter|year)", _period
    yield r"(?P<unit>week|month|quarter|year)(?P<which>)\s+(?P<part>end)", _period
    yield rf"{part}\s+of\s+{month}", _part_of_month
    in_month = rf"\s+(?:of|in)\s+(?:(?:the\s+)?{which}\s+(?P<unit>month)|{month})"
    yield rf"(?P<nth>[1-5]|last)\s+(?P<w>{WEEKDAY}){in_month}", _nth_weekday


_PHRASES = tuple((re.compile(pattern), resolve) for pattern, resolve in _phrases())
