"""A text as a point in time: a day, a time of day, or both with a zone, in whatever order they are written."""

import re
from collections.abc import Iterator
from datetime import timedelta
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.temporal.clocks import ClockText, read_clock
from plugineval.harness.equivalence.rules.temporal.dates import DateText, read_date
from plugineval.harness.equivalence.rules.temporal.lengths import read_length
from plugineval.harness.equivalence.rules.temporal.relatives import Resolve, read_relative
from plugineval.harness.equivalence.rules.temporal.zones import ZoneText, read_zone


class Moment(NamedTuple):
    """What is written; at least one of the first four is given."""

    date: DateText | None = None
    relative: Resolve | None = None
    clock: ClockText | None = None
    ahead: timedelta | None = None
    """So long after the clock (before it, if negative)."""
    zone: ZoneText | None = None
    phrase: str = ""
    """The words that are relative to the clock."""

    @property
    def evident(self) -> bool:
        """Whether it can hardly mean anything but a time."""
        return bool((self.date and self.date.evident) or (self.clock and self.clock.evident))

    @property
    def impossible(self) -> bool:
        """Whether it is written like a time that does not exist: 2026-02-30, 25:70."""
        return bool((self.date and not self.date.readings) or (self.clock and not self.clock.times))

    @property
    def parts(self) -> tuple[bool, bool]:
        """Whether it says a day, and a time of day."""
        return self.date is not None or self.relative is not None, self.clock is not None


_SEPARATOR = re.compile(r"(?<=\d)t(?=\d)|[\s,]+(?:(?:at|on|@)\s+)?|(?<=\d)-(?=\d{1,2}:)|(?<=\d):(?=\d{2}:\d{2}:)")
_BRACKETS = re.compile(r"(?<=\S)\s*[\[(]([^\])]+)[\])]$")
_ZONE_SUFFIX = re.compile(r"(?<=[\dm])\s*(z|(?:utc|gmt)?\s*[+-]\d{1,2}(?::?\d{2})?)$")
_AHEAD = re.compile(r"(?:in (?P<in>.+?)(?: time)?|(?P<from>.+) (?:from now|later|ahead)|(?P<ago>.+) ago)")
_DIGITS = re.compile(r"((?:19|20)\d{6})(\d{4}|\d{6})")


@lru_cache(maxsize=16_384)
def read_moment(text: str) -> Moment | None:
    """The point in time that `text` (in normal spelling) writes; None for anything else."""
    written = read_date(text)
    if written is not None:
        return Moment(date=written)
    relative = read_relative(text)
    if relative is not None:
        return Moment(relative=relative, phrase=text)
    return _with_clock(text) or _ahead(text)


def _with_clock(text: str) -> Moment | None:
    found = _clock_and_zone(text)
    if found is not None:
        return found
    digits = _DIGITS.fullmatch(text)
    if digits:
        return _joined(digits[1], digits[2], loose=True)
    for head, tail, separator in _halves(text):
        joined = _joined(head, tail, loose=separator == "t") or _joined(tail, head, loose=False)
        if joined is not None:
            return joined
    return None


def _halves(text: str) -> Iterator[tuple[str, str, str]]:
    for found in _SEPARATOR.finditer(text):
        yield text[: found.start()], text[found.end() :], found[0]


def _joined(day: str, clock: str, *, loose: bool) -> Moment | None:
    """`loose`: a time of digits alone (1500) counts, because what stands between says it is one."""
    timed = _clock_and_zone(clock)
    if timed is None or timed.clock is None or not (loose or timed.clock.evident or ":" in clock):
        return None
    written = read_date(day)
    if written is not None:
        return timed._replace(date=written)
    relative = read_relative(day)
    return timed._replace(relative=relative, phrase=day) if relative is not None else None


def _clock_and_zone(text: str) -> Moment | None:
    clock = read_clock(text)
    if clock is not None:
        return Moment(clock=clock)
    plain = _BRACKETS.sub("", text) if _ZONE_SUFFIX.search(_BRACKETS.sub("", text)) else _BRACKETS.sub(r" \1", text)
    for head, tail in _before_zone(plain):
        clock, zone = read_clock(head), read_zone(tail)
        if clock is not None and zone is not None:
            return Moment(clock=clock, zone=zone)
    return None


def _before_zone(text: str) -> Iterator[tuple[str, str]]:
    found = _ZONE_SUFFIX.search(text)
    if found:
        yield text[: found.start()], found[1].strip()
    for gap in re.finditer(r"\s+", text):
        yield text[: gap.start()], text[gap.end() :]


def _ahead(text: str) -> Moment | None:
    if text in {"now", "right now"}:
        return Moment(ahead=timedelta(0), phrase=text)
    found = _AHEAD.fullmatch(text)
    if found is None:
        return None
    read = read_length(found["in"] or found["from"] or found["ago"])
    length = read.readings.get("") if read else None
    if length is None or length.months:
        return None
    try:
        ahead = timedelta(seconds=float(length.seconds))
    except OverflowError:
        return None
    return Moment(ahead=-ahead if found["ago"] else ahead, phrase=text)
