"""A point in time made definite, and how two of them agree: days as stretches, times of day, and instants."""

from collections.abc import Iterable
from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from plugineval.harness.equivalence.rules.temporal.evidence import Evidence
from plugineval.harness.equivalence.rules.temporal.spans import Span
from plugineval.harness.equivalence.verdicts import Agreement

_A_DAY = timedelta(days=1)
_SOME_DAY = date(2026, 1, 15)


class Stamp(NamedTuple):
    """Days, time of day, and the offsets from UTC it may have; None where it says nothing of them."""

    span: Span | None
    clock: time | None = None
    offsets: frozenset[timedelta] | None = None

    @property
    def wall(self) -> datetime:
        """What calendar and clock on the wall show."""
        return datetime.combine(self.span.first if self.span else _SOME_DAY, self.clock or time(0))


def together(found: Iterable[Agreement]) -> Agreement:
    """What several suppositions say together: unsure unless they all say the same."""
    kinds = set(found)
    return kinds.pop() if len(kinds) == 1 else Agreement.UNSURE


def agree(first: Stamp, second: Stamp, evidence: Evidence) -> Agreement:
    """Whether two stamps are the same point in time, symmetric in them."""
    if first.clock is None and second.clock is None:
        return _spans(first.span, second.span)
    if first.clock is None or second.clock is None:
        day, full = (first, second) if first.clock is None else (second, first)
        return _day_and_time(day, full, evidence)
    if first.span is None or second.span is None:
        return _times(first, second, evidence)
    return _instants(first, second, evidence)


def _spans(first: Span | None, second: Span | None) -> Agreement:
    if first is None or second is None:
        return Agreement.UNSURE
    if first == second:
        return Agreement.EQUAL
    # A month may stand for its first day where a day is asked for, never for its fifteenth.
    return Agreement.UNSURE if first.first == second.first else Agreement.DIFFERENT


def _day_and_time(day: Stamp, full: Stamp, evidence: Evidence) -> Agreement:
    if full.span is None or day.span is None:
        return Agreement.DIFFERENT
    midnight = full.clock == time(0)
    if day.span == full.span:
        if evidence.traits.day_only:
            return Agreement.EQUAL if midnight else Agreement.UNSURE
        return Agreement.UNSURE if midnight else Agreement.DIFFERENT
    local = _local_days(full, evidence)
    return Agreement.UNSURE if day.span.single and day.span.first in local else Agreement.DIFFERENT


def _local_days(full: Stamp, evidence: Evidence) -> set[date]:
    """The days on which an instant falls where the clock hangs."""
    if full.offsets is None or evidence.offset is None:
        return set()
    try:
        return {(full.wall - offset + evidence.offset).date() for offset in full.offsets}
    except OverflowError:
        return set()


def _times(first: Stamp, second: Stamp, evidence: Evidence) -> Agreement:
    same = _instants(first._replace(span=None), second._replace(span=None), evidence, modulo=_A_DAY)
    if (first.span is None) == (second.span is None) or same is Agreement.DIFFERENT:
        return same
    return Agreement.UNSURE


def _instants(first: Stamp, second: Stamp, evidence: Evidence, *, modulo: timedelta = timedelta.max) -> Agreement:
    if first.offsets is None and second.offsets is None:
        return Agreement.EQUAL if first.wall == second.wall else Agreement.DIFFERENT
    left = first.offsets or _supposed(second.offsets, evidence)
    right = second.offsets or _supposed(first.offsets, evidence)
    if first.offsets == second.offsets and first.wall == second.wall:
        return Agreement.EQUAL
    apart = (first.wall - second.wall - a + b for a in left for b in right)
    found = together(Agreement.EQUAL if gap % modulo == timedelta(0) else Agreement.DIFFERENT for gap in apart)
    guessed = (first.offsets is None) != (second.offsets is None) and not evidence.settles_offsets
    return Agreement.UNSURE if guessed and found is Agreement.EQUAL else found


def _supposed(other: frozenset[timedelta] | None, evidence: Evidence) -> frozenset[timedelta]:
    """The offsets a time without one may have beside one that has: documented UTC, else the clock's or the other's."""
    if evidence.traits.utc:
        return frozenset({timedelta(0)})
    known: set[timedelta] = set() if evidence.offset is None else {evidence.offset}
    return frozenset(known | set(other or ()))
