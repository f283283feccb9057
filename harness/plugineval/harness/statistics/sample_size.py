"""How many cases would settle a difference of the size that was seen, and what a run of this size can show (B24, X7).

Two answers, because they differ by a factor of two: where the same proportions would just pass the test, and where a
true difference of this size would be shown with the power that is asked for.
"""

from math import ceil, sqrt
from statistics import NormalDist

from plugineval.harness.statistics.differences import difference
from plugineval.harness.statistics.pairs import Discordance, exact_mcnemar
from plugineval.harness.uncertainty import Z95, Rate
from plugineval.pccf.values import Value

_EXACT_UP_TO = 20_000
"""Beyond so many cases the normal approximation is as good, and a search for the exact number takes too long."""
_LEAST_DISCORDANT = 6
"""Six cases, all for the same arm, are the fewest that give p < 0.05."""


class SampleSize(Value):
    """Cases that are needed: of every side where they are not paired, common ones where they are."""

    settles: int
    """The same proportions at this size would just show the difference."""
    with_power: int
    """At this size a true difference of what was seen would be shown with `power`."""
    power: float


def unpaired_size(first: float, second: float, *, alpha: float = 0.05, power: float = 0.8) -> SampleSize | None:
    """Rows per side for two shares in [0, 1]; None where they are equal.

    `settles` is by Newcombe's 95 % interval on whole counts (188 and 182 of 200, 94 % against 91 %: 573); `with_power`
    by the normal approximation with pooled variance under no difference (Fleiss, 1981, equation 3.14).
    """
    gap = abs(first - second)
    if gap == 0:
        return None
    spread = first * (1 - first) + second * (1 - second)
    mean = (first + second) / 2
    z_alpha, z_beta = _quantile(1 - alpha / 2), _quantile(power)
    planned = (z_alpha * sqrt(2 * mean * (1 - mean)) + z_beta * sqrt(spread)) ** 2 / gap**2
    about = Z95**2 * spread / gap**2
    return SampleSize(settles=_settling_rows(first, second, about), with_power=max(2, ceil(planned)), power=power)


def paired_size(found: Discordance, *, alpha: float = 0.05, power: float = 0.8) -> SampleSize | None:
    """Common cases, at the share of discordant cases that was found; None where neither side is ahead.

    `settles` by the exact McNemar test; `with_power` by Connor (1987): (z_a sqrt(psi) + z_b sqrt(psi - d^2))^2 / d^2.
    """
    if found.first == found.second:
        return None
    share, gap = found.total / found.cases, abs(found.first - found.second) / found.cases
    z_alpha, z_beta = _quantile(1 - alpha / 2), _quantile(power)
    planned = (z_alpha * sqrt(share) + z_beta * sqrt(max(0.0, share - gap * gap))) ** 2 / gap**2
    discordant = _settling_discordant(min(found.first, found.second) / found.total, z_alpha, alpha)
    settles = ceil(discordant * found.cases / found.total)
    return SampleSize(settles=settles, with_power=max(settles, ceil(planned)), power=power)


def detectable(found: Discordance, *, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest true difference that a paired run of this size would show with `power`; 1 without cases."""
    if not found.cases:
        return 1.0
    z = _quantile(1 - alpha / 2) + _quantile(power)
    return min(1.0, max(_LEAST_DISCORDANT / found.cases, z * sqrt(found.total) / found.cases))


def _settling_rows(first: float, second: float, about: float) -> int:
    if about > _EXACT_UP_TO:
        return ceil(about)
    n = max(2, int(0.7 * about))
    while n <= 4 * _EXACT_UP_TO:
        found = difference(Rate.of(round(first * n), n), Rate.of(round(second * n), n))
        if found is not None and found.excludes_zero and (found.value > 0) == (first > second):
            return n
        n += 1
    return n


def _settling_discordant(lesser: float, z: float, alpha: float) -> int:
    about = (z / (1 - 2 * lesser)) ** 2
    if about > _EXACT_UP_TO:
        return ceil(about)
    n = max(2, int(0.7 * about))
    while exact_mcnemar(n - round(lesser * n), round(lesser * n), enough=alpha) >= alpha:
        n += 1
    return n


def _quantile(share: float) -> float:
    return NormalDist().inv_cdf(share)
