"""Which cell of the matrix is answered next: lazily, in a fixed order per model, fairly between models.

The model with the fewest calls in flight goes next, so a model that hangs holds its share of the workers and no more.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plugineval.harness.cases import Case
from plugineval.pccf.routing import Router


class MatrixCell(NamedTuple):
    """One model x case x repeat."""

    router: Router
    case: Case
    repeat: int


class Schedule:
    """Hands out every cell once; cases that share a toolset follow each other."""

    def __init__(self, cases: Sequence[Case], models: Sequence[Router], repeats: int) -> None:
        self.total = len(cases) * len(models) * repeats
        grouped = _by_toolset(cases)
        self._left = {model.id: _cells_of(model, grouped, repeats) for model in models}
        self._in_flight = dict.fromkeys(self._left, 0)

    def take(self) -> MatrixCell | None:
        """The next cell, now in flight; None when all have been handed out."""
        while self._left:
            model = min(self._left, key=self._in_flight.__getitem__)
            cell = next(self._left[model], None)
            if cell is not None:
                self._in_flight[model] += 1
                return cell
            del self._left[model]
        return None

    def finish(self, cell: MatrixCell) -> None:
        """The cell is answered."""
        self._in_flight[cell.router.id] -= 1


def _cells_of(model: Router, cases: Sequence[Case], repeats: int) -> Iterator[MatrixCell]:
    for case in cases:
        for repeat in range(repeats):
            yield MatrixCell(model, case, repeat)


def _by_toolset(cases: Sequence[Case]) -> list[Case]:
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.toolset.content_hash, []).append(case)
    return [case for group in groups.values() for case in group]
