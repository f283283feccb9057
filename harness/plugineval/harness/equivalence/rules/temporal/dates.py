"""Calendar dates as people and machines write them; a notation that can be read two ways keeps both readings.

Only whole texts are read: "March 5, 2024" is a date, "1.2.3" and "ticket 20240305" are not.
"""

import re
from collections.abc import Callable, Iterator
from datetime import date
from functools import lru_cache
from itertools import permutations
from typing import NamedTuple

from plugineval.harness.equivalence.rules.temporal.spans import Span
from plugineval.harness.equivalence.rules.temporal.words import MONTH, MONTHS, WEEKDAY, WEEKDAYS, day_of_ordinal


class Written(NamedTuple):
    """One reading of a written date; what the text leaves out is None."""

    order: str
    """Which convention it supposes: `DMY`, `MDY`, `YMD`; empty where the notation needs none."""
    year: int | None = None
    month: int | None = None
    day: int | None = None
    short: bool = False
    """The year has two digits and its century is a guess."""
    fixed: Span | None = None
    """Days the notation names without month and day (a week, a quarter)."""


class DateText(NamedTuple):
    """What a text says of a day. No reading at all: written like a date, and no such day exists."""

    readings: tuple[Written, ...]
    evident: bool
    """Nobody writes this and means no date, so no argument name has to vouch for it."""
    weekday: int | None = None
    usual_order: str = ""
    """The order its punctuation stands for where nothing is documented: dots are day-first in every locale (CLDR)."""


Reader = Callable[[re.Match[str]], DateText | None]
_YEAR = r"(?P<y>\d{4}|'?\d{2})"
_GAP = r"[\s.,/-]*"
_WEEKDAY_PREFIX = re.compile(rf"^(?P<w>{WEEKDAY})\b[\s.,]*(?:the\s+)?(?=\S)")
_WEEKDAY_SUFFIX = re.compile(rf"^(?P<rest>.*\d.*?)[\s,]*\(?\b(?P<w>{WEEKDAY})\)?$")


@lru_cache(maxsize=16_384)
def read_date(text: str) -> DateText | None:
    """The readings of `text`, already in normal spelling; None where it is not written like a date."""
    plain, weekday = _without_weekday(day_of_ordinal(text))
    for pattern, reader in _NOTATIONS:
        found = pattern.fullmatch(plain)
        read = reader(found) if found else None
        if read is not None:
            return read._replace(weekday=weekday)
    return None


def _without_weekday(text: str) -> tuple[str, int | None]:
    found = _WEEKDAY_PREFIX.match(text)
    if found:
        return text[found.end() :], WEEKDAYS[found["w"]]
    found = _WEEKDAY_SUFFIX.match(text)
    return (found["rest"], WEEKDAYS[found["w"]]) if found else (text, None)


def exists(reading: Written) -> bool:
    """Whether the calendar has that day; 29 February passes where the year is open."""
    if reading.fixed is not None:
        return True
    try:
        date(2000 if reading.year is None or reading.short else reading.year, reading.month or 1, reading.day or 1)
    except ValueError:
        return False
    return True


def _text(*readings: Written, evident: bool, usual: str = "") -> DateText | None:
    """The readings that exist. Digits that only might have been a date are none when no reading does."""
    existing = tuple(r for r in readings if exists(r))
    return DateText(existing, evident, usual_order=usual) if existing or evident else None


def _named(found: re.Match[str]) -> DateText | None:
    parts = found.groupdict()
    year, day = parts.get("y"), parts.get("d")
    short = year is not None and len(year) < 4
    number = int(year.lstrip("'")) if year else None
    reading = Written("", number, MONTHS[parts["m"]], int(day) if day else None, short)
    return _text(reading, evident=number is not None and not short)


def _iso(found: re.Match[str]) -> DateText | None:
    reading = Written("", int(found["y"]), int(found["m"]), int(found["d"]))
    return _text(reading, evident=found["s"] in {"-", "/"})


def _basic(found: re.Match[str]) -> DateText | None:
    return _text(Written("", int(found["y"]), int(found["m"]), int(found["d"])), evident=False)


def _numeric(found: re.Match[str]) -> DateText | None:
    parts, separator = (found["a"], found["b"], found["c"]), found["s"]
    usual = "DMY" if separator == "." else ""
    return _text(*_orders(parts), evident=separator == "/" and len(parts[2]) == 4, usual=usual)


