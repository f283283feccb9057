"""The door: which readings two values share at a place, and what they say. Cheap for everything that is no time.

Texts are read once and kept; a place must speak of time, or the notation must be one nobody uses for anything else.
"""

import re
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.temporal.bare import as_length, as_moment, as_month, read_digits
from plugineval.harness.equivalence.rules.temporal.comparing import compare_lengths, compare_zones
from plugineval.harness.equivalence.rules.temporal.evidence import Evidence, evidence_at
from plugineval.harness.equivalence.rules.temporal.lengths import LengthText, read_length
from plugineval.harness.equivalence.rules.temporal.moments import Moment, read_moment
from plugineval.harness.equivalence.rules.temporal.points import compare_points
from plugineval.harness.equivalence.rules.temporal.ranges import (
    RangeText,
    compare_ranges,
    compare_with_point,
    read_range,
)
from plugineval.harness.equivalence.rules.temporal.traits import Traits, traits_of
from plugineval.harness.equivalence.rules.temporal.unread import against_unread
from plugineval.harness.equivalence.rules.temporal.words import SPEAKS_OF_TIME, normal
from plugineval.harness.equivalence.rules.temporal.zones import ZoneText, read_zone
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.pccf.values import Json

_LONGEST = 80
"""Characters; two full instants with offsets fit."""
_NUMBERS = (int, float)
_BASIC_OFFSET = re.compile(r"[+-]\d{4}")
_DECIMAL = re.compile(r"[+-]?\d+(?:\.\d+)?")


class Readings(NamedTuple):
    """Everything one text may be; at least one of them is given."""

    zone: ZoneText | None = None
    length: LengthText | None = None
    span: RangeText | None = None
    moment: Moment | None = None
    number: float | None = None
    """It is also just a number."""
    digits: Moment | None = None
    """What the bare number is where its partner is a time of day (1430), an instant (a timestamp) or a month (12)."""


