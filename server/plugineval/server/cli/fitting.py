"""Tables of numbers for a terminal that is too narrow for them: turned over, or cut into blocks of columns.

No number is dropped or shortened: without its digits, or its denominator, it would be another number.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from plugineval.harness.rendering.model_tables import INTERVAL
from plugineval.harness.rendering.tables import Column, ColumnKind, Table, numbers, text

NAME_WIDTH = 24
"""What is left of a long name where the table does not fit otherwise."""

Measure: TypeAlias = Callable[[Table], int]
"""The width of a table in which no cell is broken over lines."""


def fitting(table: Table, width: int, measure: Measure, *, whole_names: bool = False) -> tuple[Table, ...]:
    """`table` in a form whose lines are at most `width` wide, where there is one; words are left to be wrapped."""
    if measure(table) <= width or not _counts(table.columns):
        return (table,)
    if _keys(table) == 1 and all(column.kind is ColumnKind.NUMBER for column in table.columns[1:]):
        over = turned(table)
        if measure(over) <= width:
            return (over,)
    return tuple(blocks(table if whole_names else elided(table), width, measure))


def elided(table: Table) -> Table:
    """Long names in the first columns cut in the middle, unless that would make two of them the same."""
    keys = _keys(table)
    names = {name: _elided(name) for row in table.rows for name in row[:keys]}
    if len(set(names.values())) < len(names):
        return table
    rows = tuple((*(names[name] for name in row[:keys]), *row[keys:]) for row in table.rows)
    return table.model_copy(update={"rows": rows})


def _elided(name: str) -> str:
    half = NAME_WIDTH // 2
    return name if len(name) <= NAME_WIDTH else f"{name[: half - 1]}…{name[-half:]}"


def turned(table: Table) -> Table:
    """One column for each row; the first column becomes the heading."""
    names = [row[0] for row in table.rows]
    rows = tuple(
        (column.name, *(row[index] for row in table.rows)) for index, column in enumerate(table.columns[1:], start=1)
    )
    return table.model_copy(update={"columns": (text(""), *numbers(*names)), "rows": rows})


def blocks(table: Table, width: int, measure: Measure) -> Iterable[Table]:
    """The same rows several times, each with their names and as many of the other columns as fit; at least one.

    An interval stays with its rate.
    """
    start, last = _keys(table), len(table.columns)
    first = start
    ends = [
        end for end in range(start + 1, last + 1) if end == last or not table.columns[end].name.startswith(INTERVAL)
    ]
    while start < last:
        possible = [end for end in ends if end > start]
        end = max((end for end in possible if measure(_block(table, start, end)) <= width), default=possible[0])
        block = _block(table, start, end)
        yield block.model_copy(
            update={"title": table.title if start == first else "", "note": table.note if end == last else ""}
        )
        start = end


def _block(table: Table, start: int, end: int) -> Table:
    keys = _keys(table)
    columns = (*table.columns[:keys], *table.columns[start:end])
    rows = tuple((*row[:keys], *row[start:end]) for row in table.rows)
    return table.model_copy(update={"columns": columns, "rows": rows, "title": "", "note": ""})


def _keys(table: Table) -> int:
    """How many columns say what a row is about: those before the first number, and one at least."""
    numbered = (index for index, column in enumerate(table.columns) if column.kind is ColumnKind.NUMBER)
    return max(1, next(numbered, 1))


def _counts(columns: Iterable[Column]) -> bool:
    return any(column.kind is ColumnKind.NUMBER for column in columns)
