"""One round of the loop as data: what was short, what was written for it, and what came of every candidate."""

from collections import Counter

from plugineval.pccf.construction.sources.seeds import SeedFinding
from plugineval.pccf.coverage.deficits import CoverageTable
from plugineval.pccf.coverage.filtering import FilteredCandidate
from plugineval.pccf.coverage.moving import BudgetMove
from plugineval.pccf.routing import Failure
from plugineval.pccf.values import Value


class ConstructionRound(Value):
    """Round r: Delta before and after, and where its candidates went."""

    number: int
    """From 1; round 0 examined the real queries."""
    deficit_before: int
    deficit_after: int
    candidates: int
    """Queries that came in. From round 1 on a writer wrote them, and the synthesis budget pays for them."""
    accepted: int
    rejected: int
    undecided: int
    disputed: int = 0
    """Of the rejected: those on which annotators disagree among themselves."""
    filtered: tuple[FilteredCandidate, ...] = ()
    failures: tuple[Failure, ...] = ()
    """Writing tasks whose writer could not be reached or read."""
    counted: tuple[str, ...] = ()
    """Ids of the examples that fill a budget, in the unit of their observed difficulty (P33)."""
    surplus: tuple[str, ...] = ()
    """Ids of verified examples whose unit was full or had no budget: kept, but not counted."""
    strengthened: int = 0
    """Harder wordings of negatives that proved too easy, as far as they were examined (P32)."""
    harder: int = 0
    """Those of them that the router found harder than the wording they were made from."""
    moves: tuple[BudgetMove, ...] = ()
    """Budgets that left units for which nothing could be written or that are out of reach, or made room for a real
    query.
    """
    seeds: tuple[SeedFinding, ...] = ()
    """Round 0: what the votes said of each real query, and for which tools they were not asked."""
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