def _orders(parts: tuple[str, str, str]) -> Iterator[Written]:
    for order in ("DMY", "MDY", "YMD"):
        year, month, day = (parts[order.index(part)] for part in "YMD")
        if len(year) == 4 or (len(parts[2]) == 2 and len(day) == len(year) == 2):
            yield Written(order, int(year), int(month), int(day), len(year) == 2)
        elif len(year) == 2 and order != "YMD":
            yield Written(order, int(year), int(month), int(day), short=True)


def _yearless(found: re.Match[str]) -> DateText | None:
    for_order = dict(zip(("DMY", "MDY"), permutations((int(found["a"]), int(found["b"] or found["b2"]))), strict=True))
    readings = (Written(order, None, month, day) for order, (day, month) in for_order.items())
    return _text(*readings, evident=False)


def _month(found: re.Match[str]) -> DateText | None:
    return _text(Written("", int(found["y"]), int(found["m"])), evident=False)


def _year(found: re.Match[str]) -> DateText | None:
    return _text(Written("", int(found["y"])), evident=False)


def _quarter(found: re.Match[str]) -> DateText:
    span = Span.months(int(found["y"]), 3 * int(found["q"]) - 2, 3)
    return DateText((Written("", fixed=span),), evident=True)


def _week(found: re.Match[str]) -> DateText:
    year, week = int(found["y"]), int(found["n"])
    try:
        day = date.fromisocalendar(year, week, int(found["d"] or 1))
    except ValueError:
        return DateText((), evident=True)
    return DateText((Written("", fixed=Span.day(day) if found["d"] else Span.week(day)),), evident=True)


def _day_of_year(found: re.Match[str]) -> DateText | None:
    try:
        day = date.fromordinal(date(int(found["y"]), 1, 1).toordinal() + int(found["n"]) - 1)
    except ValueError:
        return None
    if day.year != int(found["y"]):
        return None
    return DateText((Written("", fixed=Span.day(day)),), evident=False)


def _notations() -> Iterator[tuple[str, Reader]]:
    yield r"(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})", _iso
    yield r"(?P<y>[12]\d{3})(?P<m>\d{2})(?P<d>\d{2})", _basic
    yield rf"(?P<d>\d{{1,2}}){_GAP}(?:of\s+)?(?P<m>{MONTH})\b{_GAP}(?:{_YEAR})?", _named
    yield rf"(?P<d>\d{{1,2}})(?P<m>{MONTH})(?P<y>\d{{4}}|\d{{2}})", _named
    yield rf"(?P<y>\d{{4}}){_GAP}(?P<m>{MONTH})\b{_GAP}(?P<d>\d{{1,2}})", _named
    yield rf"(?P<m>{MONTH})\b{_GAP}(?:the\s+)?(?P<d>\d{{1,2}})(?:[\s.,/-]+(?:of\s+)?{_YEAR})?", _named
    yield rf"(?P<m>{MONTH})\b{_GAP}(?:of\s+)?(?P<y>\d{{4}})", _named
    yield rf"(?P<y>\d{{4}}){_GAP}(?P<m>{MONTH})", _named
    yield rf"(?P<m>{MONTH})", _named
    yield r"(?P<a>\d{1,2})(?P<s>[-/. ])(?P<b>\d{1,2})(?P=s)(?P<c>\d{4}|\d{2})", _numeric
    yield r"(?P<y>[12]\d{3})-?w(?P<n>\d{2})(?:-?(?P<d>[1-7]))?", _week
    yield r"(?P<y>[12]\d{3})-?(?P<n>\d{3})", _day_of_year
    yield r"(?P<y>[12]\d{3})[-\s]?q(?P<q>[1-4])", _quarter
    yield r"q(?P<q>[1-4])[-\s/,]*(?P<y>[12]\d{3})", _quarter
    yield r"(?P<q>[1-4])\s+quarter(?:\s+of)?\s+(?P<y>[12]\d{3})", _quarter
    yield r"(?P<y>[12]\d{3})[-/](?P<m>\d{1,2})", _month
    yield r"(?P<m>\d{1,2})[-/](?P<y>[12]\d{3})", _month
    yield r"(?P<y>[12]\d{3})", _year
    yield r"(?P<a>\d{1,2})(?:[/-](?P<b>\d{1,2})|\.\s?(?P<b2>\d{1,2})\.)", _yearless


_NOTATIONS = tuple((re.compile(pattern), reader) for pattern, reader in _notations())
