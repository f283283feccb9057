"""Numbers that mean a time only by their place: Unix timestamps, a count of a known unit, the number of a month."""

from datetime import UTC, datetime, timedelta
from fractions import Fraction

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


def as_length(number: int | float, traits: Traits) -> LengthText | None:
    """`number` in the place's unit; None where it names none."""
    return LengthText({"": of(Fraction(number), traits.unit)}, evident=False) if traits.unit else None


def as_moment(number: int | float, traits: Traits) -> Moment | None:
    """The instant of a timestamp in seconds or milliseconds, where the place takes instants."""
    return _timestamp(number) if traits.moment else None


def _timestamp(number: int | float) -> Moment | None:
    whole = int(number)
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
