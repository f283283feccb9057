"""Moving budgets off units that nobody can write for, so that the size that was asked for stays within reach.

A tool without arguments has no request of two inference steps. Where the writer, asked and well, wrote nothing for a
unit, or where a unit proved out of reach, what is missing there is moved to a unit of the same kind and difficulty: to
the tool with the smallest budget, then to its scenario with the smallest. The total never changes, and every move is
kept as data.
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
        self,
        budgets: Budgets,
        short: Sequence[CoverageRow],
        unwritable: Collection[CoverageUnit],
        *,
        known: Collection[CoverageUnit] = (),
    ) -> tuple[BudgetMove, ...]:
        """Change `budgets` in place: every deficit of an `unwritable` unit moves, where there is a unit to take it.

        Where some of the `known` units, in which there are examples already, can take it, one of them does.
        """
        moves: Counter[tuple[CoverageUnit, CoverageUnit]] = Counter()
        for row in short:
            for _ in range(row.deficit if row.unit in unwritable else 0):
                target = self._target(budgets, self._open(row.unit, unwritable, known))
                if target is None:
                    break
                budgets[row.unit] -= 1
                budgets[target] = budgets.get(target, 0) + 1
                moves[row.unit, target] += 1
        return tuple(BudgetMove(source=s, target=t, count=count) for (s, t), count in moves.items())

    def _open(
        self, source: CoverageUnit, unwritable: Collection[CoverageUnit], known: Collection[CoverageUnit]
    ) -> list[tuple[Scenario, CoverageUnit]]:
        kind = self._by_id[source.scenario].kind
        units = [
            (scenario, unit)
            for scenario in self._ordered
            if scenario.kind is kind
            and (unit := CoverageUnit(scenario=scenario.id, difficulty=source.difficulty)) not in unwritable
        ]
        return [each for each in units if each[1] in known] or units

    def _target(self, budgets: Budgets, units: Sequence[tuple[Scenario, CoverageUnit]]) -> CoverageUnit | None:
        if not units:
            return None
        kind = units[0][0].kind
        tools: Counter[str] = Counter()
        used: Counter[str] = Counter()
        for unit, budget in budgets.items():
            if self._by_id[unit.scenario].kind is kind:
                tools[self._by_id[unit.scenario].target] += budget
                used[unit.scenario] += budget
        return min(units, key=lambda each: (tools[each[0].target], used[each[0].id]))[1]
