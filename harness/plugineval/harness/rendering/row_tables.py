"""The tables about rows: where the two views part, what was excluded, and examples to look at."""

import json
from collections.abc import Sequence

from plugineval.harness.rendering.tables import Table, data, numbers, table_of, text
from plugineval.harness.report import ModelReport, Report
from plugineval.harness.samples import CallText, RowSample

_WIDTH = 90


def row_tables(report: Report) -> tuple[Table, ...]:
    """All of them, in reading order."""
    return (
        exclusions(report.models),
        views(report.models),
        examples(report.errors),
        excluded(report.excluded),
        *coverage(report),
    )


def exclusions(models: Sequence[ModelReport]) -> Table:
    """Rows without a verdict, by reason (X11)."""
    rows = [(m.id, reason.value, str(number), str(m.rows)) for m in models for reason, number in m.exclusions.items()]
    columns = (data("Model"), text("Reason"), *numbers("Excluded", "of rows"))
    return table_of("exclusions", "Excluded rows", columns, rows)


def views(models: Sequence[ModelReport]) -> Table:
    """Where the paper's view and the six outcomes part, and why (D15)."""
    rows = [
        (m.id, cell.confusion.value, cell.outcome.value, str(cell.rows), cell.why)
        for m in models
        for cell in m.views
        if not cell.agree
    ]
    columns = (data("Model"), text("Paper"), text("Outcome"), *numbers("Rows"), text("Why"))
    note = "Paper: the row's confusion count. Outcome: its stricter verdict of six. Why: what makes the two differ."
    return table_of("views", "Where the two views part", columns, rows, note=note)


def examples(samples: Sequence[RowSample]) -> Table:
    """Failed rows, and right rows with a call that may have side effects."""
    columns = (
        data("Case"),
        data("Model"),
        text("Outcome"),
        data("Query"),
        data("Gold"),
        data("Predicted"),
        data("Why"),
    )
    rows = [
        (s.case_id, s.model, s.kind, _cut(s.query), calls(s.gold), calls(s.predicted), _cut(s.reason)) for s in samples
    ]
    return table_of("examples", "Examples", columns, rows)


def excluded(samples: Sequence[RowSample]) -> Table:
    """Examples of excluded rows with what broke."""
    rows = [(s.case_id, s.model, s.kind, _cut(s.reason)) for s in samples]
    columns = (data("Case"), data("Model"), text("Reason"), data("Detail"))
    return table_of("excluded_examples", "Examples of excluded rows", columns, rows)


def coverage(report: Report) -> tuple[Table, ...]:
    """Units of the benchmark's construction: asked for and verified."""
    if report.construction is None:
        return ()
    rows = [(unit.unit, str(unit.budget), str(unit.verified)) for unit in report.construction.coverage]
    return (table_of("coverage", "Coverage", (data("Scenario | difficulty"), *numbers("Budget", "Verified")), rows),)


def calls(found: Sequence[CallText]) -> str:
    """Calls on one line, `⊥` for none."""
    return _cut("; ".join(map(_call, found)) or "⊥")


def _call(call: CallText) -> str:
    if isinstance(call.arguments, str):
        return f"{call.tool}({call.arguments})"
    shown = (f"{name}={json.dumps(value, ensure_ascii=False)}" for name, value in call.arguments.items())
    return f"{call.tool}({', '.join(shown)})"


def _cut(words: str) -> str:
    return words if len(words) <= _WIDTH else words[: _WIDTH - 1] + "…"
