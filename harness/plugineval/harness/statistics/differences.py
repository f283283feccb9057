"""The difference of two rates with its 95 % interval, by Newcombe's square-and-add of the rates' own intervals (D11).

Unpaired it is his method 10 of 1998 (Statistics in Medicine 17, 873); with the correlation of the two it is his paired
method 10 (ibid. 17, 2635). The rates' intervals may be clustered by case, and the difference then is too.
"""

from math import sqrt

from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value


class Difference(Value):
    """`first - second`, as a share: 0.03 is three percentage points."""

    value: float
    low: float
    high: float

    @property
    def excludes_zero(self) -> bool:
        """Whether no difference is outside the interval."""
        return self.low > 0 or self.high < 0


def difference(first: Rate, second: Rate, *, correlation: float = 0.0) -> Difference | None:
    """The difference of two rates, `correlation` in [-1, 1] where both are of the same cases; None without a rate."""
    if first.value is None or second.value is None:
        return None
    value = first.value - second.value
    down = _add(first.value - _low(first), _high(second) - second.value, correlation)
    up = _add(_high(first) - first.value, second.value - _low(second), correlation)
    return Difference(value=value, low=max(-1.0, value - down), high=min(1.0, value + up))


def _add(one: float, other: float, correlation: float) -> float:
    return sqrt(max(0.0, one * one - 2 * correlation * one * other + other * other))


def _low(rate: Rate) -> float:
    return 0.0 if rate.low is None else rate.low


def _high(rate: Rate) -> float:
    return 1.0 if rate.high is None else rate.high
