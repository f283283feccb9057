"""What is still missing, Delta_r(u) = max(0, b(u) - n_r(u)) (P28), and the tables of it that reports print.

A catalog has hundreds of units; the grid adds them up by tool and kind of scenario, so that a person sees at a glance
where examples are missing.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

from pydantic import Field

from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.values import Value


class CoverageRow(Value):
    """One unit: its budget b(u) and the verified examples n(u) that count in it."""

    unit: CoverageUnit
    budget: int = Field(ge=0)
    verified: int = Field(ge=0)

    @property
    def deficit(self) -> int:
        """Delta(u)."""
        return max(0, self.budget - self.verified)


class CoverageTable(Value):
    """All budgeted units in catalog order."""

    rows: tuple[CoverageRow, ...] = ()

    @property
    def deficit(self) -> int:
        """Examples still missing, summed over units."""
        return sum(row.deficit for row in self.rows)

    @property
    def short(self) -> tuple[CoverageRow, ...]:
        """The units that are short of examples: the only ones that are written for."""
        return tuple(row for row in self.rows if row.deficit)


def coverage_of(budgets: Mapping[CoverageUnit, int], verified: Mapping[CoverageUnit, int]) -> CoverageTable:
    """The table of `budgets` where `verified` examples count; a unit without budget is not in it."""
    return CoverageTable(
        rows=tuple(CoverageRow(unit=u, budget=b, verified=verified.get(u, 0)) for u, b in budgets.items())
    )


class GridCell(Value):
    """The units of one tool, kind and difficulty together; a surplus in one fills no deficit in another."""

    budget: int = Field(ge=0)
    verified: int = Field(ge=0)
    deficit: int = Field(ge=0)


class GridRow(Value):
    """One tool and kind of scenario."""

    tool: str
    kind: ScenarioKind
    cells: dict[Difficulty, GridCell]
    """Difficulties that have a budget or an example, from easy to hard."""


def grid_of(table: CoverageTable, scenarios: Iterable[Scenario]) -> tuple[GridRow, ...]:
    """`table` by tool, in the order of `scenarios`, and kind; units of unknown scenarios are left out."""
    by_id = {scenario.id: scenario for scenario in scenarios}
    added: dict[tuple[str, ScenarioKind], dict[Difficulty, Counter[str]]] = {}
    for row in table.rows:
        scenario = by_id.get(row.unit.scenario)
        if scenario is not None and (row.budget or row.verified):
            cells = added.setdefault((scenario.target, scenario.kind), {})
            told = {"budget": row.budget, "verified": row.verified, "deficit": row.deficit}
            cells.setdefault(row.unit.difficulty, Counter()).update(told)
    tools = dict.fromkeys(scenario.target for scenario in by_id.values())
    return tuple(
        GridRow(tool=tool, kind=kind, cells=_cells(added[tool, kind]))
        for tool in tools
        for kind in ScenarioKind
        if (tool, kind) in added
    )


def _cells(added: Mapping[Difficulty, Counter[str]]) -> dict[Difficulty, GridCell]:
    return {level: GridCell(**added[level]) for level in Difficulty if level in added}


def deficits_by_kind(table: CoverageTable, scenarios: Iterable[Scenario]) -> dict[str, int]:
    """Kind of scenario -> examples still missing, for every kind that has a budget."""
    kinds = {scenario.id: scenario.kind for scenario in scenarios}
    missing: Counter[ScenarioKind] = Counter()
    for row in table.rows:
        if row.unit.scenario in kinds:
            missing[kinds[row.unit.scenario]] += row.deficit
    return {kind.value: missing[kind] for kind in ScenarioKind if kind in missing}
