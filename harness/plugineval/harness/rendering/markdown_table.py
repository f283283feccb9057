"""One table as markdown; it knows nothing of reports, so that whoever shows a table need not load them."""

from functools import lru_cache

from plugineval.harness.rendering.neutral import code, prose
from plugineval.harness.rendering.tables import ColumnKind, Table

MOST_ROWS, MOST_TABLES = 100, 500
"""Of tables that are kept: a stored report is read again and again, and its tables never change."""


def markdown_table(table: Table) -> str:
    """A GitHub table: numbers to the right, foreign words in code spans."""
    return _kept(table) if len(table.rows) <= MOST_ROWS else _made(table)


@lru_cache(MOST_TABLES)
def _kept(table: Table) -> str:
    return _made(table)


def _made(table: Table) -> str:
    from tabulate import tabulate

    kinds = [column.kind for column in table.columns]
    return tabulate(
        [[_cell(kind, cell) for kind, cell in zip(kinds, row, strict=True)] for row in table.rows],
        headers=[prose(column.name) for column in table.columns],
        tablefmt="pipe",
        colalign=["right" if kind is ColumnKind.NUMBER else "left" for kind in kinds],
        disable_numparse=True,
    )


def _cell(kind: ColumnKind, cell: str) -> str:
    return code(cell) if kind is ColumnKind.DATA else prose(cell)
