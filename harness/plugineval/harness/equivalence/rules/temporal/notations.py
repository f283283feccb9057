"""Which order of day, month and year a text documents or shows: DD/MM/YYYY in a description, 25/12/2024 as an example.

The query is evidence too, weaker: its own 25/12 shows how its author writes; "5 March" names a day to recognise.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.temporal.words import MONTH, MONTHS

_LETTERS = r"%?(d{1,2}|m{1,2}|y{2,4}|y)"
_TEMPLATE = re.compile(rf"(?<![a-z]){_LETTERS}([-/. ,])\s?{_LETTERS}\2\s?{_LETTERS}(?![a-z])")
_SHORT_TEMPLATE = re.compile(r"(?<![a-z/.-])(?:%?(d{1,2}|m{1,2}))[-/.](?:%?(d{1,2}|m{1,2}))(?![a-z/.-])")
_SHOWN = re.compile(r"(?<![\d/.-])(\d{1,2})[-/.](\d{1,2})[-/.](\d{4}|\d{2})(?![\d/-]|\.\d)")
_DAY_FIRST = re.compile(r"\bday[\s-](?:month|first)|\beuropean\b|\b(?:uk|british)\s+(?:date\s+)?format")
_MONTH_FIRST = re.compile(r"\bmonth[\s-](?:day|first)|\b(?:us|american)\s+(?:date\s+)?(?:format|notation|style)")
_DAY_MONTH = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?({MONTH})\b", re.IGNORECASE)
_MONTH_DAY = re.compile(rf"\b({MONTH})\b[\s.,]*(?:the\s+)?(\d{{1,2}})(?!\d)(?:st|nd|rd|th)?", re.IGNORECASE)
_YEARS = re.compile(r"(?<!\d)(?:19|20)\d{2}(?!\d)")
_NONE: frozenset[str] = frozenset()


@lru_cache(maxsize=4_096)
def documented_orders(description: str, pattern: str = "") -> frozenset[str]:
    """Orders a description or a schema's pattern names; examples count only where nothing is named."""
    text = description.lower()
    named = {_order(found) for found in _TEMPLATE.findall(text)}
    named |= {f"{a[0]}{b[0]}y".upper() for a, b in _SHORT_TEMPLATE.findall(text) if a[0] != b[0]}
    named |= {"DMY"} if _DAY_FIRST.search(text) else set()
    named |= {"MDY"} if _MONTH_FIRST.search(text) else set()
    kept = frozenset(order for order in named if set(order) == set("DMY"))
    return kept or _pattern_order(pattern) or shown_orders(description)


def _order(parts: tuple[str, str, str, str]) -> str:
    return "".join(part[0] for part in (parts[0], parts[2], parts[3])).upper()


def _pattern_order(pattern: str) -> frozenset[str]:
    """A pattern that limits a part to 31 and another to 12 names the order by it."""
    day, month = pattern.find("3[01]"), pattern.find("1[0-2]")
    if day < 0 or month < 0 or not pattern:
        return _NONE
    year = max(pattern.find(r"\d{4}"), pattern.find("[0-9]{4}"))
    where = sorted(((day, "D"), (month, "M"), (len(pattern) if year < 0 else year, "Y")))
    return frozenset({"".join(part for _, part in where)})


@lru_cache(maxsize=8_192)
def shown_orders(text: str) -> frozenset[str]:
    """Orders that a text's own numeric dates show, by a part over 12."""
    found: set[str] = set()
    for first, second, _ in _SHOWN.findall(text):
        found |= {"DMY"} if 12 < int(first) <= 31 and int(second) <= 12 else set()
        found |= {"MDY"} if int(first) <= 12 < int(second) <= 31 else set()
    return frozenset(found)


class Mentions(NamedTuple):
    """Days and years a query names."""

    days: dict[tuple[int, int], frozenset[str]]
    """(month, day) -> the word orders it is named in: `DMY` for 5 March, `MDY` for March 5."""
    years: frozenset[int]
    orders: frozenset[str]
    """Orders its numeric dates show."""


@lru_cache(maxsize=8_192)
def mentions(query: str) -> Mentions:
    """What a query says of days."""
    days: dict[tuple[int, int], frozenset[str]] = {}
    for day, month in _DAY_MONTH.findall(query):
        key = (MONTHS[month.lower()], int(day))
        days[key] = days.get(key, _NONE) | {"DMY"}
    for month, day in _MONTH_DAY.findall(query):
        key = (MONTHS[month.lower()], int(day))
        days[key] = days.get(key, _NONE) | {"MDY"}
    return Mentions(days, frozenset(map(int, _YEARS.findall(query))), shown_orders(query))
