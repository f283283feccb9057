"""What is the same to the letter: cheap, asked of every call first, and of every value before any rule.

A text is never looked into, and 1, 1.0 and true are three values.
"""

from collections.abc import Mapping, Sequence
from typing import TypeAlias

from plugineval.pccf.gold import Accepted, GoldCall
from plugineval.pccf.values import Arguments, Json

Gold: TypeAlias = Json | Accepted


def plainly_equal(gold: GoldCall, predicted: Arguments) -> bool:
    """Whether the calls are the same to the letter, alternatives included; no rule is asked."""
    accepted, arguments = gold.accepted, gold.arguments
    for name, value in predicted.items():
        if name in accepted:
            if not identical(accepted[name], value):
                return False
        elif name not in arguments or not identical(arguments[name], value):
            return False
    if len(predicted) == len(arguments) and not accepted:
        return True
    return all(name in predicted or accepted[name].omittable for name in accepted) and all(
        name in predicted or name in accepted for name in arguments
    )


def apart(gold: Mapping[str, Gold], predicted: Arguments) -> Sequence[str]:
    """The members that are not the same to the letter, in gold's order, and those beyond it behind."""
    names = [name for name, value in gold.items() if name not in predicted or not identical(value, predicted[name])]
    if len(predicted) > len(gold) - len(names):
        names += [name for name in predicted if name not in gold]
    return names


_CONTAINERS = frozenset({dict, list})


def identical(gold: Gold, predicted: Json) -> bool:
    """The same JSON value to the letter; cheap, and asked of every value first."""
    if type(gold) is Accepted:
        return _among(gold.values, predicted)
    if type(gold) is not type(predicted) or gold != predicted:
        return False
    if type(gold) not in _CONTAINERS:
        return True
    if isinstance(gold, dict) and isinstance(predicted, dict):
        # True == 1 in Python, and 1 == 1.0: the members are looked at one by one.
        return all(identical(value, predicted[key]) for key, value in gold.items())
    return not isinstance(gold, list) or not isinstance(predicted, list) or _same_items(gold, predicted)


def _same_items(gold: list[Json], predicted: list[Json]) -> bool:
    """Whether equal lists hold values of the same types; only containers need a closer look."""
    kinds = [*map(type, gold)]
    if kinds != [*map(type, predicted)]:
        return False
    return (list not in kinds and dict not in kinds) or all(map(identical, gold, predicted))


def _among(values: Sequence[Json], predicted: Json) -> bool:
    for value in values:  # noqa: SIM110 - the hottest loop of all, and a generator costs as much as its items
        if identical(value, predicted):
            return True
    return False
