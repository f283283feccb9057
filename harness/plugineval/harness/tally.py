"""Rows counted as they pass: one counter of the few combinations there are, so that memory does not grow with rows.

Every metric is a fold over this cube, hence independent of the order of rows.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import NamedTuple, TypeVar

from plugineval.harness.outcomes import (
    Confusion,
    ErrorCategory,
    Exclusion,
    GradedRow,
    Outcome,
    ParameterSubtype,
)
from plugineval.harness.row_facts import RowVerdict
from plugineval.pccf.examples import Difficulty, SampleType
from plugineval.pccf.scenarios import ScenarioKind

K = TypeVar("K")


class Cell(NamedTuple):
    """What rows have in common that are counted together."""

    repeat: int
    sample_type: SampleType
    scenario_kind: ScenarioKind | None
    difficulty: Difficulty | None
    outcome: Outcome | None
    confusion: Confusion | None
    category: ErrorCategory | None
    subtype: ParameterSubtype | None
    exclusion: Exclusion | None
    called: bool
    right_tools: bool
    schema_valid: bool
    coerced: bool
    extra: bool
    unsafe_extra: bool

    @classmethod
    def having(cls, verdict: RowVerdict, repeat: int) -> "Cell":
        """The cell of the rows with a verdict."""
        called, right_tools, schema_valid, coerced, extra, unsafe_extra = verdict.steps
        return cls(
            repeat=repeat,
            sample_type=verdict.sample_type,
            scenario_kind=verdict.scenario_kind,
            difficulty=verdict.difficulty,
            outcome=verdict.outcome,
            confusion=verdict.confusion,
            category=verdict.category,
            subtype=verdict.subtype,
            exclusion=verdict.exclusion,
            called=called,
            right_tools=right_tools,
            schema_valid=schema_valid,
            coerced=coerced,
            extra=extra,
            unsafe_extra=unsafe_extra,
        )

    @classmethod
    def of(cls, row: GradedRow) -> "Cell":
        """The cell of a row."""
        return cls.having(RowVerdict.of(row), row.repeat)

    @property
    def positive(self) -> bool:
        """Counted among the positives: TP or FN."""
        return self.confusion in {Confusion.TP, Confusion.FN}

    @property
    def negative(self) -> bool:
        """Counted among the negatives: TN or FP."""
        return self.confusion in {Confusion.TN, Confusion.FP}


class Tally:
    """The counted rows of one model."""

    def __init__(self, cells: Iterable[tuple[Cell, int]] = ()) -> None:
        self._cells: Counter[Cell] = Counter(dict(cells))

    def add(self, row: GradedRow) -> None:
        """Count one row."""
        self.count_as(RowVerdict.of(row), row.repeat)

    def count_as(self, verdict: RowVerdict, repeat: int, rows: int = 1) -> None:
        """Count rows of one repeat that have the same verdict."""
        self._cells[Cell.having(verdict, repeat)] += rows

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
