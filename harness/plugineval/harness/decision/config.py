"""What "mostly", "varies a lot" and "enough" mean, as numbers (B17): frozen, and printed with every decision."""

from pydantic import Field

from plugineval.pccf.values import Value


class DecisionConfig(Value):
    """Thresholds of the decision rule."""

    dominant_share: float = Field(default=0.5, gt=0, le=1)
    """"Mostly": at least this share of the failed attempts ended in one outcome."""
    minimum_cases: int = Field(default=8, ge=1)
    """Failed cases below which nothing is decided."""
    large_spread: float = Field(default=0.1, gt=0, lt=1)
    """"Varies a lot": the outcome's rate differs by at least this much (0.1 is ten points)..."""
    noise_factor: float = Field(default=2.0, ge=1)
    """... by more than this many run-to-run spreads ..."""
    alpha: float = Field(default=0.05, gt=0, lt=1)
    """... and the exact McNemar test of the two ends gives less than this, corrected for the number of pairs."""
