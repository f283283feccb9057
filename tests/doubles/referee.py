"""The referee of our statistics: statsmodels, which carries no types, behind signatures that do."""

from collections.abc import Sequence
from importlib import import_module
from typing import Any

import numpy as np


def _of(module: str, name: str) -> Any:  # noqa: ANN401 - the library has no types
    return getattr(import_module(f"statsmodels.stats.{module}"), name)


def wilson_interval(hits: int, n: int) -> tuple[float, float]:
    low, high = _of("proportion", "proportion_confint")(hits, n, method="wilson")
    return float(low), float(high)


def newcombe_interval(first: int, n: int, second: int, m: int) -> tuple[float, float]:
    found = _of("proportion", "confint_proportions_2indep")(first, n, second, m, method="newcomb", compare="diff")
    return float(found[0]), float(found[1])


def mcnemar_p(only_first: int, only_second: int) -> float:
    table = [[0, only_first], [only_second, 0]]
    return float(_of("contingency_tables", "mcnemar")(table, exact=True).pvalue)


def holm_adjusted(values: Sequence[float]) -> list[float]:
    return [float(p) for p in _of("multitest", "multipletests")(values, method="holm")[1]]


def cohen(first: Sequence[str], second: Sequence[str]) -> float:
    labels = sorted({*first, *second})
    table = np.zeros((len(labels), len(labels)))
    for one, other in zip(first, second, strict=True):
        table[labels.index(one), labels.index(other)] += 1
    return float(_of("inter_rater", "cohens_kappa")(table).kappa)


def fleiss(ratings: Sequence[Sequence[str]]) -> float:
    labels = sorted({label for row in ratings for label in row})
    return float(
        _of("inter_rater", "fleiss_kappa")([[row.count(label) for label in labels] for row in map(list, ratings)])
    )


def unpaired_power(first: float, second: float, n: int) -> float:
    found = _of("proportion", "power_proportions_2indep")(first - second, second, n)
    return float(found.power)


def clustered_variance(clusters: Sequence[Sequence[bool]]) -> float:
    """Of the share of hits: a regression on a constant with standard errors clustered by case."""
    values = [float(hit) for cluster in clusters for hit in cluster]
    groups = [index for index, cluster in enumerate(clusters) for _ in cluster]
    model = import_module("statsmodels.api").OLS(values, np.ones(len(values)))
    return float(model.fit(cov_type="cluster", cov_kwds={"groups": np.array(groups)}).bse[0] ** 2)
