"""Money: an amount with a currency, whose sign may belong to many currencies.

"$25.00" is 25 of some dollar; it is 25 USD where the query or the schema speaks of US dollars, else nobody knows.
"""

import re
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from plugineval.harness.equivalence.rules.domain.amounts import NUMBER, amounts, exact
from plugineval.harness.equivalence.rules.domain.currencies import currency_readings, spoken_currencies
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, overlap, unsure
from plugineval.harness.equivalence.verdicts import Agreement, Place, Ruling
from plugineval.pccf.values import Json

_MONEY = re.compile(
    rf"\s*([+\-−]?)\s*([^\d+\-−]{{0,30}}?)\s*({NUMBER})\s*(k|m|mn|million|b|bn|billion)?\b\s*(\D{{0,30}}?)\s*", re.I
)
_SCALES = {"k": 3, "m": 6, "b": 9}
_LONGEST = 60


class Money(NamedTuple):
    """A written sum: every amount and every currency it may stand for."""

    amounts: frozenset[Fraction]
    currencies: frozenset[str]


@lru_cache(maxsize=4096)
def read(text: str) -> Money | None:
    """The sum `text` spells; None where it names no currency."""
    found = _MONEY.fullmatch(text) if len(text) <= _LONGEST else None
    if found is None or bool(found[2]) == bool(found[5]):
        return None
    currencies = currency_readings(found[2] or found[5])
    scale = (-1 if found[1] in {"-", "−"} else 1) * 10 ** _SCALES.get((found[4] or " ")[0].lower(), 0)
    values = frozenset(scale * amount for amount in amounts(found[3]))
    return Money(values, currencies) if currencies and values else None


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two sums with a currency, or one and the bare number of an argument that names its currency."""
    first, second = _read(gold), _read(predicted)
    if first and second:
        return _compare(first, second, place)
    if first or second:
        return _with_bare(first or second, predicted if first else gold, place)
    return None


def _read(value: Json) -> Money | None:
    return read(value) if isinstance(value, str) else None


def _with_bare(money: Money | None, value: Json, place: Place) -> Ruling | None:
    values = _bare(value)
    if money is None or not values:
        return None
    if not money.amounts & values:
        return different("money.amount", "another amount")
    named = spoken_currencies(place.description) | _of_name(place.name)
    if money.amounts != values or not named:
        return unsure("money.currency_unknown", "one value names a currency and the other does not")
    ruling = _compare(money, Money(values, named), place)
    return ruling._replace(coerced=ruling.agreement is Agreement.EQUAL and not isinstance(value, str))


def _of_name(name: str) -> frozenset[str]:
    """`amount_usd` names its currency."""
    return spoken_currencies(name.rpartition("_")[2].upper())


def _bare(value: Json) -> frozenset[Fraction]:
    if isinstance(value, str):
        return amounts(value) if len(value) <= _LONGEST else frozenset()
    return frozenset({exact(value)}) if isinstance(value, int | float) and not isinstance(value, bool) else frozenset()


def _compare(gold: Money, predicted: Money, place: Place) -> Ruling:
    if not gold.amounts & predicted.amounts:
        # Sums in two currencies could only be compared at some day's rate.
        return different("money.amount", "another amount")
    if not gold.currencies & predicted.currencies:
        return different("money.currency", "another currency")
    if gold.amounts != predicted.amounts:
        return unsure("money.ambiguous", "a separator that marks thousands or decimals")
    if gold.currencies == predicted.currencies:
        return equal("money.spelling", "the same amount of the same currency")
    spoken = spoken_currencies(place.context.query)
    if overlap(gold.currencies & spoken, predicted.currencies & spoken) is Agreement.EQUAL:
        return equal("money.currency_of_query", "the query says which currency the sign means", semantic=True)
    return unsure("money.ambiguous", "a sign that several currencies share")
