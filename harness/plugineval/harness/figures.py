"""Reports as the paper's figures and its cross-benchmark table: plain data, for any plotting (P55, P57, P58)."""

from collections.abc import Sequence

from plugineval.harness.ranking import RankShift, rank_shifts, ranks
from plugineval.harness.report import ModelReport, Report
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.values import Value

PROFILE = ("miss", "over", "temporal", "missing", "value")
"""Figure 4's categories, in its order."""


class BenchmarkNumbers(Value):
    """One model on one benchmark; `rank` is by accuracy among the models under test that are in every report."""

    benchmark: str
    recall: Rate
    accuracy: Rate
    rank: int | None


class AcrossBenchmarks(Value):
    """One model over several benchmarks: a row of Table 2."""

    model: str
    numbers: tuple[BenchmarkNumbers, ...]
    accuracy_range: float | None
    """Largest minus smallest accuracy over the benchmarks; None without two of them."""
    shifts: tuple[RankShift, ...]
    """From the first benchmark to each of the others."""


def recall_by_difficulty(report: Report) -> dict[str, dict[str, Rate]]:
    """Figure 3: model -> difficulty -> recall, easy first; difficulties without positives are left out."""
    return {
        model.id: {
            level.value: model.by_difficulty[level.value].recall
            for level in Difficulty
            if level.value in model.by_difficulty and model.by_difficulty[level.value].recall.denominator
        }
        for model in report.models
    }


def error_profiles(report: Report) -> dict[str, dict[str, Rate]]:
    """Figure 4: model -> category -> rate; `over` per negative, the others per positive (P53)."""
    return {model.id: {name: getattr(model.errors, name) for name in PROFILE} for model in report.models}


def across_benchmarks(reports: Sequence[Report]) -> tuple[AcrossBenchmarks, ...]:
    """Table 2: the models under test that are in every one of `reports`, in the order of the first."""
    tables = [{model.id: model for model in report.models if model.floor is None} for report in reports]
    shared = [name for name in (tables[0] if tables else {}) if all(name in table for table in tables)]
    accuracies = [{name: table[name].accuracy.value for name in shared} for table in tables]
    return tuple(_row(name, reports, [table[name] for table in tables], accuracies) for name in shared)


def _row(
    name: str, reports: Sequence[Report], models: Sequence[ModelReport], accuracies: Sequence[dict[str, float | None]]
) -> AcrossBenchmarks:
    known = [model.accuracy.value for model in models if model.accuracy.value is not None]
    moves = [rank_shifts(accuracies[0], later) for later in accuracies[1:]]
    return AcrossBenchmarks(
        model=name,
        numbers=tuple(
            BenchmarkNumbers(
                benchmark=report.run.scope.benchmark,
                recall=model.recall,
                accuracy=model.accuracy,
                rank=ranks(accuracy).get(name),
            )
            for report, model, accuracy in zip(reports, models, accuracies, strict=True)
        ),
        accuracy_range=max(known) - min(known) if len(known) > 1 else None,
        shifts=tuple(shift for shifts in moves for shift in shifts if shift.model == name),
    )
