"""One figure that a benchmark measured, with the bar it must keep and what it is compared with."""

from typing import Literal, NamedTuple


class Measured(NamedTuple):
    """A figure; `reference` says what was measured beside it in the same run, or what the bar comes from."""

    name: str
    value: float
    unit: str
    bar: float | None
    reference: str
    better: Literal["lower", "higher"] = "lower"
    """Which side of the bar is good."""

    @property
    def met(self) -> bool | None:
        """Whether the bar is kept; None where there is none."""
        if self.bar is None:
            return None
        return self.value <= self.bar if self.better == "lower" else self.value >= self.bar
