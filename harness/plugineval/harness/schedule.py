"""Which cell of the matrix is answered next: lazily, in a fixed order per model, fairly between models.

The model with the fewest calls in flight goes next, so a model that hangs holds its share of the workers and no more.
Where people or agents answer, all cells of one request are taken together: who judges one of them has seen what is
right, and must not find later that others were still to be asked.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import NamedTuple

from plugineval.harness.cases import Case, offered_by
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
        if together:
            each = partial(_requests_of, cases=cases, groups=_requests(cases), repeats=repeats)
        else:
            each = partial(_cells_of, cases=cases, places=_by_toolset(cases), repeats=repeats)
        self._left = {model.id: each(model) for model in models}
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


def _cells_of(
    model: Router, cases: Sequence[Case], places: Sequence[int], repeats: int
) -> Iterator[tuple[MatrixCell, ...]]:
    for place in places:
        case = cases[place]
        for repeat in range(repeats):
            yield (MatrixCell(model, case, repeat),)


def _requests_of(
    model: Router, cases: Sequence[Case], groups: Sequence[Sequence[int]], repeats: int
) -> Iterator[tuple[MatrixCell, ...]]:
    for group in groups:
        yield tuple(MatrixCell(model, cases[place], repeat) for place in group for repeat in range(repeats))


def _requests(cases: Sequence[Case]) -> Sequence[Sequence[int]]:
    """Places of cases of one request, which may be asked under several descriptions."""
    return _grouped(subject_of(case.query.text, case.query.now) for case in cases)


def _by_toolset(cases: Sequence[Case]) -> Sequence[int]:
    """Places, not cases: those may be packed."""
    groups = _grouped(toolset.content_hash for toolset in offered_by(cases))
    return range(len(cases)) if len(groups) == 1 else [place for group in groups for place in group]


def _grouped(keys: Iterable[str]) -> Sequence[Sequence[int]]:
    groups: dict[str, list[int]] = {}
    for place, key in enumerate(keys):
        groups.setdefault(key, []).append(place)
    return [*groups.values()]
