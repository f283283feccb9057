"""Quantities: a number with a unit, the same amount in any unit of its dimension.

The bare number of an argument that names its unit (`distance_km`) is a quantity too. The same number with another
unit is another amount. Conversions that agree only after rounding are unsure: nobody knows how far the tool rounds.
"""

import re
from fractions import Fraction
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from plugineval.harness.equivalence.rules.domain.amounts import NUMBER, amounts, exact
from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.named_units import unit_of
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.rules.domain.units import measure, unit_readings
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.pccf.values import Json

_QUANTITY = re.compile(rf"\s*({NUMBER})\s*(\D.{{0,39}}?)\s*")
_FEET = re.compile(r"\s*(\d+)\s*(?:'|′|ft\.?|foot|feet)\s*(\d+(?:\.\d+)?)\s*(?:\"|″|''|in\.?|inch|inches)?\s*")
_LONGEST = 60
_FLOAT_NOISE = Fraction(1, 10**9)
_ROUNDING = Fraction(2, 100)
_KELVIN_ROUNDING = Fraction(6, 10)


class Quantity(NamedTuple):
    """A written quantity: every amount and every unit it may stand for."""

    magnitudes: frozenset[Fraction]
    units: frozenset[str]


@lru_cache(maxsize=4096)
def read(text: str) -> Quantity | None:
    """The quantity `text` spells; None where it is none."""
    if len(text) > _LONGEST:
        return None
    tall = _FEET.fullmatch(text)
    if tall:
        return Quantity(frozenset({Fraction(tall[1]) + Fraction(tall[2]) / 12}), frozenset({"foot"}))
    found = _QUANTITY.fullmatch(text)
    units = unit_readings(found[2]) if found else frozenset[str]()
    magnitudes = amounts(found[1]) if found else frozenset[Fraction]()
    return Quantity(magnitudes, units) if units and magnitudes else None


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two quantities, or a quantity and the bare number of an argument that names its unit."""
    texts = [read(value) if isinstance(value, str) else None for value in (gold, predicted)]
    first, second = texts
    if first and second:
        return compare(first, second)
    if first or second:
        return _with_bare(first or second, predicted if first else gold, place)
    return None


def _with_bare(quantity: Quantity | None, value: Json, place: Place) -> Ruling | None:
    magnitudes = _bare(value)
    if quantity is None or not magnitudes:
        return None
    unit = unit_of(place)
    if not unit and not hints(place) & {Kind.QUANTITY, Kind.UNIT}:
        # "20K" and "1st" are no quantities where nothing is measured.
        return None
    if not unit:
        return unsure(
            "quantities.unit_unknown", "one value names a unit and nothing says which unit the bare number has"
        )
    ruling = compare(quantity, Quantity(magnitudes, unit))
    return ruling._replace(coerced=ruling.agreement is Agreement.EQUAL and not isinstance(value, str))


def _bare(value: Json) -> frozenset[Fraction]:
    if isinstance(value, str):
        return amounts(value) if len(value) <= _LONGEST else frozenset()
    return frozenset({exact(value)}) if isinstance(value, int | float) and not isinstance(value, bool) else frozenset()


def compare(gold: Quantity, predicted: Quantity) -> Ruling:
    """Whether two quantities are the same amount under every reading, under none, or under some."""
    if gold.units == predicted.units:
        return _same_unit(gold, predicted)
    closeness = {
        _closeness((m, u), (n, v))
        for m, u, n, v in product(gold.magnitudes, gold.units, predicted.magnitudes, predicted.units)
    }
    if closeness == {Agreement.EQUAL}:
        return equal("quantities.conversion", "the same amount in another unit", semantic=True)
    if closeness == {Agreement.DIFFERENT}:
        return different("quantities.amount", "another amount or another dimension")
    return unsure("quantities.ambiguous", "equal only after rounding or under one reading of the unit")


def _same_unit(gold: Quantity, predicted: Quantity) -> Ruling:
    if not gold.magnitudes & predicted.magnitudes:
        return different("quantities.amount", "another number of the same unit")
    if gold.magnitudes == predicted.magnitudes:
        return equal("quantities.spelling", "the same number of the same unit")
    return unsure("quantities.ambiguous", "a separator that marks thousands or decimals")


def _closeness(gold: tuple[Fraction, str], predicted: tuple[Fraction, str]) -> Agreement:
    first, second = measure(*gold), measure(*predicted)
    if first.dimension != second.dimension:
        return Agreement.DIFFERENT
    gap, size = abs(first.amount - second.amount), max(abs(first.amount), abs(second.amount))
    if gap <= size * _FLOAT_NOISE:
        return Agreement.EQUAL
    rounding = _KELVIN_ROUNDING if "temperature" in first.dimension else size * _ROUNDING
    return Agreement.UNSURE if gap <= rounding else Agreement.DIFFERENT
