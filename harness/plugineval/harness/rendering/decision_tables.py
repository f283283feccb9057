"""The decision with its numbers and thresholds, optional arguments, and what was measured elsewhere."""

from collections.abc import Iterator

from plugineval.harness.decision.rule import Decision
from plugineval.harness.decision.sentences import caveats, decision_sentence
from plugineval.harness.decision.spreads import Spread
from plugineval.harness.expiry import Expiry
from plugineval.harness.optional_fields import OptionalFields
from plugineval.harness.rendering.tables import Table, data, numbers, percent_of, points, table_of, text
from plugineval.harness.report import Report

FIELDS_SHOWN = 20


def decision_tables(report: Report) -> tuple[Table, ...]:
    """All of them, in reading order."""
    return (*_decision(report.decision), *_optional(report.optional_fields), *_ends(report), borrowed(report))


def decision_table(decision: Decision) -> Table:
    """What was held against which threshold (B17)."""
    columns = (text("What"), data("Measured"), text("Threshold"))
    return table_of(
        "decision", "What to fix first", columns, _decision_rows(decision), note=" ".join(caveats(decision))
    )


def expiry_table(expiry: Expiry) -> Table:
    """Why the numbers may no longer be quoted (X4), and what could not be checked."""
    rows = [(reason.kind.value, reason.what, reason.detail) for reason in expiry.reasons]
    rows += [("not checked", what, "what it was, or what it is now, is not known") for what in expiry.unchecked]
    columns = (text("Reason"), data("What"), data("Detail"))
    return table_of("expiry", "Whether these numbers still hold", columns, rows)


def optional_arguments(found: OptionalFields) -> Table:
    """Every optional argument that a row is about (B25)."""
    rows = [
        (f.model, f.tool, f.argument, percent_of(f.right), str(f.omitted), str(f.wrong), percent_of(f.added))
        for f in found.fields[:FIELDS_SHOWN]
    ]
    columns = (
        data("Model"),
        data("Tool"),
        data("Argument"),
        *numbers("Right where gold sets it", "Omitted", "Wrong", "Added where gold does not"),
    )
    note = "On positives whose tools were all called; the most failures first."
    if found.counted > len(rows):
        note += f" {found.counted - len(rows)} more."
    return table_of("optional", "Optional arguments", columns, rows, note=note)


def optional_recall(found: OptionalFields) -> Table:
    """Recall with and without optional arguments in gold."""
    rows = [(model, percent_of(rate), percent_of(found.off.get(model))) for model, rate in found.on.items()]
    columns = (data("Model"), *numbers("Gold sets an optional argument", "Gold sets none"))
    shown = rows if any(rate.denominator for rate in found.on.values()) else []
    return table_of("optional_recall", "Recall with optional arguments", columns, shown)


def borrowed(report: Report) -> Table:
    """Quoted figures: never without model and month (B20)."""
    rows = [(b.metric, f"{b.value:g}", b.model, b.month, b.source, b.note) for b in report.borrowed]
    columns = (data("Metric"), *numbers("Value"), data("Model"), text("Month"), data("Source"), data("Note"))
    return table_of("borrowed", "Borrowed numbers, not measured here", columns, rows)


def _decision(decision: Decision | None) -> Iterator[Table]:
    if decision is not None and decision.buckets is not None:
        yield decision_table(decision)


def _decision_rows(decision: Decision) -> Iterator[tuple[str, str, str]]:
    config, buckets, spreads = decision.config, decision.buckets, decision.spreads
    yield ("Recommendation", f"{decision.recommendation.value} ({decision.why.value})", "")
    if buckets is not None:
        counts = ", ".join(f"{outcome.value} {number}" for outcome, number in buckets.counts.items() if number)
        yield ("Failed attempts", counts or "none", "")
        yield ("Failed cases", str(buckets.failed_cases), f"at least {config.minimum_cases}")
        yield ("Share of the leading outcome", percent_of(buckets.share), f"at least {config.dominant_share:g}")
    if spreads is not None:
        yield ("Its spread between models", _spread(spreads.between_models), f"at least {points(config.large_spread)}")
        yield ("Its spread between descriptions", _spread(spreads.between_variants), "below the spread between models")
        limit = f"{config.noise_factor:g} times it below the spread between models, and p < {config.alpha:g}"
        yield ("Its spread between runs", points(spreads.run_to_run), limit)


def _spread(spread: Spread | None) -> str:
    if spread is None:
        return "not measured"
    ends = (f"{end.model}{f' [{end.variant}]' if end.variant else ''}" for end in (spread.least, spread.most))
    return f"{points(spread.width)} from {' to '.join(ends)}, p = {spread.p:.2g}"


def _optional(found: OptionalFields | None) -> Iterator[Table]:
    if found is not None:
        yield optional_recall(found)
        yield optional_arguments(found)


def _ends(report: Report) -> Iterator[Table]:
    columns = (
        data("Model"),
        *numbers("End reached", "Call right", "Call right, end not reached", "End without the call"),
    )
    for metric in report.end_metrics:
        rows = [
            (model, percent_of(found.end), percent_of(found.call), str(found.call_only), str(found.end_only))
            for model, found in metric.models.items()
        ]
        yield table_of(
            "end_metric", "The end apart from the call", columns, rows, note=f"{metric.name}: {metric.meaning}"
        )


def first_to_fix(report: Report) -> str:
    """The decision's sentence; empty where there is none. Model ids in it are data."""
    return decision_sentence(report.decision) if report.decision is not None else ""
