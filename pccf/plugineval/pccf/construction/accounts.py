"""The accounts of a construction: which units are short, what to ask for next, and what counts where.

An example counts in the unit of its observed difficulty, while that unit is short (P33); beyond that it is surplus.
Everything here is plain bookkeeping in the order of the candidates, so that a replay keeps the same books.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.drafts import Examined
from plugineval.pccf.coverage.budgets import Budgets
from plugineval.pccf.coverage.deficits import CoverageTable, coverage_of
from plugineval.pccf.coverage.moving import BudgetMove, Mover
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Example
from plugineval.pccf.roles import WritingTask, Written
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import Toolset

OVER_ASK = 2
"""From the second round on a unit is asked for this multiple of its deficit: what is left is what is hard to get."""
EVIDENCE_KEPT = 5
"""Reasons of the latest rejections that a writer is shown."""


class Accounts:
    """Mutable; owned by one loop and touched between its concurrent parts only."""

    def __init__(self, budgets: Budgets, config: BuildConfig) -> None:
        self._budgets = dict(budgets)
        self._unwritable: set[CoverageUnit] = set()
        self._candidates_left = config.candidates_per_example * config.size
        self._counted: list[Example] = []
        self._surplus: list[Example] = []
        self._filled: Counter[CoverageUnit] = Counter()
        self._texts: dict[str, dict[str, None]] = {}
        self._evidence: dict[CoverageUnit, list[str]] = {}

    @property
    def counted(self) -> tuple[Example, ...]:
        """Examples that fill a budget."""
        return tuple(self._counted)

    @property
    def surplus(self) -> tuple[Example, ...]:
        """Verified examples that fill none."""
        return tuple(self._surplus)

    @property
    def table(self) -> CoverageTable:
        """Budgets, counts and deficits as they stand."""
        return coverage_of(self._budgets, self._filled)

    @property
    def exhausted(self) -> bool:
        """Whether the synthesis budget is spent."""
        return self._candidates_left <= 0

    def tasks(self, scenarios: Sequence[Scenario], toolset: Toolset, number: int) -> list[WritingTask]:
        """The writing tasks of round `number`: short units only (P28), within the synthesis budget."""
        by_id = {scenario.id: scenario for scenario in scenarios}
        left = self._candidates_left
        tasks: list[WritingTask] = []
        for row in self.table.short:
            count = min(row.deficit * (OVER_ASK if number > 1 else 1), left)
            if count <= 0:
                break
            left -= count
            tasks.append(self._task(by_id[row.unit.scenario], row.unit, toolset, (count, number)))
        return tasks

    def _task(self, scenario: Scenario, unit: CoverageUnit, toolset: Toolset, asked: tuple[int, int]) -> WritingTask:
        count, number = asked
        return WritingTask(
            scenario=scenario,
            tool=toolset.tool(scenario.target),
            toolset=toolset,
            difficulty=unit.difficulty,
            count=count,
            attempt=number - 1,
            avoid=tuple(self._texts.get(scenario.id, ())),
            evidence=tuple(self._evidence.get(unit, ())[-EVIDENCE_KEPT:]),
        )

    def spend(self, task: WritingTask, answer: Written) -> None:
        """Charge written candidates, usable or not, and remember their texts; no text at all is remembered too."""
        self._candidates_left -= len(answer.candidates)
        self._texts.setdefault(task.scenario.id, {}).update(dict.fromkeys(c.query.text for c in answer.candidates))
        if not answer.candidates and answer.failure is None:
            self._unwritable.add(CoverageUnit(scenario=task.scenario.id, difficulty=task.difficulty))

    def move(self, mover: Mover) -> tuple[BudgetMove, ...]:
        """Move what is missing in units for which nothing could be written."""
        return mover.move(self._budgets, self.table.short, self._unwritable)

    def file(self, examined: Iterable[Examined]) -> tuple[list[str], list[str]]:
        """Count the accepted ones; ids of (counted, surplus). Rejections become evidence for the writer (P34)."""
        counted: list[str] = []
        surplus: list[str] = []
        for result in examined:
            if result.record.verdict == "rejected":
                trace = f"{result.draft.query.text!r}: {result.record.reason}"
                self._evidence.setdefault(result.draft.unit, []).append(trace)
            if result.example is not None:
                fills = self._file(result.example)
                (counted if fills else surplus).append(result.example.id)
        return counted, surplus

    def _file(self, example: Example) -> bool:
        unit = CoverageUnit(scenario=example.scenario, difficulty=example.difficulty)
        fills = self._filled[unit] < self._budgets.get(unit, 0)
        self._filled[unit] += fills
        (self._counted if fills else self._surplus).append(example)
        return fills
