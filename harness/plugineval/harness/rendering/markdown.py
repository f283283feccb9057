"""The report as markdown that reads well raw and rendered. Whatever came from plugins or models is neutralised."""

from collections.abc import Sequence
from datetime import datetime

from plugineval.harness.definitions import Definition
from plugineval.harness.expiry import Expiry
from plugineval.harness.rendering.comparison_tables import comparison_tables
from plugineval.harness.rendering.decision_tables import decision_tables, expiry_table, first_to_fix
from plugineval.harness.rendering.markdown_table import markdown_table
from plugineval.harness.rendering.model_tables import model_tables
from plugineval.harness.rendering.neutral import prose
from plugineval.harness.rendering.paper_tables import paper_tables
from plugineval.harness.rendering.row_tables import row_tables
from plugineval.harness.rendering.sections import first_line, provenance
from plugineval.harness.rendering.stamp_tables import stamp_tables
from plugineval.harness.rendering.tables import Table
from plugineval.harness.report import Report


def report_tables(report: Report) -> tuple[Table, ...]:
    """Every table of the report that has rows, in reading order."""
    tables = (
        *model_tables(report),
        *comparison_tables(report),
        *decision_tables(report),
        *paper_tables(report),
        *row_tables(report),
        *stamp_tables(report),
        provenance(report),
    )
    return tuple(table for table in tables if table.rows)


def render_markdown(report: Report, *, now: datetime | None = None, expiry: Expiry | None = None) -> str:
    """The whole report; its first line is scope, date and expiry, and says EXPIRED where `now` is past.

    With `expiry`, what today's tools, models and gold say about it, an expired report says so first, with the reasons.
    """
    checked = (expiry_table(expiry),) if expiry is not None else ()
    parts = [
        f"**{prose(first_line(report, now, expiry))}**",
        f"# {prose(report.run.scope.benchmark)}",
        prose(report.verdict.sentence),
        prose(first_to_fix(report)),
        *map(_section, (table for table in checked if table.rows)),
        *map(_section, report_tables(report)),
        _definitions(report.definitions),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _section(table: Table) -> str:
    parts = [f"## {table.title}", markdown_table(table), prose(table.note)]
    return "\n\n".join(part for part in parts if part)


def _definitions(definitions: Sequence[Definition]) -> str:
    lines = [f"- **{prose(definition.name)}**: {prose(definition.meaning)}" for definition in definitions]
    return "## How to read this\n\n" + "\n".join(lines)
