"""Two points in time compared under every supposition that is still open; what all of them say is the ruling."""

from collections.abc import Iterator
from datetime import date, datetime, time, timedelta
from typing import NamedTuple, TypeAlias

from plugineval.harness.equivalence.rules.temporal.dates import Written
from plugineval.harness.equivalence.rules.temporal.evidence import Evidence, contradicted, narrowed, nearest_years
from plugineval.harness.equivalence.rules.temporal.moments import Moment
from plugineval.harness.equivalence.rules.temporal.spans import Span
from plugineval.harness.equivalence.rules.temporal.stamps import Stamp, agree, together
from plugineval.harness.equivalence.rules.temporal.zones import habits, offsets
from plugineval.harness.equivalence.verdicts import Agreement, Ruling

Key: TypeAlias = tuple[str, str]
"""What a stamp supposes of its date and of its clock."""
_NEVER = Span.day(date(1, 1, 1))
"""The day of a date whose weekday contradicts it: no other day."""
_SAMPLE = tuple(date(2026, 1, 1) + timedelta(days=step) for step in (0, 30, 58, 59, 100, 151, 208, 242, 303, 364, 789))
"""Todays of every weekday, with ends of months and a leap year among them."""


class Words(NamedTuple):
    """How a ruling on two points is worded."""

    same: str
    other: str


_WORDS = {
    (True, False): Words("dates.same_day", "dates.other_day"),
    (False, True): Words("times.same_time", "times.other_time"),
    (True, True): Words("moments.same_instant", "moments.other_instant"),
}


def compare_points(gold: Moment, predicted: Moment, evidence: Evidence) -> Ruling | None:
    """The ruling on two points in time; None where neither exists."""
    if gold.impossible or predicted.impossible:
        if gold.impossible and predicted.impossible:
            return None
        return Ruling(Agreement.DIFFERENT, "dates.no_such_time", "one of them is no time that exists", temporal=True)
    if evidence.today is None and (_relative(gold) or _relative(predicted)):
        return _without_clock(gold, predicted, evidence)
    return _worded(_agreement(gold, predicted, evidence), gold, predicted)


def _relative(moment: Moment) -> bool:
    return moment.relative is not None or moment.ahead is not None


def _without_clock(gold: Moment, predicted: Moment, evidence: Evidence) -> Ruling:
    if _relative(gold) and _relative(predicted):
        todays = (evidence._replace(today=today, offset=timedelta(0)) for today in _SAMPLE)
        found = together(_agreement(gold, predicted, supposed) for supposed in todays)
        if found is not Agreement.UNSURE:
            return _worded(found, gold, predicted)
    reason = f"`{gold.phrase or predicted.phrase}` depends on a day that the case does not give"
    return Ruling(Agreement.UNSURE, "dates.needs_clock", reason, temporal=True)


def _worded(found: Agreement, gold: Moment, predicted: Moment) -> Ruling:
    days, clocks = (a or b for a, b in zip(gold.parts, predicted.parts, strict=True))
    words = _WORDS.get((days, clocks), _WORDS[True, True])
    if found is Agreement.EQUAL:
        return Ruling(found, words.same, "the same point in time in another notation")
    if found is Agreement.DIFFERENT:
        return Ruling(found, words.other, "another point in time", temporal=True)
    topic = words.same.split(".", maxsplit=1)[0]
    return Ruling(found, f"{topic}.ambiguous", "the notation leaves open whether it is the same time", temporal=True)


def _agreement(gold: Moment, predicted: Moment, evidence: Evidence) -> Agreement:
    left = stamps(gold, evidence, years=years_of(predicted, evidence) if _yearless(gold) else frozenset())
    right = stamps(predicted, evidence, years=years_of(gold, evidence) if _yearless(predicted) else frozenset())
    found = [agree(left[a], right[b], evidence) for a, b in _together(left, right)]
    return together(found) if found else Agreement.UNSURE


def _together(left: dict[Key, Stamp], right: dict[Key, Stamp]) -> Iterator[tuple[Key, Key]]:
    """Pairs of suppositions that can hold at once: one tool reads 3/4 one way, on both sides."""
    shared = [_shared({key[side] for key in left}, {key[side] for key in right}) for side in (0, 1)]
    for a in left:
        for b in right:
            if all(a[side] == b[side] and a[side] in shared[side] for side in (0, 1) if shared[side]):
                yield a, b


