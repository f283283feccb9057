"""The same measurements under another difficulty mixture, by re-weighting the strata (P54): Table 1's rows.

A rate of positives is the mixture's average of the rates of easy, medium and hard positives; one of negatives that of
negatives. Accuracy joins both at the run's own share of positives. A stratum without rows is no zero: the number is
then missing, and says which stratum is.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Self, TypeAlias

from pydantic import model_validator

from plugineval.harness.outcomes import ErrorCategory, ParameterSubtype
from plugineval.harness.statistics.case_results import CaseResult, CaseResults, Mark, is_positive, is_right
from plugineval.harness.statistics.clusters import Clusters, clusters_of, effective_size
from plugineval.harness.uncertainty import wilson_at
from plugineval.pccf.config import DIFFICULTY_MIX
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.values import Value


class Mixture(Value):
    """Shares of easy, medium and hard cases; they sum to 1."""

    name: str
    shares: dict[Difficulty, float]

    @model_validator(mode="after")
    def _check(self) -> Self:
        if min(self.shares.values(), default=-1) < 0 or abs(sum(self.shares.values()) - 1) > 1e-9:
            raise ConfigurationError("the shares of a mixture are not negative and sum to 1", field=self.name)
        return self


ORIGINAL = Mixture(name="original", shares=dict(zip(Difficulty, DIFFICULTY_MIX, strict=True)))
EASY_WEIGHTED = Mixture(name="easy-weighted", shares=dict(zip(Difficulty, (0.6, 0.3, 0.1), strict=True)))
MIXTURES = (ORIGINAL, EASY_WEIGHTED)


class MixedRate(Value):
    """A rate under a mixture. `rows` were measured; the interval is Wilson's at the weights' effective number."""

    value: float | None
    low: float | None = None
    high: float | None = None
    rows: int = 0
    effective: float = 0.0
    """Attempts of a simple sample that would be as sure."""
    absent: tuple[Difficulty, ...] = ()
    """Strata that the mixture asks for and that no row is in: why there is no value."""


class MixedMetrics(Value):
    """One model under one mixture: a row of the paper's Table 1."""

    model: str
    mixture: str
    recall: MixedRate
    accuracy: MixedRate
    miss: MixedRate
    parameter: MixedRate
    over: MixedRate
    temporal: MixedRate
    missing: MixedRate
    value: MixedRate


Hit: TypeAlias = Callable[[Mark], bool]
Strata: TypeAlias = Mapping[Difficulty | None, CaseResults]


def by_stratum(results: CaseResults) -> Strata:
    """Difficulty -> the cases of it, for those that occur; None for cases without one."""
    parts: dict[Difficulty | None, dict[CaseResult, int]] = {}
    for pattern, cases in results.patterns.items():
        parts.setdefault(pattern.difficulty, {})[pattern] = cases
    return {name: results.part(patterns) for name, patterns in parts.items()}


def mixed_metrics(strata: Strata, index: int, model: str, mixture: Mixture) -> MixedMetrics:
    """All rates of one arm under one mixture."""

    def positives(hit: Hit) -> MixedRate:
        return mixed_rate(_clusters(strata, index, hit, positive=True), mixture)

    def negatives(hit: Hit) -> MixedRate:
        return mixed_rate(_clusters(strata, index, hit, positive=False), mixture)

    recall = positives(is_right)
    return MixedMetrics(
        model=model,
        mixture=mixture.name,
        recall=recall,
        accuracy=_joined(recall, negatives(is_right)),
        miss=positives(_category(ErrorCategory.MISS_RECALL)),
        parameter=positives(_category(ErrorCategory.PARAMETER_ERROR)),
        over=negatives(_category(ErrorCategory.OVER_RECALL)),
        temporal=positives(_subtype(ParameterSubtype.TEMPORAL)),
        missing=positives(_subtype(ParameterSubtype.MISSING_ARGUMENT)),
        value=positives(_subtype(ParameterSubtype.INCORRECT_VALUE)),
    )


def mixed_rate(strata: Mapping[Difficulty, Clusters], mixture: Mixture) -> MixedRate:
    """The weighted average of the strata's rates; no value where a stratum with weight has no rows."""
    weights = {difficulty: share for difficulty, share in mixture.shares.items() if share > 0}
    rows = sum(m * cases for clusters in strata.values() for (_, m), cases in clusters.items())
    absent = tuple(difficulty for difficulty in weights if not strata.get(difficulty))
    if absent:
        # Without any row there is no such kind of case at all: nothing in particular is absent.
        return MixedRate(value=None, rows=rows, absent=absent if rows else ())
    parts = [_part(strata[difficulty], weight) for difficulty, weight in weights.items()]
    return _interval(parts, rows)


_Part: TypeAlias = tuple[float, float, float]
"""Weight, share, effective number."""


def _part(clusters: Clusters, weight: float) -> _Part:
    hits = sum(x * cases for (x, _), cases in clusters.items())
    return weight, hits / sum(m * cases for (_, m), cases in clusters.items()), effective_size(clusters)


def _effective(parts: Sequence[_Part]) -> float:
    """Attempts of a simple sample with the same variance; by the weights alone (Kish) where no share varies."""
    share = sum(weight * own for weight, own, _ in parts)
    variance = sum(weight**2 * own * (1 - own) / n for weight, own, n in parts)
    kish = 1 / sum(weight**2 / n for weight, _, n in parts)
    return min(share * (1 - share) / variance, sum(n for *_, n in parts)) if variance > 1e-12 else kish


def _joined(recall: MixedRate, kept: MixedRate) -> MixedRate:
    """Accuracy at the run's share of positives; with one kind of case only, that kind's rate."""
    known = [rate for rate in (recall, kept) if rate.rows]
    rows = recall.rows + kept.rows
    if any(rate.value is None for rate in known) or not known:
        absent = tuple(dict.fromkeys(difficulty for rate in known for difficulty in rate.absent))
        return MixedRate(value=None, rows=rows, absent=absent)
    parts = [(rate.rows / rows, rate.value or 0.0, rate.effective) for rate in known]
    return _interval(parts, rows)


def _interval(parts: Sequence[_Part], rows: int) -> MixedRate:
    value, effective = min(1.0, sum(weight * share for weight, share, _ in parts)), _effective(parts)
    low, high = wilson_at(value, effective)
    return MixedRate(value=value, low=low, high=high, rows=rows, effective=effective)


def _clusters(strata: Strata, index: int, hit: Hit, *, positive: bool) -> dict[Difficulty, Clusters]:
    found = {
        difficulty: clusters_of(results, index, hit, is_positive if positive else _is_negative)
        for difficulty, results in strata.items()
        if difficulty is not None
    }
    return {difficulty: clusters for difficulty, clusters in found.items() if clusters}


def _is_negative(mark: Mark) -> bool:
    return not mark.positive


# Equal questions are one object: what was found for the words of one model is then known for those of the others.
@cache
def _category(wanted: ErrorCategory) -> Hit:
    return lambda mark: mark.category is wanted


@cache
def _subtype(wanted: ParameterSubtype) -> Hit:
    return lambda mark: mark.subtype is wanted
