"""What the load of an endpoint amounted to, in counts: tries, refusals, pauses, the fewest calls at a time."""

from dataclasses import dataclass


@dataclass(kw_only=True)
class LoadCounts:
    """Counts of one process; seconds are of the clock, however many calls waited."""

    concurrency: int
    """Places as configured."""
    lowest_concurrency: int
    """Fewest places there ever were."""
    tries: int = 0
    refused: int = 0
    """Tries that the endpoint refused for its load."""
    pauses: int = 0
    paused_s: float = 0.0
    throttled_s: float = 0.0
    """Seconds that calls waited for the configured rates, added up over calls."""

    def lowest(self, places: int) -> None:
        """There are only so many places now."""
        self.lowest_concurrency = min(self.lowest_concurrency, places)

    @property
    def sentence(self) -> str:
        """`1671 tries; 334 refused, 12 pauses of 4.1 s in all`; empty where nothing had to wait."""
        parts: list[str] = []
        if self.refused:
            parts.append(f"{self.refused} refused, {self.pauses} pauses of {self.paused_s:.1f} s in all")
        if self.throttled_s >= 1:
            parts.append(f"calls waited {self.throttled_s:.0f} s for the configured rates")
        if self.lowest_concurrency < self.concurrency:
            parts.append(f"lowest concurrency {self.lowest_concurrency} of {self.concurrency}")
        return "; ".join([f"{self.tries} tries", *parts]) if parts else ""
