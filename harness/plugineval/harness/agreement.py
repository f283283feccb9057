"""How far raters agree beyond chance: Cohen's kappa for two, Fleiss' for many (P60, P61).

None where chance alone explains everything: with a single category in use there is nothing to agree about beyond it.
"""

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from plugineval.pccf.values import Value

_Label = TypeVar("_Label", bound=Hashable)


class PairAgreement(Value):
    """Two raters on the same subjects."""

    subjects: int
    observed: float | None
    """Share of subjects on which both say the same."""
    kappa: float | None
    """Cohen (1960)."""


def agreement_of(first: Sequence[Hashable], second: Sequence[Hashable]) -> PairAgreement:
    """Observed agreement and Cohen's kappa; the sequences name the same subjects in the same order."""
    return agreement_of_counts(Counter(zip(first, second, strict=True)))


def agreement_of_counts(pairs: Mapping[tuple[_Label, _Label], int]) -> PairAgreement:
    """The same, from how often each pair of labels occurs."""
    total = sum(pairs.values())
    if not total:
        return PairAgreement(subjects=0, observed=None, kappa=None)
    same = sum(number for (one, other), number in pairs.items() if one == other) / total
    left: Counter[Hashable] = Counter()
    right: Counter[Hashable] = Counter()
    for (one, other), number in pairs.items():
        left[one] += number
        right[other] += number
    chance = sum(left[label] * right[label] for label in left) / total**2
    return PairAgreement(subjects=total, observed=same, kappa=_beyond_chance(same, chance))


def fleiss_kappa(ratings: Sequence[Sequence[Hashable]]) -> float | None:
    """Fleiss (1971): one row per subject, one label per rater; every subject has the same number of raters, >= 2.

    `ValueError` where that does not hold; None without subjects.
    """
    if not ratings:
        return None
    raters = len(ratings[0])
    if raters < 2 or any(len(row) != raters for row in ratings):
        raise ValueError("every subject needs the same number of raters, at least two")
    counts = [Counter(row) for row in ratings]
    pairs = raters * (raters - 1)
    observed = sum(sum(n * (n - 1) for n in row.values()) / pairs for row in counts) / len(counts)
    overall: Counter[Hashable] = Counter()
    for row in counts:
        overall.update(row)
    chance = sum((n / (raters * len(counts))) ** 2 for n in overall.values())
    return _beyond_chance(observed, chance)


def observed_agreement(ratings: Sequence[Sequence[Hashable]]) -> float | None:
    """Mean share, over subjects, of the pairs of raters that say the same; None without subjects.

    Every subject has at least two raters.
    """
    shares = [sum(n * (n - 1) for n in Counter(row).values()) / (len(row) * (len(row) - 1)) for row in ratings]
    return sum(shares) / len(shares) if shares else None


def prevalence(ratings: Sequence[Sequence[Hashable]]) -> float | None:
    """Share of the commonest label over all ratings: near 1, a kappa is low however well the raters agree."""
    overall = Counter(label for row in ratings for label in row)
    return max(overall.values()) / overall.total() if overall else None


def _beyond_chance(observed: float, chance: float) -> float | None:
    return None if chance > 1 - 1e-12 else (observed - chance) / (1 - chance)
