"""What a durable, fully graded case of a matrix costs."""

from benchmarks.measured import Measured


def measure() -> list[Measured]:
    """Nothing yet."""
    return []
