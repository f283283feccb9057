"""One round of the loop as data: what was short, what was written for it, and what came of every candidate."""

from collections import Counter

from plugineval.pccf.coverage.deficits import CoverageTable
from plugineval.pccf.coverage.filtering import FilteredCandidate
from plugineval.pccf.coverage.moving import BudgetMove
from plugineval.pccf.routing import Failure
from plugineval.pccf.values import Value


class ConstructionRound(Value):
    """Round r: Delta before and after, and where its candidates went."""

    number: int
    """From 1."""
    deficit_before: int
    deficit_after: int
    candidates: int
    """Queries that the writer answered with: what the synthesis budget pays for."""
    accepted: int
    rejected: int
    undecided: int
    filtered: tuple[FilteredCandidate, ...] = ()
    failures: tuple[Failure, ...] = ()
    """Writing tasks whose writer could not be reached or read."""
    counted: tuple[str, ...] = ()
    """Ids of the examples that fill a budget, in the unit of their observed difficulty (P33)."""
    surplus: tuple[str, ...] = ()
    """Ids of verified examples whose unit was full or had no budget: kept, but not counted."""
    moves: tuple[BudgetMove, ...] = ()
    """Budgets that left units for which nothing could be written."""
    coverage: CoverageTable
    """After the round, moves included."""

    @property
    def gain(self) -> int:
        """Examples by which the deficit shrank."""
        return self.deficit_before - self.deficit_after

    @property
    def filtered_by_reason(self) -> dict[str, int]:
        """Reason -> number of filtered candidates."""
        return dict(sorted(Counter(f.reason.value for f in self.filtered).items()))

    @property
    def touched_by_outage(self) -> bool:
        """Whether anything failed for a reason that says nothing about the candidates."""
        return bool(self.failures) or self.undecided > 0

    @property
    def lost_to_outage(self) -> bool:
        """Whether outages left not one candidate decided."""
        return self.touched_by_outage and self.accepted + self.rejected == 0
