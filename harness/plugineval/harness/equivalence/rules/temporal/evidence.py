"""What settles an ambiguous date at a place: documentation, the query's own spelling, the clock, past or future.

It is drawn from the place and the query alone, never from gold or prediction, so that it cannot favour either.
"""

import re
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.temporal.dates import DateText, Written
from plugineval.harness.equivalence.rules.temporal.notations import Mentions, documented_orders, mentions
from plugineval.harness.equivalence.rules.temporal.traits import Traits, traits_of
from plugineval.harness.equivalence.verdicts import Place

_FUTURE = re.compile(
    r"\b(?:book|remind|reminder|schedule|reserve|reservation|due|deadline|plan|departure|arrival|alarm|upcoming"
    r"|appointment|check-?in|check-?out|will|expir\w+|forecast|going to|renew|postpone|reschedule|meeting)\b"
)
_PAST = re.compile(
    r"\b(?:was|were|did|past|histor\w+|last|ago|closed|closing|happened|previous|since|born|birth\w*|logs?|founded)\b"
)
_SOON = timedelta(days=45)
_WINDOW = 20
"""Years ahead of the clock that two digits may mean; more are a century back (as POSIX and Excel have it)."""


class Evidence(NamedTuple):
    """What is known at a place besides the two values."""

    traits: Traits
    query: Mentions
    today: date | None
    now: datetime | None
    offset: timedelta | None
    """The clock's offset from UTC."""
    direction: str
    """`future`, `past` or empty."""
    orders: frozenset[str]
    """Documented by the argument, else by the tool."""

    @property
    def settles_offsets(self) -> bool:
        """Whether a time without an offset has one all the same."""
        return self.traits.utc or self.offset is not None


def evidence_at(place: Place) -> Evidence:
    """The evidence at a place."""
    context, traits = place.context, traits_of(place)
    now = context.now
    return Evidence(
        traits=traits,
        query=mentions(context.query),
        today=now.date() if now else None,
        now=now,
        offset=now.utcoffset() if now else None,
        direction=_direction(f"{place.name} {place.description} {context.tool} {context.tool_description}")
        or _direction(context.query),
        orders=traits.orders or documented_orders(context.tool_description),
    )


@lru_cache(maxsize=8_192)
def _direction(text: str) -> str:
    words = text.replace("_", " ").lower()
    future, past = bool(_FUTURE.search(words)), bool(_PAST.search(words))
    return "" if future == past else "future" if future else "past"


def narrowed(text: DateText, evidence: Evidence) -> tuple[Written, ...]:
    """The readings of a date that the evidence leaves."""
    readings = _in_order(text, evidence) if len(text.readings) > 1 else text.readings
    return _by_weekday(tuple(r for each in readings for r in _centuries(each, evidence)), text.weekday)


def _in_order(text: DateText, evidence: Evidence) -> tuple[Written, ...]:
    usual = frozenset({text.usual_order} - {""})
    for orders in (evidence.orders, usual, evidence.query.orders):
        kept = tuple(r for r in text.readings if r.order in orders)
        if kept:
            return kept
    # The word order of "5 March" only settles a date that, read so, is the day it names.
    named = tuple(r for r in text.readings if r.order in evidence.query.days.get((r.month or 0, r.day or 0), ()))
    return named or text.readings


def _centuries(reading: Written, evidence: Evidence) -> tuple[Written, ...]:
    if not reading.short or reading.year is None:
        return (reading,)
    years = {1900 + reading.year, 2000 + reading.year}
    named = years & evidence.query.years
    if not named and evidence.today:
        first = evidence.today.year + _WINDOW - 99
        named = {first + (reading.year - first) % 100}
    return tuple(reading._replace(year=year, short=False) for year in sorted(named or years))


def _by_weekday(readings: tuple[Written, ...], weekday: int | None) -> tuple[Written, ...]:
    """The readings on the weekday that is written beside them; all of them where it fits none."""
    if weekday is None:
        return readings
    fitting = tuple(r for r in readings if not whole(r) or _date(r).weekday() == weekday)
    return fitting or readings


def whole(reading: Written) -> bool:
    """Whether year, month and day are all written."""
    return None not in {reading.year, reading.month, reading.day}


def _date(reading: Written) -> date:
    return date(reading.year or 1, reading.month or 1, reading.day or 1)


def contradicted(readings: tuple[Written, ...], weekday: int | None) -> bool:
    """Whether the weekday written beside a date is not that day's."""
    return weekday is not None and any(whole(r) and _date(r).weekday() != weekday for r in readings)


def nearest_years(month: int, day: int, evidence: Evidence) -> dict[str, int]:
    """The years a day without one may mean, seen from the clock; none without a clock."""
    today = evidence.today
    if today is None:
        return {}
    coming = today.year + ((month, day) < (today.month, today.day))
    years = {"coming": coming, "past": coming - 1}
    if evidence.direction == "past":
        return {"past": years["past"]} if (month, day) != (today.month, today.day) else years
    ahead = (coming - today.year) * 365 + (month - today.month) * 30 + day - today.day
    if evidence.direction == "future" or ahead <= _SOON.days:
        return {"coming": coming}
    return years
