"""Tables of numbers for a terminal that is too narrow for them: turned over, or cut into blocks of columns.

No number is dropped or shortened: without its digits, or its denominator, it would be another number.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from plugineval.harness.rendering.model_tables import INTERVAL
from plugineval.harness.rendering.tables import ColumnKind, Table, numbers, text

NAME_WIDTH = 24
"""What is left of a long name where the table does not fit otherwise."""

Measure: TypeAlias = Callable[[Table], int]
"""The width of a table in which no cell is broken over lines."""


def fitting(table: Table, width: int, measure: Measure, *, whole_names: bool = False) -> tuple[Table, ...]:
    """`table` in a form whose lines are at most `width` wide, where there is one; words are left to be wrapped."""
    if measure(table) <= width or not _counts(table):
        return (table,)
    over = turned(table)
    if measure(over) <= width:
        return (over,)
    return tuple(blocks(table if whole_names else elided(table), width, measure))


def elided(table: Table) -> Table:
    """Long names in the first column cut in the middle, unless that would make two of them the same."""
    names = [_elided(row[0]) for row in table.rows]
    if len(set(names)) < len(names):
        return table
    rows = tuple((name, *row[1:]) for name, row in zip(names, table.rows, strict=True))
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
    """The same rows several times, each with the first column and as many of the others as fit; at least one.

    An interval stays with its rate.
    """
    last = len(table.columns)
    ends = [end for end in range(2, last + 1) if end == last or table.columns[end].name != INTERVAL]
    start = 1
    while start < last:
        possible = [end for end in ends if end > start]
        end = max((end for end in possible if measure(_block(table, start, end)) <= width), default=possible[0])
        block = _block(table, start, end)
        yield block.model_copy(
            update={"title": table.title if start == 1 else "", "note": table.note if end == last else ""}
        )
        start = end


def _block(table: Table, start: int, end: int) -> Table:
    columns = (table.columns[0], *table.columns[start:end])
    rows = tuple((row[0], *row[start:end]) for row in table.rows)
    return table.model_copy(update={"columns": columns, "rows": rows, "title": "", "note": ""})


def _counts(table: Table) -> bool:
    return all(column.kind is ColumnKind.NUMBER for column in table.columns[1:])
