"""Builds a report by streaming the rows of one run through it, in any order, each once.

Memory grows with cases, by two bytes for each of their cells, and not with what rows hold: a row is counted by a few of
its facts, and only those that are shown are wanted whole.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple, TypeAlias

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
from plugineval.harness.row_facts import RowFacts, RowVerdict
from plugineval.harness.run import RunInfo
from plugineval.harness.samples import Samples, kind_of
from plugineval.harness.scope import expiry_of
from plugineval.harness.statistics.case_results import Arm, CaseResults, mark_of
from plugineval.harness.statistics.clusters import accuracy_clusters, clustered_rate, recall_clusters
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.statistics.ledger import CaseLedger
from plugineval.harness.statistics.steadiness import steadiness_of
from plugineval.harness.table_one import TableOne, table_one
from plugineval.harness.tally import Cell, Tally
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


CaseOf: TypeAlias = Callable[[str, str], Case]
"""A case by its id and variant."""


class _Known(NamedTuple):
    """What counting rows needs of their case, found once for each case and not for each row of it."""

    place: int
    """Its number in the ledger."""
    arguments: int
    """Its number among the kinds of cases that `OptionalTally` tells apart."""
    beside: "tuple[_Counting, ...]"
    """What each of the models that are graded beside gets on it, in every repeat."""


class _Counting(NamedTuple):
    """How rows of one verdict are counted."""

    number: int
    """Of the verdict, in the order in which they came."""
    letter: int
    """Of its mark in the ledger."""
    kind: str | None
    """Of the rows that are shown of it; None where none is."""


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
        self._models = frozenset(models)
        self._verdicts: dict[RowVerdict, _Counting] = {}
        self._counted: Counter[tuple[str, int, int]] = Counter()
        self._cases: dict[str, _Known] = {}
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
        """Count one whole row; a model that the run does not name is our bug (`KeyError`)."""
        if self.count(RowFacts.of(attempt, row), lambda _id, _variant: case):
            self.show(case, attempt, row)

    def count(self, facts: RowFacts, case_of: CaseOf) -> bool:
        """The same of what a row is counted by; whether the row is one to be shown, of those so far.

        `case_of` is asked for a case once, and once more for one that is met under a variant.
        """
        model, case_id, repeat, variant, verdict, served, cost, _ = facts
        counting = self._verdicts.get(verdict) or self._counting(verdict)
        self._note_served(model, served)
        if variant:
            self._ledger.put(model, variant, self._place(facts, case_of), repeat, counting.letter)
            return False
        if model not in self._models:
            raise KeyError(model)
        known = self._cases.get(case_id) or self._meet(facts, case_of)
        self._ledger.put(model, "", known.place, repeat, counting.letter)
        self._counted[model, repeat, counting.number] += 1
        self._spending[model].count(cost, correct=verdict.outcome is Outcome.CORRECT)
        if model == self._run.config.models[0]:
            self._add_beside(known, repeat)
        if model in self._floors:
            # How a floor fails is known beforehand.
            return False
        self._optional.count(known.arguments, facts)
        return counting.kind is not None and self._samples.consider(model, counting.kind, case_id, repeat)

    def wanted(self) -> Sequence[tuple[str, str, int]]:
        """Model, case and repeat of the rows that are to be shown, once all are counted."""
        return [*self._samples.chosen]

    def show(self, case: Case, attempt: Attempt, row: GradedRow) -> None:
        """What there is to see of a row that is wanted."""
        self._samples.show(case, attempt, row)

    def build(
        self, *, now: datetime, end_metrics: Iterable[EndMetric] = (), borrowed: Iterable[BorrowedNumber] = ()
    ) -> Report:
        """The report of the rows so far; `end_metrics` and `borrowed` are laid beside its own numbers (B20, B21)."""
        results, statistics = self._ledger.results(), self._config.statistics
        models = sorted((self._model(model, tally, results) for model, tally in self._tallies()), key=_floor_last)
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

    def _tallies(self) -> Iterator[tuple[str, Tally]]:
        tallies = {model: Tally() for model in (*self._run.config.models, *self._beside)}
        verdicts = [*self._verdicts]
        for (model, repeat, number), rows in self._counted.items():
            tallies[model].count_as(Cell(repeat, verdicts[number]), rows)
        return iter(tallies.items())

    def _place(self, facts: RowFacts, case_of: CaseOf) -> int:
        found = self._ledger.known(facts.case_id)
        if found is not None:
            return found
        tools = tools_of(case_of(facts.case_id, facts.variant))
        return self._ledger.place(facts.case_id, tools, facts.verdict.difficulty)

    def _meet(self, facts: RowFacts, case_of: CaseOf) -> "_Known":
        case, place = case_of(facts.case_id, facts.variant), self._place(facts, case_of)
        rows = (self._beside_rows.row(case, model, 0) for model in self._beside.values())
        beside = [self._counting(RowVerdict.of(row)) for row in rows]
        known = self._cases[case.id] = _Known(place, self._optional.kind_of(case), tuple(beside))
        return known

    def _counting(self, verdict: RowVerdict) -> "_Counting":
        fresh = _Counting(len(self._verdicts), self._ledger.letter(mark_of(verdict)), kind_of(verdict))
        return self._verdicts.setdefault(verdict, fresh)

    def _note_served(self, model: str, served: str) -> None:
        known = self._served.setdefault(model, set())
        if served and len(known) < _SERVED_SHOWN:
            known.add(served)

    def _add_beside(self, known: "_Known", repeat: int) -> None:
        for model, counting in zip(self._beside, known.beside, strict=True):
            self._ledger.put(model, "", known.place, repeat, counting.letter)
            self._counted[model, repeat, counting.number] += 1

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
