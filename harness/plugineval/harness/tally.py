"""Rows counted as they pass: one counter of the few combinations there are, so that memory does not grow with rows.

Every metric is a fold over this cube, hence independent of the order of rows.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from plugineval.harness.outcomes import Confusion, GradedRow
from plugineval.harness.row_facts import RowVerdict

K = TypeVar("K")


class Cell(NamedTuple):
    """What rows have in common that are counted together."""

    repeat: int
    verdict: RowVerdict

    @classmethod
    def of(cls, row: GradedRow) -> "Cell":
        """The cell of a row."""
        return cls(row.repeat, RowVerdict.of(row))

    @property
    def positive(self) -> bool:
        """Counted among the positives: TP or FN."""
        return self.verdict.confusion in {Confusion.TP, Confusion.FN}

    @property
    def negative(self) -> bool:
        """Counted among the negatives: TN or FP."""
        return self.verdict.confusion in {Confusion.TN, Confusion.FP}


class Tally:
    """The counted rows of one model."""

    def __init__(self, cells: Iterable[tuple[Cell, int]] = ()) -> None:
        self._cells: Counter[Cell] = Counter(dict(cells))

    def add(self, row: GradedRow) -> None:
        """Count one row."""
        self.count_as(Cell.of(row), 1)

    def count_as(self, cell: Cell, rows: int) -> None:
        """Count rows of one cell."""
        self._cells[cell] += rows

    def count(self, matches: Callable[[Cell], bool] = lambda cell: True) -> int:
        """Rows whose cell matches."""
        return sum(number for cell, number in self._cells.items() if matches(cell))

    def where(self, matches: Callable[[Cell], bool]) -> "Tally":
        """The part of the rows whose cell matches."""
        return Tally((cell, number) for cell, number in self._cells.items() if matches(cell))

    def split(self, key: Callable[[Cell], K]) -> dict[K, "Tally"]:
        """The rows, parted by what `key` says of their cell."""
        parts: dict[K, Tally] = {}
        for cell, number in self._cells.items():
            parts.setdefault(key(cell), Tally())._cells[cell] += number
        return parts

    def repeats(self) -> tuple[int, ...]:
        """The repeat indexes that occur, ascending."""
        return tuple(sorted({cell.repeat for cell in self._cells}))

    def cells(self) -> Iterable[tuple[Cell, int]]:
        """Every combination that occurred, with its number of rows."""
        return self._cells.items()
