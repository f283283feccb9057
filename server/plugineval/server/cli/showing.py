"""Reports on a terminal: the same tables as the markdown, drawn by rich so that they fit.

Models that know nothing are in the first table alone, unless nothing else was measured; the markdown has all of it.
"""

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.rendering.markdown import report_tables
from plugineval.harness.rendering.neutral import plain
from plugineval.harness.rendering.sections import first_line
from plugineval.harness.rendering.tables import ColumnKind, Table
from plugineval.harness.report import Report
from plugineval.server.cli.fitting import fitting
from plugineval.server.cli.options import SharedOptions

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

    from plugineval.server.store.store import Store

HEADLINE = "models"
DETAILS = frozenset(
    {"examples", "excluded_examples", "coverage", "provenance", "table_one", "mixture_shifts", "optional", "by_tool"}
)
"""Tables that a terminal is too narrow for; the markdown report has them."""


async def show_stored_report(store: "Store", run_id: str, console: "Console", shared: SharedOptions) -> Report:
    """Print the stored report of a run; `UnknownNameError` where there is none."""
    report = Report.model_validate((await store.reports.get(run_id)).body)
    show_report(report, console, shared)
    return report


def show_report(report: Report, console: "Console", shared: SharedOptions) -> None:
    """Scope, date and expiry first, then the verdict, then the tables, then where the rest is."""
    _say(first_line(report, datetime.now(UTC)), console, style="bold")
    _say(report.verdict.sentence, console)
    for table in terminal_tables(report):
        console.print()
        first = table.key == HEADLINE
        for part in fitting(table, console.width, lambda part: _natural_width(part, console), whole_names=first):
            _show_table(part, console)
    _say(f"Examples, provenance and definitions: {shared.command('report', report.run.id, '--markdown')}", console)


def terminal_tables(report: Report) -> list[Table]:
    """What a terminal shows of a report."""
    headline = [table for table in report_tables(report) if table.key == HEADLINE]
    rest = report_tables(_without_degenerates(report))
    return headline + [table for table in rest if table.key not in DETAILS | {HEADLINE}]


def _without_degenerates(report: Report) -> Report:
    ids = {model.id for model in degenerate_models()}
    models = tuple(model for model in report.models if model.id not in ids)
    return report.model_copy(update={"models": models}) if models else report


def _natural_width(table: Table, console: "Console") -> int:
    from rich.measure import Measurement

    return Measurement.get(console, console.options.update(width=100_000), _drawn(table)).maximum


def _show_table(table: Table, console: "Console") -> None:
    if table.title:
        _say(table.title, console, style="bold")
    console.print(_drawn(table), crop=False)
    if table.note:
        _say(table.note, console, style="dim")


def _drawn(table: Table) -> "RichTable":
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for column in table.columns:
        drawn.add_column(
            Text(plain(column.name)), justify="right" if column.kind is ColumnKind.NUMBER else "left", overflow="fold"
        )
    for row in table.rows:
        drawn.add_row(*map(Text, row))
    return drawn


def _say(text: str, console: "Console", *, style: str | None = None) -> None:
    # Nobody wraps lines for a file or a pipe, and a person's terminal would do it in the middle of a word.
    console.print(plain(text), style=style, markup=False, highlight=False, soft_wrap=not console.is_terminal)
