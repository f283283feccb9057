"""How each model was asked, and what its provider made us change of the tools (B8): grading used the originals."""

from plugineval.harness.rendering.tables import Table, data, table_of
from plugineval.harness.report import Report
from plugineval.pccf.values import Json

SHOWN = 40
"""Rewrites shown of one model; the JSON report holds all."""


def stamp_tables(report: Report) -> tuple[Table, ...]:
    """Settings and rewrites, models in the order of the run."""
    return settings(report), rewrites(report)


def settings(report: Report) -> Table:
    """One line a model: every setting that can move its answers."""
    rows = [
        (model, "; ".join(f"{name.replace('_', ' ')} {_shown(value)}" for name, value in stamp.settings.items()))
        for model, stamp in report.run.stamps.items()
    ]
    return table_of("asked_with", "How each model was asked", (data("Model"), data("Settings")), rows)


def rewrites(report: Report) -> Table:
    """Every change made to an offered tool, for the provider of the model."""
    found = {model: stamp.rewrites for model, stamp in report.run.stamps.items() if stamp.rewrites}
    rows = [(model, item.tool, item.path, item.change) for model, items in found.items() for item in items[:SHOWN]]
    left = "; ".join(f"{len(items) - SHOWN} more of {model}" for model, items in found.items() if len(items) > SHOWN)
    note = "Changes that a provider requires. Descriptions are untouched, and grading uses the original schemas."
    columns = (data("Model"), data("Tool"), data("Where"), data("Change"))
    return table_of("rewrites", "Tools sent with changes", columns, rows, note=f"{note} {left}".strip())


def _shown(value: Json) -> str:
    return "not set" if value is None or value in ({}, []) else str(value)
