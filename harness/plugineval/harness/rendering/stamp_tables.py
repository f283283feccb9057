"""How each model was asked, and what its provider made us change of the tools (B8): grading used the originals."""

from collections.abc import Iterable, Iterator

from plugineval.harness.rendering.tables import Table, data, table_of
from plugineval.harness.report import Report
from plugineval.pccf.stamps import SchemaRewrite
from plugineval.pccf.values import Json

SHOWN = 40
"""Kinds of change shown of one model; the JSON report holds all."""


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
    found = {model: list(_grouped(stamp.rewrites)) for model, stamp in report.run.stamps.items()}
    rows = [(model, *line) for model, lines in found.items() for line in lines[:SHOWN]]
    left = "; ".join(f"{len(lines) - SHOWN} more of {model}" for model, lines in found.items() if len(lines) > SHOWN)
    note = "Changes that a provider requires. Descriptions are untouched, and grading uses the original schemas."
    columns = (data("Model"), data("Where"), data("Change"), data("Tools"))
    return table_of("rewrites", "Tools sent with changes", columns, rows, note=f"{note} {left}".strip())


def _grouped(items: Iterable[SchemaRewrite]) -> Iterator[tuple[str, str, str]]:
    """The same change at the same place, with the tools it was made to."""
    tools: dict[tuple[str, str], list[str]] = {}
    for item in items:
        tools.setdefault((item.path, item.change), []).append(item.tool)
    return ((path, change, ", ".join(names)) for (path, change), names in tools.items())


def _shown(value: Json) -> str:
    return "not set" if value is None or value in ({}, []) else str(value)
