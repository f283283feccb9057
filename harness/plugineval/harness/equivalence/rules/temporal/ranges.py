"""Stretches between two points in time, written as one text: 2024-03-01/2024-03-05, 1-5 May 2026, 9am to 5pm."""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.temporal.dates import read_date
from plugineval.harness.equivalence.rules.temporal.evidence import Evidence
from plugineval.harness.equivalence.rules.temporal.lengths import LengthText, read_length
from plugineval.harness.equivalence.rules.temporal.moments import Moment, read_moment
from plugineval.harness.equivalence.rules.temporal.points import compare_points
from plugineval.harness.equivalence.rules.temporal.words import MONTH
from plugineval.harness.equivalence.verdicts import Agreement, Ruling


class RangeText(NamedTuple):
    """Start and end; an ISO interval may give the length instead of the end."""

    start: Moment
    end: Moment | None
    length: LengthText | None = None


_FRAME = re.compile(r"^(?:from|between)\s+")
_BETWEEN = re.compile(r"\s+(?:to|until|till|through|thru|and|-)\s+|\s*\.\.+\s*|/|--|(?<=[\dm])-(?=\d)|\s-|-\s")
_ONE_MONTH = re.compile(rf"(?P<a>\d{{1,2}})\s*(?:-|to)\s*(?P<b>\d{{1,2}})\s+(?P<rest>(?:of\s+)?{MONTH}\b.*)")
_MONTH_FIRST = re.compile(rf"(?P<m>{MONTH})\s+(?P<a>\d{{1,2}})\s*(?:-|to)\s*(?P<b>\d{{1,2}})(?P<rest>,?\s+\d{{4}})?")
_SHORTEST = 3
"""Fewer characters are no end of a range, unless they can be nothing but a time."""


@lru_cache(maxsize=16_384)
def read_range(text: str) -> RangeText | None:
    """The range `text` (in normal spelling) writes; None for anything else."""
    if read_date(text) is not None:
        return None
    plain = _FRAME.sub("", text)
    for start, end in _ends(plain):
        first, last = read_moment(start), read_moment(end)
        if first is None or _bare(first, start):
            continue
        if last is not None and not _bare(last, end) and first.parts == last.parts:
            return RangeText(first, last)
        length = read_length(end) if end.startswith("p") else None
        if length is not None:
            return RangeText(first, None, length)
    return None


def _ends(text: str) -> Iterator[tuple[str, str]]:
    found = _ONE_MONTH.fullmatch(text)
    if found:
        yield f"{found['a']} {found['rest']}", f"{found['b']} {found['rest']}"
    found = _MONTH_FIRST.fullmatch(text)
    if found:
        month, rest = found["m"], found["rest"] or ""
        yield f"{month} {found['a']}{rest}", f"{month} {found['b']}{rest}"
    for split in _BETWEEN.finditer(text):
        yield text[: split.start()], text[split.end() :]


def _bare(moment: Moment, text: str) -> bool:
    return len(text) < _SHORTEST and not moment.evident


def compare_ranges(gold: RangeText, predicted: RangeText, evidence: Evidence) -> Ruling | None:
    """Start against start and end against end."""
    found = [compare_points(gold.start, predicted.start, evidence)]
    if gold.end is not None and predicted.end is not None:
        found.append(compare_points(gold.end, predicted.end, evidence))
    elif gold.length != predicted.length:
        found.append(Ruling(Agreement.UNSURE, "ranges.end", "one gives its end and one its length", temporal=True))
    for agreement in (Agreement.DIFFERENT, Agreement.UNSURE):
        for ruling in found:
            if ruling is not None and ruling.agreement is agreement:
                return ruling
    return found[0] and found[0]._replace(rule="ranges.same_ends", reason="the same start and end")


def compare_with_point(found: RangeText, point: Moment, evidence: Evidence) -> Ruling:
    """A stretch of time against a point or a named period: only a period that starts with it may be the same."""
    start = compare_points(found.start, point, evidence)
    if start is not None and start.agreement is Agreement.DIFFERENT:
        return Ruling(Agreement.DIFFERENT, "ranges.other_time", "a range that starts at another time", temporal=True)
    return Ruling(Agreement.UNSURE, "ranges.ambiguous", "a range against one point or period", temporal=True)
