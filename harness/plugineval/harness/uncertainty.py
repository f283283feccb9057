"""How sure a rate is: its numerator and denominator always beside it, and a 95 % interval (X10, D11).

The interval is Wilson's (Wilson 1927, equation 4). Repeats of one case are not independent. `Rate.of` takes n as the
number of cases behind the rate, not of attempts: wider than the truth where repeats do differ, never narrower.
`Rate.clustered` takes n from how much the repeats of one case really agree.
"""

from math import sqrt
from typing import NamedTuple

from plugineval.pccf.values import Value

Z95 = 1.959963984540054
"""Two-sided 95 % point of the normal distribution."""


class Interval(NamedTuple):
    """Lower and upper bound, in [0, 1]."""

    low: float
    high: float


class Rate(Value):
    """`numerator` of `denominator` attempts; without attempts there is no value."""

    numerator: int
    denominator: int
    value: float | None
    low: float | None = None
    high: float | None = None

    @classmethod
    def of(cls, numerator: int, denominator: int, *, repeats: int = 1) -> "Rate":
        """The rate over attempts of which every case gave up to `repeats`."""
        return cls.clustered(numerator, denominator, effective=denominator / repeats)

    @classmethod
    def clustered(cls, numerator: int, denominator: int, *, effective: float) -> "Rate":
        """The rate over attempts that are worth `effective` independent ones."""
        if denominator == 0:
            return cls(numerator=numerator, denominator=0, value=None)
        share = numerator / denominator
        low, high = wilson_at(share, effective)
        return cls(numerator=numerator, denominator=denominator, value=share, low=low, high=high)

    def overlaps(self, other: "Rate") -> bool:
        """Whether the two intervals have a value in common; an empty rate overlaps everything."""
        if self.low is None or self.high is None or other.low is None or other.high is None:
            return True
        return self.low <= other.high and other.low <= self.high


def wilson(numerator: int, denominator: int, *, repeats: int = 1) -> Interval:
    """Wilson's 95 % score interval for `numerator` of `denominator` > 0 with effective n = denominator / repeats."""
    return wilson_at(numerator / denominator, denominator / repeats)


def wilson_at(share: float, effective: float) -> Interval:
    """Wilson's 95 % score interval around `share` with n = `effective`, at least 1."""
    n = max(effective, 1.0)
    spread = Z95 * Z95 / n
    centre = (share + spread / 2) / (1 + spread)
    half = Z95 / (1 + spread) * sqrt(share * (1 - share) / n + spread / (4 * n))
    return Interval(max(0.0, min(centre - half, share)), min(1.0, max(centre + half, share)))
