"""One table as markdown; it knows nothing of reports, so that whoever shows a table need not load them."""

from plugineval.harness.rendering.neutral import code, prose
from plugineval.harness.rendering.tables import ColumnKind, Table


def markdown_table(table: Table) -> str:
    """A GitHub table: numbers to the right, foreign words in code spans."""
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
