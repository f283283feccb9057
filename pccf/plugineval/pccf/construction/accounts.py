"""The accounts of a construction: which units are short, what to ask for next, and what counts where.

An example counts in the unit of its observed difficulty, while that unit is short (P33); beyond that it is surplus.
Units that proved out of reach are not asked for again, except for as many examples as must stand in for them.
Everything here is plain bookkeeping in the order of the candidates, so that a replay keeps the same books.
"""

from collections import Counter
from collections.abc import Iterable, Sequence

from plugineval.pccf.construction.examining.drafts import Draft, Examined
from plugineval.pccf.construction.lessons import LOOKS_SHOWN, looked_at, missed, turned_down
from plugineval.pccf.construction.plan import ConstructionPlan
from plugineval.pccf.construction.reach import EXPLORED, Reach
from plugineval.pccf.coverage.budgets import Budgets
from plugineval.pccf.coverage.deficits import CoverageTable, coverage_of
from plugineval.pccf.coverage.moving import BudgetMove, Mover
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Example
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.roles import WritingTask, Written
from plugineval.pccf.scenarios import Scenario, ScenarioKind

OVER_ASK = 2
"""A unit that was asked for before is asked for this multiple of its deficit: what is left is what is hard to get."""
EVIDENCE_KEPT = 5
"""Reasons of the latest rejections that a writer is shown."""


