"""The paper's Table 1 (P54), its deltas and rank changes (P56).

Models are compared on common rows, so that a mixture moves all of them by the same cases.
"""

from collections.abc import Collection, Sequence

from plugineval.harness.comparison import under_test
from plugineval.harness.mixtures import MIXTURES, MixedMetrics, Mixture, by_stratum, mixed_metrics
from plugineval.harness.ranking import RankShift, rank_shifts
from plugineval.harness.resampling import Resampling, resample
from plugineval.harness.statistics.case_results import CaseResults
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.values import Value


class MixtureShift(Value):
    """What a change of mixture does to a model: `after - before`, as a share."""

    model: str
    before: str
    after: str
    recall: float | None
    accuracy: float | None


class TableOne(Value):
    """Models x mixtures, on `rows` common rows."""

    rows: int
    mixtures: tuple[Mixture, ...]
    entries: tuple[MixedMetrics, ...]
    shifts: tuple[MixtureShift, ...] = ()
    ranks: tuple[RankShift, ...] = ()
    """By recall, from the first mixture to the last."""
    resampled: tuple[Resampling, ...] = ()

    def entry(self, model: str, mixture: str) -> MixedMetrics | None:
        """One row; None where there is none."""
        return next((row for row in self.entries if (row.model, row.mixture) == (model, mixture)), None)


def table_one(
    results: CaseResults,
    *,
    floors: Collection[str] = (),
    mixtures: Sequence[Mixture] = MIXTURES,
    config: StatisticsConfig | None = None,
) -> TableOne | None:
    """Table 1 of the models under test (of the floors, where there are only floors); None without difficulties."""
    tested, _ = under_test(results, floors)
    common = results.on_common_rows(tested)
    strata = by_stratum(common)
    if not any(isinstance(name, Difficulty) for name in strata):
        return None
    models = [arm.model for arm in common.arms]
    entries = [
        mixed_metrics(strata, index, model, mixture) for index, model in enumerate(models) for mixture in mixtures
    ]
    draws = (resample(common, mixture, config or StatisticsConfig()) for mixture in mixtures)
    ranked = [{row.model: row.recall.value for row in entries if row.mixture == m.name} for m in mixtures]
    return TableOne(
        rows=common.rows,
        mixtures=tuple(mixtures),
        entries=tuple(entries),
        shifts=tuple(_shift(model, mixtures[0], mixtures[-1], entries) for model in models),
        ranks=rank_shifts(ranked[0], ranked[-1]),
        resampled=tuple(draw for draw in draws if draw is not None),
    )


def _shift(model: str, before: Mixture, after: Mixture, entries: Sequence[MixedMetrics]) -> MixtureShift:
    old, new = (next(e for e in entries if (e.model, e.mixture) == (model, m.name)) for m in (before, after))
    return MixtureShift(
        model=model,
        before=before.name,
        after=after.name,
        recall=_minus(new.recall.value, old.recall.value),
        accuracy=_minus(new.accuracy.value, old.accuracy.value),
    )


def _minus(one: float | None, other: float | None) -> float | None:
    return None if one is None or other is None else one - other
