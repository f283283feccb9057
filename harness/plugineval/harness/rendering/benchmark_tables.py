"""The paper's Table 2: the same models on several benchmarks, with ranks, their shifts and the range (P57)."""

from collections.abc import Sequence

from plugineval.harness.figures import AcrossBenchmarks, BenchmarkNumbers
from plugineval.harness.rendering.tables import NOTHING, Table, data, numbers, percent_of, points, table_of


def across_table(found: Sequence[AcrossBenchmarks]) -> Table:
    """One row per model; the columns of a benchmark stand together, in the order of the reports."""
    benchmarks = [each.benchmark for each in found[0].numbers] if found else []
    columns = (
        data("Model"),
        *(column for name in benchmarks for column in numbers(*(f"{name}: {what}" for what in _OF_EACH))),
        *numbers("Accuracy range", "Rank shifts"),
    )
    rows = [
        (
            row.model,
            *(cell for each in row.numbers for cell in _cells(each)),
            points(row.accuracy_range),
            ", ".join(f"{shift.before or NOTHING} → {shift.after or NOTHING}" for shift in row.shifts) or NOTHING,
        )
        for row in found
    ]
    note = "Models under test that were measured on every one. Rank: by accuracy among them; shifts: from the first."
    return table_of("across_benchmarks", "Across benchmarks", columns, rows, note=note)


_OF_EACH = ("Recall", "Accuracy", "Rank")


def _cells(each: BenchmarkNumbers) -> tuple[str, str, str]:
    return percent_of(each.recall), percent_of(each.accuracy), NOTHING if each.rank is None else str(each.rank)
