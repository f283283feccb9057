"""Minimum-cost assignment of rows to columns, exact: greedy pairing is a defect (D7).

Costs are lexicographic. One row or one column is a minimum; everything else is scipy's linear sum assignment, loaded
when first needed, on costs packed into one number each. Packed sums stay below 2^53, where floats count exactly; the
levels that would not fit are the last ones, which only choose among pairings that are equally right.
"""

from collections.abc import Sequence
from typing import TypeAlias

Cost: TypeAlias = tuple[int, ...]
_EXACT = 1 << 53


def assign(cost: Sequence[Sequence[Cost]]) -> list[tuple[int, int]]:
    """Pairs (row, column) of least total cost; min(rows, columns) of them, in row order."""
    if not cost or not cost[0]:
        return []
    if len(cost) == 1:
        return [(0, min(range(len(cost[0])), key=lambda column: cost[0][column]))]
    if len(cost[0]) == 1:
        return [(min(range(len(cost)), key=lambda row: cost[row][0]), 0)]
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(_packed(cost))
    return [(int(row), int(column)) for row, column in zip(rows, columns, strict=True)]


def _packed(cost: Sequence[Sequence[Cost]]) -> list[list[int]]:
    pairs = min(len(cost), len(cost[0]))
    scales: list[int] = []
    room = _EXACT
    for values in zip(*(found for row in cost for found in row), strict=True):
        # A level counts for less than one step of the level before it, whatever is summed up.
        room //= pairs * max(values) + 1
        scales.append(room)
    return [[sum(scale * part for scale, part in zip(scales, found, strict=True)) for found in row] for row in cost]
