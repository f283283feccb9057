"""What is still missing, Delta_r(u) = max(0, b(u) - n_r(u)) (P28), and the table of it that reports print."""

from collections.abc import Mapping

from pydantic import Field

from plugineval.pccf.coverage.units import CoverageUnit
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
