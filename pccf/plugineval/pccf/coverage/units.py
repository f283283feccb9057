"""The coverage unit: one scenario at one difficulty (P25). Budgets, counts and deficits are kept per unit."""

from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.values import Value


class CoverageUnit(Value):
    """Scenario id x difficulty."""

    scenario: str
    difficulty: Difficulty

    def __hash__(self) -> int:
        """Units are keys of budgets and counts."""
        return hash((self.scenario, self.difficulty))

    @property
    def key(self) -> str:
        """`scenario|difficulty`, as it stands in every report."""
        return f"{self.scenario}|{self.difficulty.value}"

    def gap(self, round_number: int) -> str:
        """`scenario|difficulty@round`, the `gap` of examples that were written for this unit in that round (P36)."""
        return f"{self.key}@{round_number}"

    @staticmethod
    def round_of(gap: str) -> int:
        """The round in which a gap was written for; 0 for a bare key."""
        number = gap.rpartition("@")[2]
        return int(number) if number.isdecimal() else 0

    @classmethod
    def of(cls, key: str) -> "CoverageUnit":
        """The unit that a key or a gap names; `InvalidRecordError` where it names none."""
        scenario, bar, rest = key.rpartition("|")
        difficulty = rest.partition("@")[0]
        if not bar or difficulty not in {d.value for d in Difficulty}:
            raise InvalidRecordError(
                f"{key!r} is not a coverage unit", field="gap", allowed=(f"scenario|{d.value}" for d in Difficulty)
            )
        return cls(scenario=scenario, difficulty=Difficulty(difficulty))
