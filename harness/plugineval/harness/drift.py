"""A run against an older run of the same benchmark (B27): what moved, whether that is more than noise, and where.

Metrics are compared by the intervals their reports hold (Newcombe); accuracy on the cases that both runs have also by
the exact McNemar test. Where the scope changed, the numbers are of two things, and the drift says so first.
"""

from collections.abc import Iterable, Mapping
from typing import TypeAlias

from plugineval.harness.comparison import larger
from plugineval.harness.metrics import ModelMetrics
from plugineval.harness.outcomes import Confusion, GradedRow
from plugineval.harness.report import ModelReport, Report
from plugineval.harness.run import RunInfo, Scope
from plugineval.harness.stamping import changed_settings
from plugineval.harness.statistics.differences import Difference, difference
from plugineval.harness.statistics.pairs import PairedCases, exact_mcnemar
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value

_Scores: TypeAlias = dict[tuple[str, str], list[bool]]
"""(model, case) -> right or not, of every repeat with a verdict."""


class ScopeChange(Value):
    """A field of the scope, or a setting of a model, that is not what it was."""

    field: str
    old: str
    new: str


class MetricDrift(Value):
    """One metric of one model: `difference` is new minus old."""

    model: str
    metric: str
    old: Rate
    new: Rate
    difference: Difference | None
    noise: float | None = None
    """The larger run-to-run spread of the two runs, where the metric has one (B7)."""
    moved: bool
    """The interval excludes zero, and the difference is larger than the noise."""


class CaseDrift(Value):
    """One case that a model did not do alike in both runs: shares of right repeats."""

    model: str
    case_id: str
    old: float
    new: float


class ModelDrift(Value):
    """One model on the cases that both runs have."""

    model: str
    common_cases: int
    better: int
    worse: int
    p: float
    """Exact McNemar of better against worse cases."""


class Drift(Value):
    """Everything that is not what it was."""

    old_run: str
    new_run: str
    scope: tuple[ScopeChange, ...]
    metrics: tuple[MetricDrift, ...]
    models: tuple[ModelDrift, ...]
    cases: tuple[CaseDrift, ...]
    """The most changed first, bounded; `changed_cases` counts all."""
    changed_cases: int
    gone_models: tuple[str, ...]
    added_models: tuple[str, ...]
    gone_cases: int
    added_cases: int

    @property
    def moved(self) -> bool:
        """Whether any metric of any model moved."""
        return any(metric.moved for metric in self.metrics)


class Drifting:
    """Takes the rows of both runs; memory grows with models x cases."""

    def __init__(self, old: Report, new: Report, *, listed: int = 20) -> None:
        self._old = old
        self._new = new
        self._listed = listed
        self._before: _Scores = {}
        self._after: _Scores = {}

    def add_old(self, row: GradedRow) -> None:
        """A row of the older run."""
        _note(self._before, row)

    def add_new(self, row: GradedRow) -> None:
        """A row of the newer run."""
        _note(self._after, row)

    def result(self) -> Drift:
        """The drift of the models under test that both runs have."""
        old, new = _under_test(self._old), _under_test(self._new)
        shared = [name for name in old if name in new]
        changed = sorted(self._changed(shared), key=lambda case: (-abs(case.new - case.old), case.model, case.case_id))
        before, after = ({case for _, case in scores} for scores in (self._before, self._after))
        return Drift(
            old_run=self._old.run.id,
            new_run=self._new.run.id,
            scope=(
                *_scope_changes(self._old.run.scope, self._new.run.scope),
                *_settings_changes(self._old.run, self._new.run, shared),
            ),
            metrics=tuple(drift for name in shared for drift in _metrics(old[name], new[name])),
            models=tuple(self._model(name) for name in shared),
            cases=tuple(changed[: self._listed]),
            changed_cases=len(changed),
            gone_models=tuple(name for name in old if name not in new),
            added_models=tuple(name for name in new if name not in old),
            gone_cases=len(before - after),
            added_cases=len(after - before),
        )

    def _common(self, model: str) -> Iterable[tuple[str, list[bool], list[bool]]]:
        for (name, case), old in self._before.items():
            new = self._after.get((name, case))
            if name == model and new:
                yield case, old, new

    def _changed(self, models: Iterable[str]) -> Iterable[CaseDrift]:
        for model in models:
            for case, old, new in self._common(model):
                before, after = sum(old) / len(old), sum(new) / len(new)
                if before != after:
                    yield CaseDrift(model=model, case_id=case, old=before, new=after)

    def _model(self, model: str) -> ModelDrift:
        # Cross-multiplied: the runs may have different numbers of repeats.
        paired = PairedCases(
            ((sum(new) * len(old), sum(old) * len(new), len(old) * len(new)), 1) for _, old, new in self._common(model)
        ).discordance
        return ModelDrift(
            model=model,
            common_cases=paired.cases,
            better=paired.first,
            worse=paired.second,
            p=exact_mcnemar(paired.first, paired.second),
        )


def _note(scores: _Scores, row: GradedRow) -> None:
    if row.confusion is not None and not row.variant:
        scores.setdefault((row.model, row.case_id), []).append(row.confusion in {Confusion.TP, Confusion.TN})


def _under_test(report: Report) -> dict[str, ModelReport]:
    return {model.id: model for model in report.models if model.floor is None}


def _metrics(old: ModelReport, new: ModelReport) -> Iterable[MetricDrift]:
    noises = {
        "recall": larger(old.spread.recall, new.spread.recall),
        "accuracy": larger(old.spread.accuracy, new.spread.accuracy),
    }
    before, after = _rates(old), _rates(new)
    for name, rate in before.items():
        gap, noise = difference(after[name], rate), noises.get(name)
        yield MetricDrift(
            model=old.id,
            metric=name,
            old=rate,
            new=after[name],
            difference=gap,
            noise=noise,
            moved=gap is not None and gap.excludes_zero and abs(gap.value) > (noise or 0.0),
        )


def _rates(model: ModelMetrics) -> Mapping[str, Rate]:
    errors = {name: getattr(model.errors, name) for name in type(model.errors).model_fields}
    return {"recall": model.recall, "accuracy": model.accuracy, **errors}


def _scope_changes(old: Scope, new: Scope) -> Iterable[ScopeChange]:
    before, after = old.model_dump(mode="json"), new.model_dump(mode="json")
    for field in before:
        if before[field] != after[field]:
            yield ScopeChange(field=field, old=_short(before[field]), new=_short(after[field]))


def _settings_changes(old: RunInfo, new: RunInfo, models: Iterable[str]) -> Iterable[ScopeChange]:
    for model, setting, then, now in changed_settings(old, new, models):
        yield ScopeChange(field=setting, old=_short(f"{model}: {then}"), new=_short(f"{model}: {now}"))


def _short(value: object) -> str:
    text = str(value)
    return text if len(text) <= 120 else text[:119] + "…"
