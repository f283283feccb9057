"""Models compared on common rows only: the cells in which every one of them has a verdict (X10).

A cell is kept only until the last model has answered it, so memory stays flat when rows come case by case.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from plugineval.harness.outcomes import Confusion, GradedRow
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value


class CommonResult(Value):
    """One model on the common rows."""

    recall: Rate
    accuracy: Rate


class ModelComparison(Value):
    """The models on the rows they share."""

    rows: int
    """Cells (case x repeat) in which every model has a verdict."""
    dropped: int
    """Cells that some model did not answer, or that are excluded for one of them."""
    models: dict[str, CommonResult]


class CommonRows:
    """Collects graded rows of `models` as patterns of verdicts; rows of other models are ignored."""

    def __init__(self, models: Sequence[str]) -> None:
        self._models = tuple(models)
        self._open: dict[tuple[str, int], dict[str, Confusion | None]] = {}
        self._patterns: Counter[tuple[Confusion | None, ...]] = Counter()
        self._repeats = 1

    def add(self, row: GradedRow) -> None:
        """Take one row; a cell is counted when its last model arrives."""
        if row.model not in self._models:
            return
        self._repeats = max(self._repeats, row.repeat + 1)
        cell = self._open.setdefault((row.case_id, row.repeat), {})
        cell[row.model] = row.confusion
        if len(cell) == len(self._models):
            del self._open[row.case_id, row.repeat]
            self._patterns[tuple(cell[model] for model in self._models)] += 1

    @property
    def pending(self) -> int:
        """Cells still waiting for a model."""
        return len(self._open)

    def result(self) -> ModelComparison:
        """The comparison of the models that have any verdict at all: an outage of one does not empty the others'."""
        indexes = [i for i in range(len(self._models)) if any(pattern[i] is not None for pattern in self._patterns)]
        common = {
            pattern: number
            for pattern, number in self._patterns.items()
            if indexes and all(pattern[index] is not None for index in indexes)
        }
        rows = sum(common.values())
        return ModelComparison(
            rows=rows,
            dropped=sum(self._patterns.values()) - rows + len(self._open),
            models={self._models[index]: self._result(index, common) for index in indexes},
        )

    def _result(self, index: int, common: Mapping[tuple[Confusion | None, ...], int]) -> CommonResult:
        counts: Counter[Confusion | None] = Counter()
        for pattern, number in common.items():
            counts[pattern[index]] += number
        tp, tn = counts[Confusion.TP], counts[Confusion.TN]
        return CommonResult(
            recall=Rate.of(tp, tp + counts[Confusion.FN], repeats=self._repeats),
            accuracy=Rate.of(tp + tn, sum(counts.values()), repeats=self._repeats),
        )
