"""Moving budgets off units that nobody can write for, so that the size that was asked for stays within reach.

A tool without arguments has no request of two inference steps. Where the writer, asked and well, wrote nothing for a
unit, what is missing there is moved to a unit of the same kind and difficulty: to the tool with the smallest budget,
then to its scenario with the smallest. The total never changes, and every move is kept as data.
"""

from collections import Counter
from collections.abc import Collection, Sequence

from pydantic import Field

from plugineval.pccf.coverage.budgets import Budgets, fair_order
from plugineval.pccf.coverage.deficits import CoverageRow
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Value


class BudgetMove(Value):
    """`count` examples that are now asked of `target` instead of `source`, for which nothing could be written."""

    source: CoverageUnit
    target: CoverageUnit
    count: int = Field(ge=1)


class Mover:
    """Moves within one catalog; deterministic."""

    def __init__(self, scenarios: Sequence[Scenario], toolset: Toolset) -> None:
        self._ordered = fair_order(scenarios, toolset)
        self._by_id = {scenario.id: scenario for scenario in scenarios}

    def move(
        self, budgets: Budgets, short: Sequence[CoverageRow], unwritable: Collection[CoverageUnit]
    ) -> tuple[BudgetMove, ...]:
        """Change `budgets` in place: every deficit of an `unwritable` unit moves, where there is a unit to take it."""
        moves: Counter[tuple[CoverageUnit, CoverageUnit]] = Counter()
        for row in short:
            for _ in range(row.deficit if row.unit in unwritable else 0):
                target = self._target(budgets, row.unit, unwritable)
                if target is None:
                    break
                budgets[row.unit] -= 1
                budgets[target] = budgets.get(target, 0) + 1
                moves[row.unit, target] += 1
        return tuple(BudgetMove(source=s, target=t, count=count) for (s, t), count in moves.items())

    def _target(
        self, budgets: Budgets, source: CoverageUnit, unwritable: Collection[CoverageUnit]
    ) -> CoverageUnit | None:
        kind = self._by_id[source.scenario].kind
        open_units = [
            (scenario, unit)
            for scenario in self._ordered
            if scenario.kind is kind
            and (unit := CoverageUnit(scenario=scenario.id, difficulty=source.difficulty)) not in unwritable
        ]
        tools: Counter[str] = Counter()
        used: Counter[str] = Counter()
        for unit, budget in budgets.items():
            if self._by_id[unit.scenario].kind is kind:
                tools[self._by_id[unit.scenario].target] += budget
                used[unit.scenario] += budget
        chosen = min(open_units, key=lambda each: (tools[each[0].target], used[each[0].id]), default=None)
        return None if chosen is None else chosen[1]
