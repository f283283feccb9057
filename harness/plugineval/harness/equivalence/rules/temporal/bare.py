"""Numbers that mean a time only by their place: Unix timestamps, a count of a known unit, the number of a month."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction
from math import isfinite

from plugineval.harness.equivalence.rules.temporal.clocks import ClockText, read_clock
from plugineval.harness.equivalence.rules.temporal.dates import DateText, Written
from plugineval.harness.equivalence.rules.temporal.lengths import LengthText, of
from plugineval.harness.equivalence.rules.temporal.moments import Moment
from plugineval.harness.equivalence.rules.temporal.spans import Span
from plugineval.harness.equivalence.rules.temporal.traits import Traits
from plugineval.harness.equivalence.rules.temporal.zones import ZoneText

_SECONDS = range(10**8, 10**10)
_MILLISECONDS = range(10**11, 10**13)
"""Magnitudes of timestamps between 1973 and the 23rd century; smaller numbers are no timestamps."""


_POSSIBLE_UNITS = ("millisecond", "second", "minute", "hour", "day")


def as_length(number: int | float, traits: Traits) -> LengthText | None:
    """`number` in the place's unit, or in every usual one where a length is asked for without naming it."""
    units = (traits.unit,) if traits.unit else _POSSIBLE_UNITS if traits.length else ()
    if not units or not isfinite(number):
        return None
    return LengthText({unit: of(Fraction(number), unit) for unit in units}, evident=False)


def as_moment(number: int | float, traits: Traits) -> Moment | None:
    """The instant of a timestamp in seconds or milliseconds, where the place asks for one."""
    return _timestamp(number) if traits.moment and traits.epoch else None


def _timestamp(number: int | float) -> Moment | None:
    whole = int(number) if isfinite(number) else 0
    if whole in _MILLISECONDS:
        return _instant(timedelta(milliseconds=number))
    return _instant(timedelta(seconds=number)) if whole in _SECONDS else None


def read_digits(text: str) -> Moment | None:
    """What digits alone are beside a partner written in full: 1430 a time of day, 12 a month, ten digits an instant."""
    if not text.isdecimal():
        return None
    if len(text) == 4:
        clock = read_clock(text)
        return Moment(clock=clock) if clock and clock.times else None
    return as_month(int(text)) or _timestamp(int(text))


def as_month(number: int | float) -> Moment | None:
    """A month of any year by its number."""
    if number not in range(1, 13):
        return None
    return Moment(date=DateText((Written("", month=int(number)),), evident=False))


def _instant(since: timedelta) -> Moment:
    found = datetime(1970, 1, 1, tzinfo=UTC) + since
    day = DateText((Written("", fixed=Span.day(found.date())),), evident=True)
    return Moment(date=day, clock=ClockText({"": found.time()}, evident=True), zone=ZoneText(offset=timedelta(0)))
