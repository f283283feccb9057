"""The tables about differences: pairs of models, variants of descriptions, steadiness over repeats, tools."""

from collections.abc import Sequence

from plugineval.harness.comparison import PairResult
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
from plugineval.harness.report import ModelReport, Report
from plugineval.harness.statistics.sample_size import SampleSize
from plugineval.harness.tool_results import ToolResult
from plugineval.harness.variant_results import VariantResult

PAIRS_SHOWN = 15
TOOLS_SHOWN = 20


def comparison_tables(report: Report) -> tuple[Table, ...]:
    """All of them, in reading order."""
    return (pairs(report), steadiness(report.models), variants(report.variants), tools(report.by_tool))


def pairs(report: Report) -> Table:
    """Models under test against each other, and the best of them against every floor."""
    floors = {model.id for model in report.models if model.floor}
    shown = [pair for pair in report.comparison.pairs if not {pair.first, pair.second} & floors]
    best = next((model for model in _ranked(report) if model not in floors), None)
    shown += [pair for pair in report.comparison.pairs if best in {pair.first, pair.second} and pair not in shown]
    rows = [_pair(pair) for pair in shown[:PAIRS_SHOWN]]
    columns = (
        data("Model"),
        data("Other"),
        *numbers("Accuracy", "95 % CI", "Only first right", "Only other right", "p", "Run-to-run"),
        text("Difference"),
        *numbers("Cases to settle"),
    )
    note = f"{report.comparison.rows} common rows of {report.comparison.cases} cases."
    if len(shown) > len(rows):
        note += f" {len(shown) - len(rows)} more pairs are in the JSON."
    if report.comparison.config:
        note += f" A difference is claimed where p < {report.comparison.config.alpha:g} and it exceeds run-to-run."
    return table_of("pairs", "Differences on common rows", columns, rows, note=note if rows else "")


def steadiness(models: Sequence[ModelReport]) -> Table:
    """What repeats show: flaky cases, pass^k and pass@k."""
    repeated = [(m.id, m.steadiness) for m in models if m.floor is None and m.steadiness and m.steadiness.repeated]
    rows = [
        (
            name,
            f"{found.flaky}/{found.repeated}",
            _chances(found.pass_hat),
            _chances(found.pass_at),
            ", ".join(found.flaky_cases[:5]) + (", …" if found.flaky > 5 else ""),
        )
        for name, found in repeated
    ]
    columns = (data("Model"), *numbers("Flaky cases", "pass^k", "pass@k"), data("For example"))
    return table_of("steadiness", "Over the repeats", columns, rows, note="k = 1, 2, … up to the repeats, in percent.")


def variants(results: Sequence[VariantResult]) -> Table:
    """Descriptions as an arm: accuracy under each variant beside the published one (X7)."""
    rows = [
        (
            found.model,
            found.variant,
            percent_of(found.published),
            percent_of(found.varied),
            points(found.difference.value) if found.difference else NOTHING,
            span_of(found.difference),
            f"{found.p_adjusted:.2g}",
            "yes" if found.differs else "not found",
            _needed(found.needed, found.cases),
        )
        for found in results
    ]
    columns = (
        data("Model"),
        data("Variant"),
        *numbers("Published", "Varied", "Difference", "95 % CI", "p"),
        text("Difference?"),
        *numbers("Cases to settle"),
    )
    return table_of("variants", "Variants of the descriptions", columns, rows)


def tools(results: Sequence[ToolResult]) -> Table:
    """Per tool, the best model and those not shown to be behind it; of many tools, those with the most cases."""
    shown = sorted(results, key=lambda result: (-result.cases, result.tool))[:TOOLS_SHOWN]
    rows = [
        (
            found.tool,
            str(found.cases),
            found.best,
            percent_of(found.accuracy[found.best]),
            ", ".join(found.level) or NOTHING,
            ", ".join(model for model in found.accuracy if model not in {found.best, *found.level}) or NOTHING,
        )
        for found in shown
    ]
    columns = (
        data("Tool"),
        *numbers("Cases"),
        data("Best"),
        *numbers("Accuracy"),
        data("No difference shown"),
        data("Behind"),
    )
    note = f"{len(results) - len(shown)} more tools are in the JSON." if len(results) > len(shown) else ""
    return table_of("by_tool", "By tool", columns, rows, note=note)


def _pair(pair: PairResult) -> tuple[str, ...]:
    return (
        pair.first,
        pair.second,
        f"{points(pair.difference.value)}",
        span_of(pair.difference),
        str(pair.only_first),
        str(pair.only_second),
        f"{pair.p_adjusted:.2g}",
        points(pair.noise),
        "yes" if pair.differs else "not found",
        _needed(pair.needed, pair.cases),
    )


def _needed(found: SampleSize | None, cases: int) -> str:
    return NOTHING if found is None or found.settles <= cases else f"{found.settles:,}"


def _chances(values: dict[int, float]) -> str:
    return ", ".join(f"{100 * value:.1f}" for _, value in sorted(values.items())) or NOTHING


def _ranked(report: Report) -> list[str]:
    found = report.comparison.models
    return sorted(found, key=lambda model: -(found[model].accuracy.value or 0.0))
