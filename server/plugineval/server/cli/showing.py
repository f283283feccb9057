"""Reports on a terminal: the same tables as the markdown, drawn by rich so that they fit.

Models that know nothing are in the first table alone, unless nothing else was measured; the markdown has all of it.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from textwrap import wrap
from typing import TYPE_CHECKING, Literal

import typer

from plugineval.harness.degenerate import degenerate_models
from plugineval.harness.expiry import Expiry
from plugineval.harness.gradings import FIRST
from plugineval.harness.rendering.decision_tables import expiry_table
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
WRAPPED_WIDTH = 16
"""What a column of sentences has to keep beside unbroken ones."""
DETAILS = frozenset(
    {
        "examples",
        "excluded_examples",
        "coverage",
        "asked_with",
        "provenance",
        "table_one",
        "mixture_shifts",
        "optional",
        "by_tool",
    }
)
"""Tables that a terminal is too narrow for; the markdown report has them."""


async def show_stored_report(store: "Store", named: str, console: "Console", shared: SharedOptions) -> Report:
    """Print the stored report of a run or of a grading; `UnknownNameError` where there is none."""
    report = Report.model_validate((await store.reports.get(named)).body)
    show_report(report, console, shared)
    return report


def show_report(report: Report, console: "Console", shared: SharedOptions, expiry: Expiry | None = None) -> None:
    """Scope, date and expiry first, then the verdict, then the tables, then where the rest is.

    `expiry`: what today's tools, models and gold say about it; an expired report says so first, with the reasons.
    """
    show_sentence(first_line(report, datetime.now(UTC), expiry), console, style="bold")
    show_sentence(report.verdict.sentence, console)
    expired = [expiry_table(expiry)] if expiry is not None and expiry.expired else []
    show_tables([*expired, *terminal_tables(report)], console)
    named = report.run.id if report.grading is None or report.grading.id == FIRST else report.grading.id
    again = shared.command("report", named, "--markdown")
    show_sentence(f"Examples, provenance and definitions: {again}", console, whole=True)


def show_tables(tables: Iterable[Table], console: "Console") -> None:
    """Tables below each other, drawn so that they fit."""
    for table in tables:
        console.print()
        first = table.key == HEADLINE
        for part in fitting(table, console.width, lambda part: _natural_width(part, console), whole_names=first):
            _show_table(part, console)


def terminal_tables(report: Report) -> list[Table]:
    """What a terminal shows of a report."""
    headline = [table for table in report_tables(report) if table.key == HEADLINE]
    rest = report_tables(_without_degenerates(report))
    return headline + [table for table in rest if table.key not in DETAILS | {HEADLINE}]


def _without_degenerates(report: Report) -> Report:
    ids = {model.id for model in degenerate_models()}
    models = tuple(model for model in report.models if model.id not in ids)
    if not models:
        return report
    pairs = tuple(pair for pair in report.comparison.pairs if not {pair.first, pair.second} & ids)
    comparison = report.comparison.model_copy(update={"pairs": pairs})
    return report.model_copy(update={"models": models, "comparison": comparison})


def _natural_width(table: Table, console: "Console") -> int:
    from rich.measure import Measurement

    return Measurement.get(console, console.options.update(width=100_000), _drawn(table, console.width)).maximum


def _show_table(table: Table, console: "Console") -> None:
    if table.title:
        show_sentence(table.title, console, style="bold")
    console.print(_drawn(table, console.width), crop=False)
    if table.note:
        show_sentence(table.note, console, style="dim")


def _unbroken(table: Table, width: int) -> frozenset[int]:
    """The columns of ids and names, which nobody can copy over a break, where what is wrapped has room beside them."""
    words = [[plain(row[index]) for row in table.rows] for index in range(len(table.columns))]
    whole = [index for index, cells in enumerate(words) if not any(" " in cell for cell in cells)]
    widest = {index: max((len(cell) for cell in words[index]), default=0) + 1 for index in whole}
    left = width - sum(widest.values()) - WRAPPED_WIDTH * (len(words) - len(whole))
    return frozenset(whole) if left >= 0 else frozenset()


def _drawn(table: Table, width: int) -> "RichTable":
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    drawn = RichTable(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    unbroken = _unbroken(table, width)
    for index, column in enumerate(table.columns):
        justify: Literal["left", "right"] = "right" if column.kind is ColumnKind.NUMBER else "left"
        drawn.add_column(Text(plain(column.name)), justify=justify, overflow="fold", no_wrap=index in unbroken)
    for row in table.rows:
        drawn.add_row(*map(Text, row))
    return drawn


def show_sentence(text: str, console: "Console", *, style: str | None = None, whole: bool = False) -> None:
    """One line for a person, whatever it holds; `whole` where it holds a command, which is to be copied as one line."""
    # Nobody wraps lines for a file or a pipe, and a person's terminal would do it in the middle of a word.
    soft_wrap = whole or not console.is_terminal
    console.print(plain(text), style=style, markup=False, highlight=False, soft_wrap=soft_wrap)


def show_indented(text: str, console: "Console") -> None:
    """Lines for a person, each with its indent; on a terminal what is too long goes on below it, further in."""
    for line in text.split("\n"):
        inner = line.lstrip(" ")
        indent = line[: len(line) - len(inner)]
        wrapped = wrap(
            inner,
            console.width,
            initial_indent=indent,
            subsequent_indent=f"{indent}    ",
            break_long_words=False,
            break_on_hyphens=False,
        )
        typer.echo("\n".join(wrapped) if console.is_terminal else line)
