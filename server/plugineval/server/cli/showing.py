"""Reports on a terminal: the same tables as the markdown, drawn by rich."""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from plugineval.harness.rendering.markdown import report_tables
from plugineval.harness.rendering.sections import first_line
from plugineval.harness.rendering.tables import ColumnKind, Table
from plugineval.harness.report import Report

if TYPE_CHECKING:
    from rich.console import Console

    from plugineval.server.store.store import Store

DETAILS = frozenset(
    {"examples", "excluded", "coverage", "provenance", "table_one", "mixture_shifts", "optional", "by_tool"}
)
"""Tables that a terminal is too narrow for; the markdown report has them."""


async def show_stored_report(store: "Store", run_id: str, console: "Console") -> Report:
    """Print the stored report of a run; `UnknownNameError` where there is none."""
    report = Report.model_validate((await store.reports.get(run_id)).body)
    show_report(report, console)
    return report


def show_report(report: Report, console: "Console") -> None:
    """Scope, date and expiry first, then the verdict, then the tables."""
    console.print(first_line(report, datetime.now(UTC)), style="bold", markup=False, highlight=False, soft_wrap=True)
    console.print(report.verdict.sentence, markup=False, highlight=False, soft_wrap=True)
    for table in report_tables(report):
        if table.key not in DETAILS:
            _show_table(table, console)
    console.print(f"Report: plugineval://reports/{report.run.id}, or `plugineval report {report.run.id} --markdown`")


def _show_table(table: Table, console: "Console") -> None:
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(title=table.title, title_justify="left", title_style="bold", caption=table.note or None)
    for column in table.columns:
        drawn.add_column(column.name, justify="right" if column.kind is ColumnKind.NUMBER else "left", overflow="fold")
    for row in table.rows:
        drawn.add_row(*(Text(cell) for cell in row))
    console.print(drawn)
