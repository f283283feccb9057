"""Builds a report by streaming the rows of one run through it, in any order, each once.

Memory does not grow with rows where they come case by case, and by a few bytes a row where they come model by model.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime

from plugineval.harness.attempts import Attempt
from plugineval.harness.beside import BesideRows
from plugineval.harness.borrowed import BorrowedNumber
from plugineval.harness.cases import Case
from plugineval.harness.comparison import compare_models
from plugineval.harness.construction import Construction
from plugineval.harness.decision.config import DecisionConfig
from plugineval.harness.decision.rule import decide
from plugineval.harness.degenerate import Degenerate, degenerate_models
from plugineval.harness.end_metric import EndMetric
from plugineval.harness.grading import GradingPolicy
from plugineval.harness.metrics import metrics_of
from plugineval.harness.mixtures import MIXTURES, Mixture
from plugineval.harness.model_spending import SpendingTally
from plugineval.harness.optional_fields import OptionalTally
from plugineval.harness.outcomes import GradedRow, Outcome
from plugineval.harness.report import ModelReport, Report
from plugineval.harness.run import RunInfo
from plugineval.harness.samples import Samples
from plugineval.harness.scope import expiry_of
from plugineval.harness.statistics.case_results import Arm, CaseResults
from plugineval.harness.statistics.clusters import accuracy_clusters, clustered_rate, recall_clusters
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.statistics.ledger import CaseLedger
from plugineval.harness.statistics.steadiness import steadiness_of
from plugineval.harness.table_one import TableOne, table_one
from plugineval.harness.tally import Tally
from plugineval.harness.tool_results import tool_results
from plugineval.harness.variant_results import variant_results
from plugineval.harness.verdict import Contest, verdict_of
from plugineval.pccf.values import Value

_SERVED_SHOWN = 5


class ReportConfig(Value):
    """The numbers of a report that are no numbers of the run."""

    statistics: StatisticsConfig = StatisticsConfig()
    decision: DecisionConfig = DecisionConfig()
    mixtures: tuple[Mixture, ...] = MIXTURES


class ReportBuilder:
    """Takes the rows of one run, in any order, once each."""

    def __init__(
        self,
        run: RunInfo,
        *,
        floors: Mapping[str, str] | None = None,
        beside: Iterable[Degenerate] = (),
        construction: Construction | None = None,
        config: ReportConfig | None = None,
    ) -> None:
        """`floors` maps further floor models to what they do; the degenerate models are known.

        Those of `beside` that the run did not measure are graded here, on the cells of its first model (X8): they need
        no call.
        """
        self._run = run
        self._config = config or ReportConfig()
        self._beside = {model.id: model for model in beside if model.id not in run.config.models}
        self._floors = {model.id: model.description for model in degenerate_models()} | dict(floors or {})
        self._construction = construction
        models = (*run.config.models, *self._beside)
        self._tallies = {model: Tally() for model in models}
        self._ledger = CaseLedger(
            [*map(Arm, models), *_varied_arms(run)],
            repeats=run.config.repeats,
            listed=self._config.statistics.listed_cases,
        )
        self._optional = OptionalTally()
        self._served: dict[str, set[str]] = {}
        self._samples = Samples()
        self._beside_rows = BesideRows(GradingPolicy.of(run.config), at=run.started_at)
        self._spending = {model: SpendingTally() for model in run.config.models}

    def add(self, case: Case, attempt: Attempt, row: GradedRow) -> None:
        """Count one row; a model that the run does not name is our bug (`KeyError`)."""
        self._count(case, row)
        self._note_served(attempt)
        if row.variant:
            return
        self._spending[row.model].add(attempt.reply.spent, correct=row.outcome is Outcome.CORRECT)
        if row.model not in self._floors:
            # How a floor fails is known beforehand.
            self._samples.add(case, attempt, row)
            self._optional.add(case, row)
        if row.model == self._run.config.models[0]:
            self._add_beside(case, row.repeat)

    def build(
        self, *, now: datetime, end_metrics: Iterable[EndMetric] = (), borrowed: Iterable[BorrowedNumber] = ()
    ) -> Report:
        """The report of the rows so far; `end_metrics` and `borrowed` are laid beside its own numbers (B20, B21)."""
        results, statistics = self._ledger.results(), self._config.statistics
        models = sorted((self._model(model, tally, results) for model, tally in self._tallies.items()), key=_floor_last)
        floors = [model.id for model in models if model.floor is not None]
        under_test = [model.id for model in models if model.floor is None]
        # Where only floors were measured, Table 1 is about those that were asked for by name.
        beside = [model for model in floors if model not in self._run.config.models]
        comparison = compare_models(results, floors=floors, config=statistics)
        return Report(
            run=self._run,
            reported_at=now,
            expires_at=expiry_of(self._run),
            verdict=verdict_of(under_test, floors, Contest(comparison)).with_remark(self._favour(under_test)),
            models=tuple(models),
            comparison=comparison,
            decision=decide(results, under_test, self._config.decision) if under_test else None,
            table_one=self._table_one(results, floors if under_test else beside),
            by_tool=tool_results(results, floors=floors, config=statistics),
            variants=variant_results(results, alpha=statistics.alpha),
            optional_fields=self._optional.result(),
            end_metrics=tuple(end_metrics),
            borrowed=tuple(borrowed),
            errors=tuple(sample for sample in self._samples if sample.outcome is not None),
            excluded=tuple(sample for sample in self._samples if sample.outcome is None),
            construction=self._construction,
        )

    def _favour(self, under_test: Sequence[str]) -> str:
        return self._construction.favour(under_test) if self._construction is not None else ""

    def _table_one(self, results: CaseResults, floors: Sequence[str]) -> TableOne | None:
        return table_one(results, floors=floors, mixtures=self._config.mixtures, config=self._config.statistics)

    def _count(self, case: Case, row: GradedRow) -> None:
        if not row.variant:
            self._tallies[row.model].add(row)
        self._ledger.add(row, tools=tools_of(case))

    def _note_served(self, attempt: Attempt) -> None:
        raw = attempt.reply.raw
        served = raw.get("model") if isinstance(raw, dict) else None
        known = self._served.setdefault(attempt.model, set())
        if isinstance(served, str) and len(known) < _SERVED_SHOWN:
            known.add(served)

    def _add_beside(self, case: Case, repeat: int) -> None:
        for model in self._beside.values():
            self._count(case, self._beside_rows.row(case, model, repeat))

    def _model(self, model: str, tally: Tally, results: CaseResults) -> ModelReport:
        beside, arm = self._beside.get(model), Arm(model)
        index = results.index(arm)
        measured = dict(metrics_of(tally))
        measured["recall"] = clustered_rate(recall_clusters(results, index))
        measured["accuracy"] = clustered_rate(accuracy_clusters(results, index))
        return ModelReport(
            id=model,
            floor=self._floors.get(model),
            prompt_hash=beside.prompt_hash if beside else self._run.prompt_hashes.get(model, ""),
            served_by=tuple(sorted(self._served.get(model, ()))),
            steadiness=steadiness_of(results, index, self._ledger.flaky(arm)),
            spending=self._spending[model].result() if model in self._spending else None,
            **measured,
        )


def tools_of(case: Case) -> tuple[str, ...]:
    """The tools a case is about: those its gold calls, and the one that must not be called."""
    forbidden = () if case.gold or case.target_tool is None else (case.target_tool,)
    return tuple(dict.fromkeys((*(call.tool for call in case.gold), *forbidden)))


def _varied_arms(run: RunInfo) -> list[Arm]:
    return [Arm(model, variant.name) for variant in run.config.variants for model in run.config.models]


def _floor_last(model: ModelReport) -> bool:
    return model.floor is not None
