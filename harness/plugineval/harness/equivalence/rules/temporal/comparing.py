"""Lengths of time and time zones compared."""

from datetime import timedelta

from plugineval.harness.equivalence.rules.temporal.lengths import Length, LengthText
from plugineval.harness.equivalence.rules.temporal.stamps import together
from plugineval.harness.equivalence.rules.temporal.zones import ZoneText, habits, merged, zones_by_abbreviation
from plugineval.harness.equivalence.verdicts import Agreement, Ruling


def compare_lengths(gold: LengthText, predicted: LengthText, documented: str) -> Ruling:
    """Two lengths under every convention that is open; `documented` names the one for 1:30, if any."""
    left, right = _narrowed(gold.readings, documented), _narrowed(predicted.readings, documented)
    shared = left.keys() & right.keys() if len(left) > 1 and len(right) > 1 else set[str]()
    found = together(_lengths(left[a], right[b]) for a in left for b in right if not shared or a == b)
    if found is Agreement.EQUAL:
        return Ruling(found, "durations.same_length", "the same length of time")
    if found is Agreement.DIFFERENT:
        return Ruling(found, "durations.other_length", "another length of time", temporal=True)
    return Ruling(found, "durations.ambiguous", "the same length under one reading only", temporal=True)


def _narrowed(readings: dict[str, Length], documented: str) -> dict[str, Length]:
    return {documented: readings[documented]} if documented in readings else readings


def _lengths(first: Length, second: Length) -> Agreement:
    if first == second:
        return Agreement.EQUAL
    if first.months == second.months:
        return Agreement.DIFFERENT
    (fewest, most), (least, longest) = first.extent(), second.extent()
    return Agreement.UNSURE if fewest <= longest and least <= most else Agreement.DIFFERENT


def compare_zones(gold: ZoneText, predicted: ZoneText) -> Ruling:
    """Two zones: the same by name, by fixed offset, or open."""
    found = _zones(gold, predicted)
    if found is Agreement.EQUAL:
        return Ruling(found, "zones.same_zone", "the same time zone by another name")
    if found is Agreement.DIFFERENT:
        return Ruling(found, "zones.other_zone", "another time zone", temporal=True)
    return Ruling(found, "zones.ambiguous", "the same offset at some times, not surely the same zone", temporal=True)


def _zones(first: ZoneText, second: ZoneText) -> Agreement:
    if first.name is not None and second.name is not None:
        return _names(first, second)
    if first._replace(written="") == second._replace(written=""):
        return Agreement.EQUAL
    if first.abbreviation is not None and second.abbreviation is not None:
        known = zones_by_abbreviation()
        common = known[first.abbreviation].keys() & known[second.abbreviation].keys()
        return Agreement.UNSURE if common else Agreement.DIFFERENT
    return _by_offsets(first, second)


def _names(first: ZoneText, second: ZoneText) -> Agreement:
    if first.name != second.name:
        return Agreement.DIFFERENT
    return Agreement.UNSURE if merged(first, second) else Agreement.EQUAL


def _by_offsets(first: ZoneText, second: ZoneText) -> Agreement:
    left, right = habits(first), habits(second)
    if not left & right or _stranger(first, second) or _stranger(second, first):
        return Agreement.DIFFERENT
    # Places that keep Greenwich time all year are not UTC; elsewhere a place without summer time is its offset.
    settled = left == right and len(left) == 1 and timedelta(0) not in left
    return Agreement.EQUAL if settled and None in {first.abbreviation, second.abbreviation} else Agreement.UNSURE


def _stranger(abbreviated: ZoneText, named: ZoneText) -> bool:
    """Whether a place does not use the abbreviation."""
    if abbreviated.abbreviation is None or named.name is None:
        return False
    return not {named.name, named.written} & zones_by_abbreviation()[abbreviated.abbreviation].keys()
