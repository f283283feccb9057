"""A run against an older run as tables: the scope first, for where it changed the numbers are of two things (B27)."""

from plugineval.harness.drift import Drift, MetricDrift
from plugineval.harness.rendering.tables import (
    NOTHING,
    Table,
    data,
    numbers,
    percent_of,
    points,
    span_of,
    table_of,
    text,
)


def drift_tables(found: Drift) -> tuple[Table, ...]:
    """Every table that has rows, in reading order."""
    return tuple(table for table in (scope(found), metrics(found), models(found), cases(found)) if table.rows)


def drift_sentence(found: Drift) -> str:
    """Whether anything moved. Model ids in it are data."""
    moved = [metric for metric in found.metrics if metric.moved]
    said = "; ".join(map(_moved, moved[:3])) + (f"; and {len(moved) - 3} more" if len(moved) > 3 else "")
    verdict = f"Moved: {said}." if moved else "No metric moved by more than its interval and the run-to-run spread."
    changed = ", ".join(change.field for change in found.scope)
    about = f"The scope changed ({changed}): the numbers are of two things. " if changed else ""
    return f"{about}{verdict} {_came_and_went(found)}".strip()


def scope(found: Drift) -> Table:
    """What is no longer measured on the same thing."""
    rows = [(change.field.replace("_", " "), change.old, change.new) for change in found.scope]
    return table_of("drift_scope", "Changed scope", (text("What"), data("Then"), data("Now")), rows)


def metrics(found: Drift) -> Table:
    """Every metric of every model: the difference with its interval, beside the noise."""
    rows = [
        (
            metric.model,
            metric.metric.replace("_", " "),
            percent_of(metric.old),
            percent_of(metric.new),
            NOTHING if metric.difference is None else points(metric.difference.value),
            span_of(metric.difference),
            points(metric.noise),
            "yes" if metric.moved else "no",
        )
        for metric in found.metrics
    ]
    columns = (
        data("Model"),
        text("Metric"),
        *numbers("Then", "Now", "Difference", "95 % CI", "Run-to-run"),
        text("Moved?"),
    )
    note = "Moved: the interval excludes zero and the difference exceeds the run-to-run spread."
    return table_of("drift", "Then and now", columns, rows, note=note)


def models(found: Drift) -> Table:
    """The cases that both runs have, paired."""
    rows = [(m.model, str(m.common_cases), str(m.better), str(m.worse), f"{m.p:.2g}") for m in found.models]
    columns = (data("Model"), *numbers("Common cases", "Better", "Worse", "p"))
    return table_of("drift_models", "On common cases", columns, rows, note="p: exact McNemar over cases.")


def cases(found: Drift) -> Table:
    """The cases that changed most."""
    rows = [(c.case_id, c.model, f"{100 * c.old:.0f} %", f"{100 * c.new:.0f} %") for c in found.cases]
    columns = (data("Case"), data("Model"), *numbers("Right then", "Right now"))
    more = found.changed_cases - len(rows)
    return table_of("drift_cases", "Changed cases", columns, rows, note=f"{more} more changed." if more else "")


def _moved(metric: MetricDrift) -> str:
    gap = "" if metric.difference is None else f" {100 * metric.difference.value:+.1f} points"
    return f"{metric.metric} of {metric.model}{gap} ({span_of(metric.difference)})"


def _came_and_went(found: Drift) -> str:
    facts = (
        ("Gone: ", ", ".join(found.gone_models)),
        ("New: ", ", ".join(found.added_models)),
        ("Cases gone: ", str(found.gone_cases or "")),
        ("Cases added: ", str(found.added_cases or "")),
    )
    return " ".join(f"{name}{value}." for name, value in facts if value)