def decide(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """The ruling on two values that mean a time; None where they, or the place, have nothing to do with time."""
    if isinstance(gold, str) and isinstance(predicted, str):
        return _texts(gold, predicted, place)
    if isinstance(gold, bool) or isinstance(predicted, bool):
        return None
    if isinstance(gold, _NUMBERS) and isinstance(predicted, _NUMBERS):
        return _numbers(gold, predicted, place)
    if isinstance(gold, _NUMBERS) and isinstance(predicted, str):
        return _number_and_text(gold, predicted, place)
    if isinstance(gold, str) and isinstance(predicted, _NUMBERS):
        return _number_and_text(predicted, gold, place)
    return None


@lru_cache(maxsize=16_384)
def read(text: str) -> Readings | None:
    """All readings of a text as a time; None where it has none."""
    plain = normal(text)
    if _DECIMAL.fullmatch(plain):
        return Readings(zone=_offset(plain), moment=read_moment(plain), number=float(plain), digits=read_digits(plain))
    zone = read_zone(plain)
    if not SPEAKS_OF_TIME.search(plain):
        return Readings(zone) if zone else None
    found = Readings(zone, read_length(plain), read_range(plain), read_moment(plain))
    return found if any(found) else None


def _offset(number: str) -> ZoneText | None:
    """+0200, which is also a number."""
    return read_zone(number) if _BASIC_OFFSET.fullmatch(number) else None


def _read(text: str) -> Readings | None:
    return read(text) if len(text) <= _LONGEST else None


def _texts(gold: str, predicted: str, place: Place) -> Ruling | None:
    if len(gold) > _LONGEST and len(predicted) > _LONGEST:
        return None
    left, right = _read(gold), _read(predicted)
    if left is None and right is None:
        return None
    traits = traits_of(place)
    if traits.never or "enum" in place.node.schema:
        return None
    if left is None or right is None:
        return _one_read(left or right, predicted if right is None else gold, place)
    if left.number is not None and right.number is not None and not traits.named:
        return None
    return _shared(_in_place(left, right, traits), _in_place(right, left, traits), traits, place)


def _in_place(readings: Readings, other: Readings, traits: Traits) -> Readings:
    """A bare number as the place's unit and its partner's kind make it; anything else as it is."""
    number = readings.number
    if number is None:
        return readings
    digits, partner = readings.digits, other.moment
    instant = digits is not None and digits.parts == (True, True)
    if digits and partner and other.number is None and (instant or digits.parts[1] == partner.parts[1]):
        readings = readings._replace(moment=digits)
    return readings._replace(length=as_length(number, traits))


def _shared(left: Readings, right: Readings, traits: Traits, place: Place) -> Ruling | None:
    """The ruling of the first kind that both texts are and the place, or the notation, vouches for."""
    if left.zone and right.zone and (traits.zone or (left.zone.evident and right.zone.evident)):
        return compare_zones(left.zone, right.zone)
    lengths = left.length and right.length and compare_lengths_at(left.length, right.length, traits)
    if lengths and traits.length:
        return lengths
    return _points_or_ranges(left, right, traits, place) or lengths or None


def compare_lengths_at(left: LengthText, right: LengthText, traits: Traits) -> Ruling | None:
    """The ruling on two lengths, where the place takes one or both can be nothing else."""
    if traits.length or traits.named or (left.evident and right.evident):
        return compare_lengths(left, right, traits.clock_length)
    return None


def _points_or_ranges(left: Readings, right: Readings, traits: Traits, place: Place) -> Ruling | None:
    evident = any(side.moment and side.moment.evident for side in (left, right))
    if not (traits.moment or evident or (left.span and right.span)):
        return None
    evidence = evidence_at(place)
    if left.span and right.span:
        return compare_ranges(left.span, right.span, evidence)
    if left.moment and right.moment:
        found = _two_points(left.moment, right.moment, evidence)
        return _doubted(found) if _undocumented(left, traits) or _undocumented(right, traits) else found
    return _range_and_point(left, right, evidence) or _range_and_point(right, left, evidence)


def _two_points(left: Moment, right: Moment, evidence: Evidence) -> Ruling | None:
    """Where the place says nothing of time, digits that happen to name the day of the other side prove nothing."""
    if not evidence.traits.moment and left.parts != right.parts:
        return None
    found = compare_points(left, right, evidence)
    return found if evidence.traits.moment or (left.evident and right.evident) else _doubted(found)


def _undocumented(readings: Readings, traits: Traits) -> bool:
    """Whether digits are taken for a timestamp that the place does not ask for."""
    digits = readings.digits
    return digits is not None and readings.moment is digits and digits.parts == (True, True) and not traits.epoch


def _doubted(found: Ruling | None) -> Ruling | None:
    if found is None or found.agreement is not Agreement.EQUAL:
        return found
    return Ruling(Agreement.UNSURE, "dates.perhaps", "one is a time, the other may be just digits", temporal=True)


def _range_and_point(first: Readings, second: Readings, evidence: Evidence) -> Ruling | None:
    return compare_with_point(first.span, second.moment, evidence) if first.span and second.moment else None


def _one_read(readings: Readings | None, other: str, place: Place) -> Ruling | None:
    if readings is None or readings.number is not None:
        return None
    return against_unread(readings.moment, readings.zone, other, place)


def _numbers(gold: int | float, predicted: int | float, place: Place) -> Ruling | None:
    """Two numbers are told apart by their values; this only knows that the difference is one of time."""
    if gold == predicted:
        return None
    traits = traits_of(place)
    if traits.never or not traits.calendar:
        return None
    if traits.epoch and max(gold, predicted) == 1000 * min(gold, predicted):
        return Ruling(Agreement.UNSURE, "epochs.unit", "the same instant in seconds and milliseconds", temporal=True)
    return Ruling(Agreement.DIFFERENT, "numbers.other_time", "another number where a time is asked for", temporal=True)


def _number_and_text(number: int | float, text: str, place: Place) -> Ruling | None:
    readings = _read(text)
    traits = traits_of(place)
    if readings is None or readings.number is not None or traits.never or "enum" in place.node.schema:
        return None
    length, moment = as_length(number, traits), _number_as_moment(number, readings, traits)
    if length and readings.length:
        return _coerced(compare_lengths(length, readings.length, traits.clock_length))
    if moment and readings.moment:
        return _coerced(compare_points(moment, readings.moment, evidence_at(place)))
    return None


def _number_as_moment(number: int | float, other: Readings, traits: Traits) -> Moment | None:
    found = as_moment(number, traits)
    if found is None and traits.named and isinstance(number, int):
        found = read_moment(str(number)) if number > 10**7 else None
        named = other.moment and other.moment.date and other.moment.date.readings[:1]
        if named and (named[0].year, named[0].day) == (None, None):
            found = as_month(number)
    return found


def _coerced(ruling: Ruling | None) -> Ruling | None:
    """Equal values of two JSON types are equal by coercion."""
    return ruling._replace(coerced=True) if ruling and ruling.agreement is Agreement.EQUAL else ruling
