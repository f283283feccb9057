"""What becomes of verified examples that the budgets did not ask for, where other units stayed short.

The observed difficulty of a negative cannot be ordered: a deterministic router never shows a medium one. Counting
stays strict (P33): such an example fills no budget and the deficit stays in the table. But when the loop has ended, a
surplus example may stand in for a missing one of the same kind, so that nothing verified is wasted and no kind
disappears; every stand-in is listed with the unit that stayed short.
"""

from collections.abc import Sequence

from plugineval.pccf.coverage.deficits import CoverageTable
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Example
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.values import Value


class StandIn(Value):
    """A selected example that fills no budget: filed under its own difficulty, standing in for `unit`."""

    example: str
    unit: CoverageUnit


def stand_ins(table: CoverageTable, surplus: Sequence[Example], scenarios: Sequence[Scenario]) -> tuple[StandIn, ...]:
    """For every missing example one of `surplus`, if there is one of the same kind.

    The same scenario is preferred, then the same target, then the earliest. The kind never changes, so neither the
    negative share nor the size is ever exceeded.
    """
    by_id = {scenario.id: scenario for scenario in scenarios}
    left = [example for example in surplus if example.scenario in by_id]
    chosen: list[StandIn] = []
    for row in table.short:
        short = by_id[row.unit.scenario]
        for _ in range(row.deficit):
            fitting = [e for e in left if by_id[e.scenario].kind is short.kind]
            if not fitting:
                break
            best = min(fitting, key=lambda e: (e.scenario != short.id, e.target != short.target))
            left.remove(best)
            chosen.append(StandIn(example=best.id, unit=row.unit))
    return tuple(chosen)
