"""The report as markdown that reads well raw and rendered. Whatever came from plugins or models is neutralised."""

from collections.abc import Sequence
from datetime import datetime

from plugineval.harness.definitions import Definition
from plugineval.harness.rendering.model_tables import model_tables
from plugineval.harness.rendering.neutral import code, prose
from plugineval.harness.rendering.row_tables import row_tables
from plugineval.harness.rendering.sections import first_line, provenance
from plugineval.harness.rendering.tables import ColumnKind, Table
from plugineval.harness.report import Report


def report_tables(report: Report) -> tuple[Table, ...]:
    """Every table of the report that has rows, in reading order."""
    tables = (*model_tables(report), *row_tables(report), provenance(report))
    return tuple(table for table in tables if table.rows)


def render_markdown(report: Report, *, now: datetime | None = None) -> str:
    """The whole report; its first line is scope, date and expiry, and says EXPIRED where `now` is past."""
    parts = [
        f"**{prose(first_line(report, now))}**",
        f"# {prose(report.run.scope.benchmark)}",
        prose(report.verdict.sentence),
        *map(_section, report_tables(report)),
        _definitions(report.definitions),
    ]
    return "\n\n".join(parts) + "\n"


def _section(table: Table) -> str:
    parts = [f"## {table.title}", markdown_table(table), prose(table.note)]
    return "\n\n".join(part for part in parts if part)


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


def _definitions(definitions: Sequence[Definition]) -> str:
    lines = [f"- **{prose(definition.name)}**: {prose(definition.meaning)}" for definition in definitions]
    return "## How to read this\n\n" + "\n".join(lines)