def _shared(left: set[str], right: set[str]) -> set[str]:
    return left & right if len(left) > 1 and len(right) > 1 else set()


def _yearless(moment: Moment) -> bool:
    return moment.date is not None and any(r.year is None and r.fixed is None for r in moment.date.readings)


def years_of(moment: Moment, evidence: Evidence) -> frozenset[int]:
    """The years a point in time names, for a partner that names none."""
    readings = narrowed(moment.date, evidence) if moment.date else ()
    fixed = {reading.fixed.first.year for reading in readings if reading.fixed}
    return frozenset(reading.year for reading in readings if reading.year is not None) | fixed


def stamps(moment: Moment, evidence: Evidence, *, years: frozenset[int]) -> dict[Key, Stamp]:
    """What `moment` may mean, by supposition; needs a clock where it is relative to one."""
    if moment.ahead is not None:
        return {("", ""): _after_clock(moment.ahead, evidence)}
    days: dict[str, Span | None] = {**_days(moment, evidence, years)}
    times = _clocks(moment)
    return {(d, t): _stamp(moment, span, clock) for d, span in days.items() for t, clock in times.items()}


def _clocks(moment: Moment) -> dict[str, time | None]:
    if moment.clock is None:
        return {"": None}
    if moment.clock.next_day and not moment.parts[0]:
        # 24:00 of no day is the end of one: midnight, but not surely the 0:00 that begins it.
        return {"begins": time.min, "ends": time.max}
    return {**moment.clock.times}


def _after_clock(ahead: timedelta, evidence: Evidence) -> Stamp:
    start = evidence.now or datetime.combine(evidence.today or date.min, time(12))
    then = start.replace(tzinfo=None) + ahead
    known = None if evidence.offset is None else frozenset({evidence.offset})
    return Stamp(Span.day(then.date()), then.time(), known)


def _stamp(moment: Moment, span: Span | None, clock: time | None) -> Stamp:
    if moment.clock is not None and moment.clock.next_day and span is not None and span.last < date.max:
        span = Span.day(span.first + timedelta(days=1))
    stamp = Stamp(span, clock)
    if moment.zone is None or clock is None:
        return stamp
    known = habits(moment.zone) if span is None else offsets(moment.zone, stamp.wall)
    return stamp._replace(offsets=known)


def _days(moment: Moment, evidence: Evidence, years: frozenset[int]) -> dict[str, Span | None]:
    if moment.relative is not None:
        return {**_directed(moment.relative(evidence.today or date.min), evidence.direction)}
    if moment.date is None:
        return {"": None}
    readings = narrowed(moment.date, evidence)
    found: dict[str, Span | None] = {}
    for reading in readings:
        found |= _of_reading(reading, evidence, years)
    return found | ({"contradicted": _NEVER} if contradicted(readings, moment.date.weekday) else {})


def _directed(readings: dict[str, Span], direction: str) -> dict[str, Span]:
    if not {"coming", "past"} <= readings.keys() or not direction:
        return readings
    dropped = {"past"} if direction == "future" else {"coming"}
    return {name: span for name, span in readings.items() if name not in dropped}


def _of_reading(reading: Written, evidence: Evidence, years: frozenset[int]) -> dict[str, Span]:
    if reading.fixed is not None:
        return {"": reading.fixed}
    if reading.year is not None:
        named = {str(reading.year): reading.year}
    else:
        named = nearest_years(reading.month or 1, reading.day or 1, evidence) or _open_years(years)
    spans = ((f"{reading.order} {name}", _whole(reading, year)) for name, year in named.items())
    return {name: span for name, span in spans if span is not None}


def _open_years(years: frozenset[int]) -> dict[str, int]:
    """The partner's year and another: without a clock a day without a year may be of any."""
    if not years:
        return {"any": 2000}
    return {str(year): year for year in years} | {"other": max(years) + 400}


def _whole(reading: Written, year: int) -> Span | None:
    try:
        if reading.month is None:
            return Span.months(year, 1, 12)
        month = Span.months(year, reading.month)
        return month if reading.day is None else Span.day(month.first.replace(day=reading.day))
    except ValueError:
        return None
