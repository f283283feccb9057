"""A number and its unit in two arguments of one call: 5 with "km" is 5000 with "m", and 5 with "mi" is not.

Neither argument can be judged alone where the unit changed, so they are settled together, before the comparison of
single arguments.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.equivalence.rules.domain.amounts import exact
from plugineval.harness.equivalence.rules.domain.hints import hints, name_words
from plugineval.harness.equivalence.rules.domain.kinds import Kind
from plugineval.harness.equivalence.rules.domain.quantities import Quantity, compare
from plugineval.harness.equivalence.rules.domain.units import unit_readings
from plugineval.harness.equivalence.verdicts import CallContext, Place, Ruling
from plugineval.pccf.values import Arguments, Json

_NONE: frozenset[str] = frozenset()
_DURATIONS = {
    spelling: frozenset({unit})
    for unit, spellings in {
        "millisecond": "ms millisecond milliseconds",
        "second": "s sec secs second seconds",
        "minute": "min mins minute minutes",
        "hour": "h hr hrs hour hours",
        "day": "d day days",
        "week": "w wk week weeks",
    }.items()
    for spelling in spellings.split()
}
"""Lengths of time, which single values leave to the rules of time."""
_LENGTHS_OF_TIME = _NONE.union(*_DURATIONS.values())


class UnitPair(NamedTuple):
    """What two arguments say together, and the names of both."""

    number: str
    unit: str
    ruling: Ruling


def settle_pairs(gold: Arguments, predicted: Arguments, node: Node, context: CallContext) -> list[UnitPair]:
    """The (number, unit) pairs of one object whose unit changed, each with the ruling for both of its arguments.

    An omitted unit stands for its schema default (D13). Objects without an argument that names a unit cost one
    cached look at each name.
    """
    changed = [
        name
        for name in _unit_names(gold, predicted, node, context)
        if _unit(gold, name, node) != _unit(predicted, name, node)
    ]
    return [pair for name in changed for pair in _settled(gold, predicted, name, node)]


def _unit_names(gold: Arguments, predicted: Arguments, node: Node, context: CallContext) -> Iterator[str]:
    for name in dict.fromkeys((*gold, *predicted)):
        if _may_differ(gold.get(name), predicted.get(name)) and Kind.UNIT in hints(
            Place(node.property(name), name, context)
        ):
            yield name


def _may_differ(one: Json, other: Json) -> bool:
    """Whether the values may name two units: neither equal values nor two numbers do."""
    return one != other and (one is None or other is None or isinstance(one, str) or isinstance(other, str))


def _unit(arguments: Arguments, name: str, node: Node) -> frozenset[str]:
    value = arguments.get(name)
    if value is None:
        value = node.property(name).schema.get("default")
    return unit_readings(value) or _DURATIONS.get(value.strip().lower(), _NONE) if isinstance(value, str) else _NONE


def _settled(gold: Arguments, predicted: Arguments, name: str, node: Node) -> Iterator[UnitPair]:
    first, second = _unit(gold, name, node), _unit(predicted, name, node)
    number = _number_beside(gold, predicted, name)
    if number is None or not first or not second:
        return
    left, right = _magnitude(gold[number]), _magnitude(predicted[number])
    if left == right:
        # The unit alone changed: it is judged like any other argument.
        return
    ruling = compare(Quantity(left, first), Quantity(right, second))
    yield UnitPair(number, name, ruling._replace(temporal=bool((first | second) & _LENGTHS_OF_TIME)))


def _magnitude(value: Json) -> frozenset[Fraction]:
    return frozenset({exact(value)}) if isinstance(value, int | float) else frozenset()


def _number_beside(gold: Arguments, predicted: Arguments, unit: str) -> str | None:
    """The one numeric argument the unit belongs to: by a shared word in the name, or because it is the only one."""
    numeric = [name for name in gold if _is_number(gold[name]) and _is_number(predicted.get(name))]
    if len(numeric) > 1:
        words = name_words(unit)
        numeric = [name for name in numeric if name_words(name) & words]
    return numeric[0] if len(numeric) == 1 else None


def _is_number(value: Json) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)
