"""Which cell of the matrix is answered next: lazily, in a fixed order per model, fairly between models.

The model with the fewest calls in flight goes next, so a model that hangs holds its share of the workers and no more.
Where people or agents answer, all cells of one request are taken together: who judges one of them has seen what is
right, and must not find later that others were still to be asked.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plugineval.harness.cases import Case
from plugineval.pccf.chat import subject_of
from plugineval.pccf.routing import Router


class MatrixCell(NamedTuple):
    """One model x case x repeat."""

    router: Router
    case: Case
    repeat: int


class Schedule:
    """Hands out every cell once; cases that share a toolset, or else (`together`) a request, follow each other."""

    def __init__(
        self, cases: Sequence[Case], models: Sequence[Router], repeats: int, *, together: bool = False
    ) -> None:
        self.total = len(cases) * len(models) * repeats
        groups = _requests(cases) if together else [[case] for case in _by_toolset(cases)]
        each = _requests_of if together else _cells_of
        self._left = {model.id: each(model, groups, repeats) for model in models}
        self._in_flight = dict.fromkeys(self._left, 0)

    def take(self) -> tuple[MatrixCell, ...]:
        """The next cell, or those of the next request, now in flight; none when all have been handed out."""
        while self._left:
            model = min(self._left, key=self._in_flight.__getitem__)
            cells = next(self._left[model], ())
            if cells:
                self._in_flight[model] += len(cells)
                return cells
            del self._left[model]
        return ()

    def finish(self, cell: MatrixCell) -> None:
        """The cell is answered."""
        self._in_flight[cell.router.id] -= 1


def _cells_of(model: Router, groups: Sequence[Sequence[Case]], repeats: int) -> Iterator[tuple[MatrixCell, ...]]:
    for (case,) in groups:
        for repeat in range(repeats):
            yield (MatrixCell(model, case, repeat),)


def _requests_of(model: Router, groups: Sequence[Sequence[Case]], repeats: int) -> Iterator[tuple[MatrixCell, ...]]:
    for group in groups:
        yield tuple(MatrixCell(model, case, repeat) for case in group for repeat in range(repeats))


def _requests(cases: Sequence[Case]) -> list[list[Case]]:
    """Cases of one request, which may be asked under several descriptions."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(subject_of(case.query.text, case.query.now), []).append(case)
    return [*groups.values()]


def _by_toolset(cases: Sequence[Case]) -> list[Case]:
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.toolset.content_hash, []).append(case)
    return [case for group in groups.values() for case in group]
