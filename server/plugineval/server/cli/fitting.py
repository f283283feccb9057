"""Tables of numbers for a terminal that is too narrow for them: turned over, or cut into blocks of columns.

Nothing is dropped and nothing is shortened: a number that loses digits, or its denominator, is another number.
"""

from collections.abc import Callable, Iterable
from typing import TypeAlias

from plugineval.harness.rendering.model_tables import INTERVAL
from plugineval.harness.rendering.tables import ColumnKind, Table, numbers, text

Measure: TypeAlias = Callable[[Table], int]
"""The width of a table in which no cell is broken over lines."""


def fitting(table: Table, width: int, measure: Measure) -> tuple[Table, ...]:
    """`table` in a form whose lines are at most `width` wide, where there is one; words are left to be wrapped."""
    if measure(table) <= width or not _counts(table):
        return (table,)
    over = turned(table)
    return (over,) if measure(over) <= width else tuple(blocks(table, width, measure))


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
