"""Models compared on common rows only: the cells in which every one of them has a verdict (X10).

Of every pair the report keeps the difference with its paired interval, the exact McNemar test, the run-to-run spread it
must exceed (B7), and how many cases would settle a difference of its size (B24).
"""

from collections.abc import Collection, Sequence
from itertools import combinations
from typing import NamedTuple

from plugineval.harness.statistics.case_results import Arm, CaseResults, is_right
from plugineval.harness.statistics.clusters import accuracy_clusters, clustered_rate, recall_clusters
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.statistics.differences import Difference, difference
from plugineval.harness.statistics.noise import noise_of
from plugineval.harness.statistics.pairs import PairedCases, exact_mcnemar, holm
from plugineval.harness.statistics.sample_size import SampleSize, detectable, paired_size
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value


class CommonResult(Value):
    """One model on the common rows. `noise` is the run-to-run spread of its accuracy; None with a single repeat."""

    recall: Rate
    accuracy: Rate
    noise: float | None = None


class PairResult(Value):
    """Two models on the common rows, by accuracy; `first` is the one that is not behind."""

    first: str
    second: str
    cases: int
    only_first: int
    """Cases on which the first was right in more repeats than the second."""
    only_second: int
    difference: Difference
    p: float
    """Exact McNemar, two-sided, over cases."""
    p_adjusted: float
    """After Holm's correction for the pairs that are looked at together."""
    noise: float | None
    """The larger of the two run-to-run spreads (B7); None where there was a single repeat."""
    differs: bool
    """Whether a difference may be claimed: p_adjusted < alpha, and the difference is larger than the noise."""
    needed: SampleSize | None = None
    """Common cases that would settle it; None where the gap is zero."""
    detectable: float = 1.0
    """The smallest true difference that a run of this size would probably show."""


class ModelComparison(Value):
    """The models on the rows they share."""

    rows: int
    """Cells (case x repeat) in which every model has a verdict."""
    dropped: int
    """Cells that some model did not answer, or that are excluded for one of them."""
    models: dict[str, CommonResult]
    cases: int = 0
    pairs: tuple[PairResult, ...] = ()
    config: StatisticsConfig | None = None
    """The levels that decided; None in reports of earlier versions."""

    def pair(self, one: str, other: str) -> PairResult | None:
        """The pair of two models, whichever is ahead."""
        return next((pair for pair in self.pairs if {pair.first, pair.second} == {one, other}), None)


def compare_models(
    results: CaseResults, *, floors: Collection[str] = (), config: StatisticsConfig | None = None
) -> ModelComparison:
    """The models of `results` with the published descriptions, among themselves and each against every floor.

    A floor is compared on the rows that it shares with all models; what it did not answer costs them nothing.
    """
    settings = config or StatisticsConfig()
    tested, marks = under_test(results, floors)
    common = results.on_common_rows(tested)
    shared = {arm: results.on_common_rows([*tested, arm]) for arm in marks}
    found = _common_results(common)
    beside = {arm: _common_results(rows) for arm, rows in shared.items()}
    last = len(tested)
    against = [
        _compared(rows, beside[arm], (index, last))
        for arm, rows in shared.items()
        for index in range(last)
        if rows.rows
    ]
    among = [_compared(common, found, couple) for couple in combinations(range(last), 2) if common.rows]
    models = {arm.model: result for arm, result in zip(tested, found, strict=True)}
    models |= {arm.model: measured[last] for arm, measured in beside.items()}
    return ModelComparison(
        rows=common.rows,
        dropped=_cells(results) - common.rows,
        models=models,
        cases=common.cases,
        # Models among themselves are one family of tests, models against floors another.
        pairs=(*_judged(among, settings), *_judged(against, settings)),
        config=settings,
    )


def under_test(results: CaseResults, floors: Collection[str]) -> tuple[tuple[Arm, ...], tuple[Arm, ...]]:
    """The arms with verdicts that are compared, and the floors among the rest; where there are only floors, those."""
    answered = results.answered(arm for arm in results.arms if not arm.variant)
    tested = tuple(arm for arm in answered if arm.model not in floors)
    return (tested, tuple(arm for arm in answered if arm not in tested)) if tested else (answered, ())


def larger(one: float | None, other: float | None) -> float | None:
    """The larger of two spreads, one of which may not have been measured."""
    return max((spread for spread in (one, other) if spread is not None), default=None)


class _Compared(NamedTuple):
    """Two arms of common rows, the better one first."""

    names: tuple[str, str]
    results: tuple[CommonResult, CommonResult]
    paired: PairedCases


def _compared(common: CaseResults, results: Sequence[CommonResult], couple: tuple[int, int]) -> _Compared:
    one, other = sorted(couple, key=lambda index: -(results[index].accuracy.value or 0.0))
    names = (common.arms[one].model, common.arms[other].model)
    return _Compared(names, (results[one], results[other]), PairedCases.of(common, one, other, is_right))


def _common_results(common: CaseResults) -> list[CommonResult]:
    return [
        CommonResult(
            recall=clustered_rate(recall_clusters(common, index)),
            accuracy=clustered_rate(accuracy_clusters(common, index)),
            noise=noise_of(common, index, is_right),
        )
        for index in range(len(common.arms))
    ]


def _cells(results: CaseResults) -> int:
    """Cells that the run has, or has rows for where that is more."""
    return sum(cases * max(map(len, pattern.words), default=0) for pattern, cases in results.patterns.items())


def _judged(compared: Sequence[_Compared], config: StatisticsConfig) -> list[PairResult]:
    """What may be said of each, corrected for all of them; the largest accuracies first."""
    found = [pair.paired.discordance for pair in compared]
    p_values = [exact_mcnemar(cases.first, cases.second) for cases in found]
    pairs = [
        _pair(pair, p, config) for pair, p in zip(compared, zip(p_values, holm(p_values), strict=True), strict=True)
    ]
    best = {pair.names[0]: -(pair.results[0].accuracy.value or 0.0) for pair in compared}
    return sorted(pairs, key=lambda pair: (best[pair.first], pair.difference.value))


def _pair(compared: _Compared, p: tuple[float, float], config: StatisticsConfig) -> PairResult:
    one, other = compared.results
    found = compared.paired.discordance
    gap = difference(one.accuracy, other.accuracy, correlation=compared.paired.correlation) or _UNKNOWN
    noise = larger(one.noise, other.noise)
    return PairResult(
        first=compared.names[0],
        second=compared.names[1],
        cases=found.cases,
        only_first=found.first,
        only_second=found.second,
        difference=gap,
        p=p[0],
        p_adjusted=p[1],
        noise=noise,
        differs=p[1] < config.alpha and found.first > found.second and gap.value > (noise or 0.0),
        needed=paired_size(found, alpha=config.alpha, power=config.power),
        detectable=detectable(found, alpha=config.alpha, power=config.power),
    )


_UNKNOWN = Difference(value=0.0, low=-1.0, high=1.0)
