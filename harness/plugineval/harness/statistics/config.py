"""The numbers that decide what counts as a difference: frozen, and printed in every report (B17)."""

from pydantic import Field

from plugineval.pccf.values import Value


class StatisticsConfig(Value):
    """Levels and seeds of a report's statistics."""

    alpha: float = Field(default=0.05, gt=0, lt=1)
    """A difference is claimed below this p, after Holm's correction for the number of pairs."""
    power: float = Field(default=0.8, gt=0, lt=1)
    """Chance with which a planned sample would show a true difference of the observed size."""
    resamples: int = Field(default=1000, ge=1)
    seed: int = 20260725
    listed_cases: int = Field(default=20, ge=0)
    """Cases that are named where a report lists some of many."""
