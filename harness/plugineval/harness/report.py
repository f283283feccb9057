"""A report is a value: scope, date and expiry first, then every model's numbers with what they mean and rest on.

It is built by streaming rows through `ReportBuilder` (memory does not grow with rows), goes to JSON and back without
loss, and is rendered without touching a model or a plugin.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Literal

from pydantic import AwareDatetime

from plugineval.harness.attempts import Attempt
from plugineval.harness.cases import Case
from plugineval.harness.comparison import CommonRows, ModelComparison
from plugineval.harness.construction import Construction
from plugineval.harness.definitions import DEFINITIONS, Definition
from plugineval.harness.degenerate import Degenerate, degenerate_models
from plugineval.harness.grading import GradingPolicy, grade
from plugineval.harness.metrics import ModelMetrics, metrics_of
from plugineval.harness.outcomes import GradedRow
from plugineval.harness.run import RunInfo
from plugineval.harness.samples import RowSample, Samples
from plugineval.harness.scope import expiry_of
from plugineval.harness.tally import Tally
from plugineval.harness.verdict import Contest, Verdict, verdict_of
from plugineval.pccf.values import Value


class ModelReport(ModelMetrics):
    """One model: id, then its metrics. `floor` says what a floor does; None for a model under test."""

    id: str
    floor: str | None = None
    prompt_hash: str = ""


class Report(Value):
    """Everything that is known about a run (B18). Models under test come first, floors last."""

    version: Literal[1] = 1
    run: RunInfo
    reported_at: AwareDatetime
    expires_at: AwareDatetime
    verdict: Verdict
    models: tuple[ModelReport, ...]
    comparison: ModelComparison
    errors: tuple[RowSample, ...] = ()
    """A bounded choice of failed rows and of right rows with calls that may have side effects."""
    excluded: tuple[RowSample, ...] = ()
    """A bounded choice of rows without a verdict; all of them are counted in the models' `exclusions`."""
    construction: Construction | None = None
    definitions: tuple[Definition, ...] = DEFINITIONS

    def expired(self, now: datetime) -> bool:
        """Whether the numbers may no longer be quoted at `now`."""
        return now >= self.expires_at


class ReportBuilder:
    """Takes the rows of one run, in any order, once each."""

    def __init__(
        self,
        run: RunInfo,
        *,
        floors: Mapping[str, str] | None = None,
        beside: Iterable[Degenerate] = (),
        construction: Construction | None = None,
    ) -> None:
        """`floors` maps further floor models to what they do; the degenerate models are known.

        Those of `beside` that the run did not measure are graded here, on the cells of its first model (X8): they need
        no call.
        """
        self._run = run
        self._beside = {model.id: model for model in beside if model.id not in run.config.models}
        self._floors = {model.id: model.description for model in degenerate_models()} | dict(floors or {})
        self._construction = construction
        models = (*run.config.models, *self._beside)
        self._tallies = {model: Tally() for model in models}
        self._common = CommonRows(models)
        self._samples = Samples()

    def add(self, case: Case, attempt: Attempt, row: GradedRow) -> None:
        """Count one row; a model that the run does not name is our bug (`KeyError`)."""
        self._count(row)
        if row.model not in self._floors:
            # How a floor fails is known beforehand.
            self._samples.add(case, attempt, row)
        if row.model == self._run.config.models[0]:
            self._add_beside(case, row.repeat)

    def _add_beside(self, case: Case, repeat: int) -> None:
        policy = GradingPolicy.of(self._run.config)
        for model in self._beside.values():
            attempt = Attempt(
                case_id=case.id,
                model=model.id,
                repeat=repeat,
                reply=model.reply(case.toolset),
                toolset_hash=case.toolset.content_hash,
                at=self._run.started_at,
            )
            self._count(grade(case, attempt, policy=policy))

    def _count(self, row: GradedRow) -> None:
        self._tallies[row.model].add(row)
        self._common.add(row)

    def build(self, *, now: datetime) -> Report:
        """The report of the rows so far."""
        models = sorted((self._model(model, tally) for model, tally in self._tallies.items()), key=_floors_last)
        comparison = self._common.result()
        contest = Contest(comparison, {model.id: model.spread.accuracy for model in models})
        return Report(
            run=self._run,
            reported_at=now,
            expires_at=expiry_of(self._run),
            verdict=verdict_of(
                [model.id for model in models if model.floor is None],
                [model.id for model in models if model.floor is not None],
                contest,
            ),
            models=tuple(models),
            comparison=comparison,
            errors=tuple(sample for sample in self._samples if sample.outcome is not None),
            excluded=tuple(sample for sample in self._samples if sample.outcome is None),
            construction=self._construction,
        )

    def _model(self, model: str, tally: Tally) -> ModelReport:
        beside = self._beside.get(model)
        return ModelReport(
            id=model,
            floor=self._floors.get(model),
            prompt_hash=beside.prompt_hash if beside else self._run.prompt_hashes.get(model, ""),
            **dict(metrics_of(tally)),
        )


def _floors_last(model: ModelReport) -> bool:
    return model.floor is not None
