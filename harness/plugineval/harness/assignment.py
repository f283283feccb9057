"""Minimum-cost assignment, exact, by shortest augmenting paths (Kuhn 1955, Munkres 1957; O(rows^2 * columns)).

Costs are integers, so lexicographic costs packed into one integer stay exact. Greedy pairing is a defect (D7).
"""

from collections.abc import Sequence
from typing import NamedTuple


class _Step(NamedTuple):
    column: int
    delta: int


def assign(cost: Sequence[Sequence[int]]) -> list[tuple[int, int]]:
    """Pairs (row, column) of least total cost; min(rows, columns) of them, in row order."""
    if not cost or not cost[0]:
        return []
    if len(cost) > len(cost[0]):
        return sorted((row, column) for column, row in assign(list(zip(*cost, strict=True))))
    search = _Search(cost)
    for row in range(len(cost)):
        search.place(row)
    return sorted((row, column) for column, row in enumerate(search.owner[:-1]) if row is not None)


class _Search:
    """The state of the search: potentials of rows and columns, and which row owns a column."""

    def __init__(self, cost: Sequence[Sequence[int]]) -> None:
        self.cost = cost
        self.columns = len(cost[0])
        # The last column is the virtual one from which every augmenting path starts.
        self.owner: list[int | None] = [None] * (self.columns + 1)
        self.row_potential = [0] * len(cost)
        self.column_potential = [0] * (self.columns + 1)

    def place(self, row: int) -> None:
        """Give `row` a column, moving others along the cheapest augmenting path."""
        self.owner[-1] = row
        slack: list[int | None] = [None] * self.columns
        previous = [self.columns] * self.columns
        seen = {self.columns}
        column = self.columns
        while (owner := self.owner[column]) is not None:
            step = self._nearest(owner, column, slack, previous, seen)
            self._shift(step.delta, slack, seen)
            column = step.column
            seen.add(column)
        while column != self.columns:
            self.owner[column] = self.owner[previous[column]]
            column = previous[column]
        self.owner[-1] = None

    def _nearest(self, row: int, came_from: int, slack: list[int | None], previous: list[int], seen: set[int]) -> _Step:
        best = _Step(-1, 0)
        for column in range(self.columns):
            if column in seen:
                continue
            reduced = self.cost[row][column] - self.row_potential[row] - self.column_potential[column]
            known = slack[column]
            if known is None or reduced < known:
                slack[column], previous[column] = reduced, came_from
                known = reduced
            if best.column < 0 or known < best.delta:
                best = _Step(column, known)
        return best

    def _shift(self, delta: int, slack: list[int | None], seen: set[int]) -> None:
        for column in seen:
            owner = self.owner[column]
            if owner is not None:
                self.row_potential[owner] += delta
            self.column_potential[column] -= delta
        for column, value in enumerate(slack):
            if column not in seen and value is not None:
                slack[column] = value - delta
