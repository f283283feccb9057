"""Ranges of numbers in words and signs: "1-5", "1 to 5" and "between 1 and 5" are one range; "5+" is "at least 5"."""

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.domain.amounts import amounts
from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_N = r"(-?\d[\d,]*(?:\.\d+)?)"
_CLOSED = re.compile(
    rf"(?:from\s+|between\s+|\[\s*)?{_N}\s*(-|–|—|\.\.+|to|and|until|through|,)\s*{_N}\s*\]?(\D{{0,20}})", re.I
)
_FLOOR = re.compile(
    rf"(?:(>=|≥|at least|minimum(?: of)?|min\.?|from)\s*{_N}|{_N}\s*(?:\+|or more|and (?:up|above)))", re.I
)
_CEILING = re.compile(
    rf"(?:<=|≤|at most|maximum(?: of)?|max\.?|up to)\s*{_N}|{_N}\s*(?:or (?:less|fewer)|and below)", re.I
)
_ABOVE = re.compile(rf"(?:>|over|above|more than|greater than)\s*{_N}", re.I)
_BELOW = re.compile(rf"(?:<|under|below|less than|fewer than)\s*{_N}", re.I)
_LONGEST = 60


class Range(NamedTuple):
    """Bounds, None where open; `strict` excludes the one bound; `unit` is what follows the numbers."""

    low: Fraction | None
    high: Fraction | None
    strict: bool = False
    unit: str = ""
    worded: bool = False
    """Written in words or comparison signs, so that it cannot be a date, a score or a part number."""


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two ranges: by the argument, or because words or signs say so on one side."""
    if not (isinstance(gold, str) and isinstance(predicted, str)):
        return None
    first, second = read(gold), read(predicted)
    if first is None or second is None:
        return None
    if Kind.RANGE not in hints(place) and not (first.worded or second.worded):
        return None
    return _compare(first, second)


def _compare(gold: Range, predicted: Range) -> Ruling:
    if gold[:2] != predicted[:2]:
        return different("ranges.bounds", "other bounds")
    if gold.unit != predicted.unit:
        return unsure("ranges.unit", "a unit is named on one side only, or in another way")
    if gold.strict != predicted.strict:
        return different("ranges.strict", "the bound itself belongs to one range only")
    return equal("ranges.notation", "the same bounds")


@lru_cache(maxsize=4096)
def read(text: str) -> Range | None:
    """The range `text` spells; None where it is none."""
    body = text.strip()
    if len(body) > _LONGEST:
        return None
    closed = _CLOSED.fullmatch(body)
    if closed:
        low, high = _number(closed[1]), _number(closed[3])
        # "1,5" without brackets is a number, a pair or a list.
        if closed[2] == "," and not body.startswith(("[", "between")):
            return None
        return (
            Range(low, high, unit=closed[4].strip().casefold(), worded=closed[2].isalpha())
            if low is not None and high is not None
            else None
        )
    return _open(body)


def _open(body: str) -> Range | None:
    for pattern, is_low, strict in (
        (_FLOOR, True, False),
        (_CEILING, False, False),
        (_ABOVE, True, True),
        (_BELOW, False, True),
    ):
        found = pattern.fullmatch(body)
        bound = _number(next(group for group in reversed(found.groups()) if group)) if found else None
        if bound is not None:
            return Range(bound, None, strict, worded=True) if is_low else Range(None, bound, strict, worded=True)
    return None


def _number(text: str) -> Fraction | None:
    readings = amounts(text)
    return next(iter(readings)) if len(readings) == 1 else None
