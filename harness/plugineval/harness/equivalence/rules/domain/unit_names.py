"""Units as a value of their own: "km" and "kilometers" are one unit, "km" and "mi" are two.

A changed unit may go with a changed number elsewhere in the call; `unit_pairs` looks at both together.
"""

from plugineval.harness.equivalence.rules.domain.hints import hints
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.rulings import different, equal, unsure
from plugineval.harness.equivalence.rules.domain.units import unit_readings
from plugineval.harness.equivalence.verdicts import Place, Ruling
from plugineval.pccf.values import Json

_SYSTEMS = {
    "metric": "metric",
    "si": "metric",
    "imperial": "imperial",
    "us": "imperial",
    "customary": "imperial",
    "us customary": "imperial",
}


def rule(gold: Json, predicted: Json, place: Place) -> Ruling | None:
    """Two names of units, where the argument is a unit."""
    if not (isinstance(gold, str) and isinstance(predicted, str)) or Kind.UNIT not in hints(place):
        return None
    first, second = unit_readings(gold), unit_readings(predicted)
    if first and second:
        return _units(first, second)
    return _systems(gold.strip().casefold(), predicted.strip().casefold(), one_is_unit=bool(first or second))


def _units(gold: frozenset[str], predicted: frozenset[str]) -> Ruling:
    if gold == predicted:
        return equal("units.spelling", "two spellings of one unit")
    if not gold & predicted:
        return different("units.another", "another unit")
    return unsure("units.ambiguous", "one spelling stands for several units")


def _systems(gold: str, predicted: str, *, one_is_unit: bool) -> Ruling | None:
    first, second = _SYSTEMS.get(gold), _SYSTEMS.get(predicted)
    if first and second:
        if first != second:
            return different("units.system", "another system of units")
        return equal("units.system", "the same system of units", semantic=True)
    if (first or second) and one_is_unit:
        return unsure("units.system", "a system of units against one unit")
    return None
