"""Two numbers of a construction (D10): how much more it covers than its seeds, and how far difficulty came out off."""

from collections.abc import Iterable

from plugineval.pccf.examples import Difficulty, Example

Unit = tuple[str, Difficulty]
"""Scenario id and observed difficulty."""


def covered_units(examples: Iterable[Example]) -> frozenset[Unit]:
    """The coverage units that verified examples are in: by the difficulty that was observed, not asked for (P33)."""
    return frozenset((example.scenario, example.difficulty) for example in examples)


def coverage_multiple(verified: Iterable[Example], seeds: Iterable[Example]) -> float | None:
    """Units covered by verified examples / units covered by the seed queries; None without any seed."""
    before = len(covered_units(seeds))
    return len(covered_units(verified)) / before if before else None


def difficulty_deviation(examples: Iterable[Example]) -> float | None:
    """Mean |ordinal(observed) - ordinal(target)|, in steps from 0 to 2; None without examples."""
    steps = [abs(example.difficulty.ordinal - example.target_difficulty.ordinal) for example in examples]
    return sum(steps) / len(steps) if steps else None
