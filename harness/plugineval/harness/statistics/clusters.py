"""Rates whose attempts come in clusters, the repeats of one case: intervals that know how much those agree (D11).

The variance is the cluster-robust (linearised ratio) one; the interval is Wilson's at the effective number of attempts
that has this variance. With one repeat it is Wilson's interval itself; repeats that always agree are worth one.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from math import comb, fsum
from typing import TypeAlias

from plugineval.harness.statistics.case_results import CaseResults, Mark, is_positive, is_right
from plugineval.harness.uncertainty import Rate

Clusters: TypeAlias = Mapping[tuple[int, int], int]
"""(hits, attempts) of a case -> how many cases show it; attempts > 0."""


def clusters_of(
    results: CaseResults, index: int, hit: Callable[[Mark], bool], among: Callable[[Mark], bool] | None = None
) -> Counter[tuple[int, int]]:
    """Per case of one arm: how many of the marks that are `among` (all without it) are `hit` too."""
    found: Counter[tuple[int, int]] = Counter()
    tries = results.tries(hit, among)
    for word, cases in results.words(index).items():
        counted = tries[word]
        if counted[1]:
            found[counted] += cases
    return found


def recall_clusters(results: CaseResults, index: int) -> Clusters:
    """TP of TP + FN, per case."""
    return clusters_of(results, index, is_right, is_positive)


def accuracy_clusters(results: CaseResults, index: int) -> Clusters:
    """TP + TN of all, per case."""
    return clusters_of(results, index, is_right)


def clustered_rate(clusters: Clusters) -> Rate:
    """The rate over all attempts with an interval that is clustered by case."""
    hits, attempts = _totals(clusters)
    return Rate.clustered(hits, attempts, effective=effective_size(clusters))


def effective_size(clusters: Clusters) -> float:
    """Independent attempts with the same variance, between 1 and all; where every attempt ended alike, the cases.

    Variance of the share: G/(G-1) * sum((hits - share * attempts)^2) / total^2 over G cases, as of a regression on a
    constant with standard errors clustered by case.
    """
    hits, attempts = _totals(clusters)
    cases = sum(clusters.values())
    share = hits / attempts if attempts else 0.0
    if cases < 2 or share in {0.0, 1.0}:
        return float(cases)
    residues = fsum(number * (x - share * m) ** 2 for (x, m), number in clusters.items())
    variance = cases / (cases - 1) * residues / attempts**2
    independent = share * (1 - share) / (attempts - 1)
    return float(attempts) if variance <= independent else max(1.0, attempts * independent / variance)


def pass_hat(clusters: Clusters, k: int) -> float | None:
    """pass^k: chance that k repeats of a case are all right, averaged over cases with at least k (tau-bench, eq. 1)."""
    return _mean_over(clusters, k, lambda x, m: comb(x, k) / comb(m, k))


def pass_at(clusters: Clusters, k: int) -> float | None:
    """pass@k: chance that one of k repeats is right, averaged over cases with at least k (HumanEval, eq. 1)."""
    return _mean_over(clusters, k, lambda x, m: 1 - comb(m - x, k) / comb(m, k))


def flips(clusters: Clusters) -> int:
    """Cases with a hit and a miss among their attempts."""
    return sum(number for (x, m), number in clusters.items() if 0 < x < m)


def repeated(clusters: Clusters) -> int:
    """Cases with at least two attempts: those that could flip."""
    return sum(number for (_, m), number in clusters.items() if m > 1)


def _mean_over(clusters: Clusters, k: int, chance: Callable[[int, int], float]) -> float | None:
    known = {cluster: number for cluster, number in clusters.items() if cluster[1] >= k}
    cases = sum(known.values())
    return fsum(number * chance(x, m) for (x, m), number in known.items()) / cases if cases else None


def _totals(clusters: Clusters) -> tuple[int, int]:
    hits = sum(x * number for (x, _), number in clusters.items())
    return hits, sum(m * number for (_, m), number in clusters.items())
