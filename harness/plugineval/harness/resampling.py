"""What a benchmark drawn with a given difficulty mixture would have shown: seeded resampling of whole cases (P54).

Cases are drawn with replacement inside each stratum of positives and of negatives, the same cases for every model, so
that differences and ranks are of the same draw. The seed makes it repeatable to the digit.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from plugineval.harness.mixtures import Mixture
from plugineval.harness.statistics.case_results import CaseResult, CaseResults, is_right
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.pccf.coverage.budgets import largest_remainder
from plugineval.pccf.values import Value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


AT_ONCE = 1_000_000
"""Numbers that are drawn at once: a large benchmark has many different cases, and a draw has one for each."""
_Score: TypeAlias = tuple[tuple[int, int], ...]


class Span(Value):
    """Mean over the draws, and the range that holds 95 % of them."""

    mean: float
    low: float
    high: float


class ResampledModel(Value):
    """One model over the draws; a span is None where a stratum that it needs has no case."""

    recall: Span | None
    accuracy: Span | None
    first: float
    """Share of the draws in which no model had a higher recall (accuracy, where there is no positive)."""


class Resampling(Value):
    """All models under one mixture. `cases` is the size of each draw."""

    mixture: str
    draws: int
    seed: int
    cases: int
    models: dict[str, ResampledModel]


class _Drawn(NamedTuple):
    """Right and all attempts, by draw and arm."""

    right: "NDArray[np.float64]"
    attempts: "NDArray[np.float64]"


def resample(results: CaseResults, mixture: Mixture, config: StatisticsConfig) -> Resampling | None:
    """Draw `config.resamples` benchmarks of the measured size; None where no rate can be drawn.

    A stratum that is asked for and has no case leaves out the rates that need it: recall needs the positives',
    accuracy those of both kinds.
    """
    import numpy as np

    random = np.random.default_rng(config.seed)
    patterns = results.with_verdicts()
    counted = results.per_word(lambda marks: any(mark.positive for mark in marks))
    positives = [any(counted[word] for word in pattern.words) for pattern, _ in patterns]
    sides = [
        [entry for entry, found in zip(patterns, positives, strict=True) if found is positive]
        for positive in (True, False)
    ]
    filled = [_fills(side, mixture) for side in sides]
    drawn = [
        _draw(side if fills else [], results, mixture, config.resamples, random)
        for side, fills in zip(sides, filled, strict=True)
    ]
    whole = all(fills or not side for side, fills in zip(sides, filled, strict=True))
    recall, accuracy = _share(drawn[0]), _share(_joined(*drawn))
    leading = recall if filled[0] else accuracy
    if not filled[0] and not (whole and patterns):
        return None
    best = leading.max(axis=1)
    return Resampling(
        mixture=mixture.name,
        draws=config.resamples,
        seed=config.seed,
        cases=sum(cases for _, cases in patterns),
        models={
            arm.model: ResampledModel(
                recall=_span(recall[:, index]),
                accuracy=_span(accuracy[:, index]) if whole else None,
                first=_share_of(leading[:, index] >= best - 1e-12),
            )
            for index, arm in enumerate(results.arms)
        },
    )


def _fills(side: Sequence[tuple[CaseResult, int]], mixture: Mixture) -> bool:
    found = {pattern.difficulty for pattern, _ in side}
    return all(difficulty in found for difficulty, share in mixture.shares.items() if share > 0)


def _draw(
    side: Sequence[tuple[CaseResult, int]],
    results: CaseResults,
    mixture: Mixture,
    draws: int,
    random: "np.random.Generator",
) -> _Drawn:
    import numpy as np

    shape = (draws, len(results.arms))
    drawn = _Drawn(np.zeros(shape), np.zeros(shape))
    sizes = largest_remainder(sum(cases for _, cases in side), tuple(mixture.shares.values()))
    for difficulty, size in zip(mixture.shares, sizes, strict=True):
        scores = _scores(((p, cases) for p, cases in side if p.difficulty is difficulty), results)
        if not scores:
            continue
        cases = np.array([number for _, number in scores], dtype=np.float64)
        # One table for both: drawing is dear enough without looking at every draw twice.
        table = np.array([[*zip(*score, strict=True)] for score, _ in scores], dtype=np.float64)
        table, shares = table.reshape(len(scores), -1), cases / cases.sum()
        chunk = max(1, AT_ONCE // len(scores))
        for first in range(0, draws, chunk):
            some = slice(first, min(first + chunk, draws))
            counts = random.multinomial(size, shares, size=some.stop - first).astype(np.float64)
            right, attempts = np.hsplit(counts @ table, 2)
            drawn.right[some] += right
            drawn.attempts[some] += attempts
    return drawn


def _scores(stratum: Iterable[tuple[CaseResult, int]], results: CaseResults) -> list[tuple[_Score, int]]:
    """What a draw needs of a case: per arm, right and all attempts. In one order: the seed must give the same draw
    however the rows came.
    """
    found: Counter[_Score] = Counter()
    score = results.tries(is_right)
    for pattern, cases in stratum:
        found[tuple([score[word] for word in pattern.words])] += cases
    return sorted(found.items())


def _joined(one: _Drawn, other: _Drawn) -> _Drawn:
    return _Drawn(one.right + other.right, one.attempts + other.attempts)


def _share(drawn: _Drawn) -> "NDArray[np.float64]":
    import numpy as np

    empty = np.full_like(drawn.right, np.nan)
    return np.divide(drawn.right, drawn.attempts, out=empty, where=drawn.attempts > 0)


def _share_of(held: "NDArray[np.bool_]") -> float:
    return int(held.sum()) / held.size


def _span(values: "NDArray[np.float64]") -> Span | None:
    import numpy as np

    known = values[np.isfinite(values)]
    if not known.size:
        return None
    low, high = np.quantile(known, (0.025, 0.975))
    return Span(mean=float(known.mean()), low=float(low), high=float(high))
