"""Which units seem out of reach: verified candidates were written for them, and all came out at other difficulties.

1. A unit is out of reach once `ENOUGH` verified candidates that were written for it, strengthened ones included, were
   observed at other difficulties, and no example was ever observed in it.
2. How hard a negative is lies in the router more than in the scenario: once `ENOUGH_OF_KIND` verified negatives of a
   kind were written for a difficulty that no negative of the kind ever showed, that difficulty is out of reach for
   all of its scenarios. A router that answers every run alike never shows a medium negative.
3. One example observed in a unit (or, for 2, at the difficulty) takes it back within reach.

Nothing is written for what is out of reach. Its budget moves to a unit of the same kind and difficulty that is within
reach; where there is none it stays, as a deficit that is told. Counting is not touched: P28 and P33 hold as ever.
"""

from collections import Counter
from collections.abc import Iterable

from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty, Example
from plugineval.pccf.scenarios import Scenario, ScenarioKind

ENOUGH = 3
ENOUGH_OF_KIND = 12

_Class = tuple[ScenarioKind, Difficulty]


class Reach:
    """Learns within one construction, in the order of the candidates."""

    def __init__(self, scenarios: Iterable[Scenario]) -> None:
        self._kinds = {scenario.id: scenario.kind for scenario in scenarios}
        self._missed: Counter[CoverageUnit] = Counter()
        self._missed_of_kind: Counter[_Class] = Counter()
        self._seen: set[CoverageUnit] = set()
        self._seen_of_kind: set[_Class] = set()

    def add(self, scenario: Scenario) -> None:
        """A scenario that came up on the way."""
        self._kinds[scenario.id] = scenario.kind

    def note(self, written_for: CoverageUnit | None, example: Example) -> None:
        """A verified example, and the unit it was written for; None for a real query."""
        seen = CoverageUnit(scenario=example.scenario, difficulty=example.difficulty)
        self._seen.add(seen)
        self._seen_of_kind.add(self._class(seen))
        if written_for is not None and written_for != seen:
            self._missed[written_for] += 1
            self._missed_of_kind[self._class(written_for)] += 1

    def __contains__(self, unit: CoverageUnit) -> bool:
        """Whether `unit` seems to be within reach."""
        if unit in self._seen:
            return True
        if self._missed[unit] >= ENOUGH:
            return False
        found = self._class(unit)
        if found[0].positive or found in self._seen_of_kind:
            return True
        return self._missed_of_kind[found] < ENOUGH_OF_KIND

    def outside(self) -> set[CoverageUnit]:
        """All units of the catalog that are out of reach."""
        units = (CoverageUnit(scenario=s, difficulty=level) for s in self._kinds for level in Difficulty)
        return {unit for unit in units if unit not in self}

    def _class(self, unit: CoverageUnit) -> _Class:
        return self._kinds[unit.scenario], unit.difficulty