class Accounts:
    """Mutable; owned by one loop and touched between its concurrent parts only."""

    def __init__(self, budgets: Budgets, plan: ConstructionPlan, scenarios: Sequence[Scenario] = ()) -> None:
        self._plan = plan
        self._budgets = dict(budgets)
        self._scenarios = {scenario.id: scenario for scenario in scenarios}
        self._reach = Reach(scenarios)
        self._asked: set[CoverageUnit] = set()
        self._unwritable: set[CoverageUnit] = set()
        self._candidates_left = plan.config.candidates_per_example * plan.config.size
        self._counted: list[Example] = []
        self._surplus: list[Example] = []
        self._filled: Counter[CoverageUnit] = Counter()
        self._texts: dict[str, dict[str, None]] = {}
        self._evidence: dict[CoverageUnit, list[str]] = {}
        self._missed: dict[CoverageUnit, list[str]] = {}
        self._looks: dict[str, str] = {}

    @property
    def scenarios(self) -> tuple[Scenario, ...]:
        """Those of the catalog, and those that real queries brought."""
        return tuple(self._scenarios.values())

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
    def candidates_left(self) -> int:
        """What is left of the synthesis budget."""
        return max(0, self._candidates_left)

    @property
    def exhausted(self) -> bool:
        """Whether the synthesis budget is spent."""
        return self._candidates_left <= 0

    def tasks(self, number: int) -> list[WritingTask]:
        """The writing tasks of round `number`: short units only (P28), within the synthesis budget."""
        left = self._candidates_left
        lacking = self._lacking()
        tasks: list[WritingTask] = []
        for row in self.table.short:
            count = row.deficit * (OVER_ASK if row.unit in self._asked else 1)
            if row.unit not in self._reach:
                kind = self._scenarios[row.unit.scenario].kind
                count = min(row.deficit, lacking[kind])
                lacking[kind] -= count
            count = min(count, left)
            left -= count
            tasks += [self._task(row.unit, count, number)] if count > 0 else []
        return tasks

    def _lacking(self) -> Counter[ScenarioKind]:
        """By kind: how many examples must still be found to stand in for what is out of reach."""
        lacking: Counter[ScenarioKind] = Counter()
        if self._plan.stand_ins:
            for row in self.table.short:
                if row.unit not in self._reach:
                    lacking[self._scenarios[row.unit.scenario].kind] += row.deficit
            lacking.subtract(self._scenarios[example.scenario].kind for example in self._surplus)
        return +lacking

    def _task(self, unit: CoverageUnit, count: int, number: int) -> WritingTask:
        scenario, toolset = self._scenarios[unit.scenario], self._plan.toolset
        return WritingTask(
            scenario=scenario,
            tool=toolset.tool(scenario.target),
            toolset=toolset,
            difficulty=unit.difficulty,
            count=count,
            attempt=number - 1,
            avoid=self.texts(scenario.id),
            evidence=tuple(self._evidence.get(unit, ())[-EVIDENCE_KEPT:]),
            missed=tuple(self._missed.get(unit, ())[-EVIDENCE_KEPT:]),
            returned=self._seen_at(toolset.tool(scenario.target).plugin),
        )

    def _seen_at(self, plugin: str) -> tuple[str, ...]:
        """The opening looks at `plugin`, and the latest results of its tools, one of each."""
        toolset = self._plan.toolset
        opening = [look.text for look in self._plan.looks if look.plugin == plugin]
        later = [look for name, look in self._looks.items() if toolset.tool(name).plugin == plugin]
        return tuple(dict.fromkeys([*opening, *later[-LOOKS_SHOWN:]]))

    def texts(self, scenario: str) -> tuple[str, ...]:
        """What was written for a scenario so far."""
        return tuple(self._texts.get(scenario, ()))

    def wanted(self, unit: CoverageUnit) -> int:
        """How many more examples of `unit` are worth trying for."""
        missing = self._budgets.get(unit, 0) - self._filled[unit]
        return max(0, missing) if unit in self._reach else 0

    def spend(self, task: WritingTask, answer: Written) -> None:
        """Charge written candidates, usable or not, and remember their texts; no text at all is remembered too."""
        self.charge(task.scenario, answer)
        unit = CoverageUnit(scenario=task.scenario.id, difficulty=task.difficulty)
        if answer.candidates:
            self._asked.add(unit)
        elif answer.failure is None:
            self._unwritable.add(unit)

    def charge(self, scenario: Scenario, answer: Written) -> None:
        """Charge written candidates, and remember their texts."""
        self._candidates_left -= len(answer.candidates)
        self._texts.setdefault(scenario.id, {}).update(dict.fromkeys(c.query.text for c in answer.candidates))

    def move(self, number: int) -> tuple[BudgetMove, ...]:
        """After round `number`: move what is missing in units for which nothing could be written, or that are out of
        reach.
        """
        self._reach.end_round()
        closed = self._unwritable | self._reach.to_leave()
        known = self._reach.known if number >= EXPLORED else ()
        mover = Mover(self.scenarios, self._plan.toolset)
        return mover.move(self._budgets, self.table.short, closed, known=known)

    def welcome(self, scenario: Scenario, example: Example) -> tuple[BudgetMove, ...]:
        """Make room for a real query: its unit, where it is full, takes a place from a short one of its kind and
        difficulty, that of the same tool first. Neither the size nor any share changes.
        """
        self._scenarios.setdefault(scenario.id, scenario)
        self._reach.add(self._scenarios[scenario.id])
        unit = CoverageUnit(scenario=scenario.id, difficulty=example.difficulty)
        if self._filled[unit] < self._budgets.get(unit, 0):
            return ()
        donors = [row.unit for row in self.table.short if self._gives(row.unit, unit)]
        if not donors:
            return ()
        donor = min(donors, key=lambda each: self._scenarios[each.scenario].target != scenario.target)
        self._budgets[donor] -= 1
        self._budgets[unit] = self._budgets.get(unit, 0) + 1
        return (BudgetMove(source=donor, target=unit, count=1),)

    def _gives(self, donor: CoverageUnit, unit: CoverageUnit) -> bool:
        kinds = [self._scenarios[each.scenario].kind for each in (donor, unit)]
        return donor.difficulty is unit.difficulty and kinds[0] is kinds[1]

    def file(self, examined: Iterable[Examined]) -> tuple[list[str], list[str]]:
        """Count the accepted ones; ids of (counted, surplus). Rejections become evidence for the writer (P34)."""
        counted: list[str] = []
        surplus: list[str] = []
        for result in examined:
            draft = result.draft
            if result.record.verdict == "rejected":
                trace = turned_down(draft.query.text, result.record)
                self._evidence.setdefault(draft.unit, []).append(trace)
                self._reach.rejected(draft.unit)
            if result.example is not None:
                self._learn(draft, result.example, result.record)
                self._reach.verified(draft.unit if draft.targets else None, result.example)
                fills = self._file(result.example)
                (counted if fills else surplus).append(result.example.id)
        return counted, surplus

    def _learn(self, draft: Draft, example: Example, record: VerificationRecord) -> None:
        if draft.targets and example.difficulty is not draft.unit.difficulty:
            self._missed.setdefault(draft.unit, []).append(missed(example))
        for tool, look in looked_at(record, self._plan.toolset.tools):
            self._looks.pop(tool, None)
            self._looks[tool] = look

    def _file(self, example: Example) -> bool:
        unit = CoverageUnit(scenario=example.scenario, difficulty=example.difficulty)
        fills = self._filled[unit] < self._budgets.get(unit, 0)
        self._filled[unit] += fills
        (self._counted if fills else self._surplus).append(example)
        return fills
