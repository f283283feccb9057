"""Which units seem out of reach, learned from what came of the candidates that were written for them.

1. A unit: `ENOUGH` verified candidates in a row that were written for it, strengthened ones included, were observed at
   other difficulties, and none in between was observed in it.
2. A difficulty of a kind of negatives: how hard a negative is lies in the router more than in the scenario, so
   `ENOUGH_OF_KIND` such misses in a row, over all scenarios of the kind, stand for all of them.
3. Medium negatives of every kind: the router answered `ENOUGH_ALIKE` negatives in a row the same way in all of their
   runs. One that is deterministic, or is asked once, never shows p_K between 0 and 1.

An example that shows the opposite takes a unit back within reach. Nothing is written for what is out of reach. Its
budget moves to a unit of the same kind and difficulty that is within reach, from round `EXPLORED` on to one that is
known to be; where there is none it stays, as a deficit that is told. A scenario for which `ENOUGH_REJECTED` candidates
in a row were rejected gives its budget away like that too; where nobody takes it, it is asked on, because its verdicts
say nothing of its difficulty. Counting is not touched: P28 and P33 hold as ever.
"""

from collections import Counter
from collections.abc import Iterable

from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty, Example
from plugineval.pccf.scenarios import Scenario, ScenarioKind

ENOUGH = 3
ENOUGH_OF_KIND = 8
ENOUGH_ALIKE = 12
ENOUGH_REJECTED = 6
EXPLORED = 3

_Class = tuple[ScenarioKind, Difficulty]


class Reach:
    """Learns within one construction, in the order of the candidates."""

    def __init__(self, scenarios: Iterable[Scenario]) -> None:
        self._kinds = {scenario.id: scenario.kind for scenario in scenarios}
        self._missed: Counter[CoverageUnit] = Counter()
        self._missed_of_kind: Counter[_Class] = Counter()
        self._misses: Counter[CoverageUnit] = Counter()
        self._hits: set[CoverageUnit] = set()
        self._rejected: Counter[str] = Counter()
        self._alike = 0
        self._seen: dict[CoverageUnit, None] = {}

    def add(self, scenario: Scenario) -> None:
        """A scenario that came up on the way."""
        self._kinds[scenario.id] = scenario.kind

    def rejected(self, written_for: CoverageUnit) -> None:
        """A candidate that was not verified."""
        self._rejected[written_for.scenario] += 1

    def verified(self, written_for: CoverageUnit | None, example: Example) -> None:
        """A verified example, and the unit it was written for; None for a real query.

        A miss counts when its round is over: until then it may be strengthened.
        """
        seen = CoverageUnit(scenario=example.scenario, difficulty=example.difficulty)
        self._rejected[seen.scenario] = 0
        self._seen[seen] = None
        self._hits.add(seen)
        if written_for is not None and written_for != seen:
            self._misses[written_for] += 1
        if example.p_k is not None:
            self._alike = self._alike + 1 if example.p_k in {0, 1} else 0

    def end_round(self) -> None:
        """Count the misses; what was hit in the round begins anew."""
        for unit, count in self._misses.items():
            self._missed[unit] += count
            self._missed_of_kind[self._class(unit)] += count
        for unit in self._hits:
            self._missed[unit] = self._missed_of_kind[self._class(unit)] = 0
        self._misses.clear()
        self._hits.clear()

    @property
    def known(self) -> tuple[CoverageUnit, ...]:
        """Units in which examples were observed."""
        return tuple(self._seen)

    def __contains__(self, unit: CoverageUnit) -> bool:
        """Whether `unit` seems to be within reach."""
        if self._missed[unit] >= ENOUGH:
            return False
        found = self._class(unit)
        if found[0].positive:
            return True
        medium = unit.difficulty is Difficulty.MEDIUM
        return self._missed_of_kind[found] < ENOUGH_OF_KIND and not (medium and self._alike >= ENOUGH_ALIKE)

    def to_leave(self) -> set[CoverageUnit]:
        """All units of the catalog whose budgets are better spent elsewhere."""
        units = (CoverageUnit(scenario=s, difficulty=level) for s in self._kinds for level in Difficulty)
        rejected = {scenario for scenario, count in self._rejected.items() if count >= ENOUGH_REJECTED}
        return {unit for unit in units if unit.scenario in rejected or unit not in self}

    def _class(self, unit: CoverageUnit) -> _Class:
        return self._kinds[unit.scenario], unit.difficulty
