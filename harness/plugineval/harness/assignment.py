"""Minimum-cost assignment of rows to columns, exact: greedy pairing is a defect (D7).

Costs are lexicographic. Where every row can have the column that suits it best, and in one way only, nothing is to be
weighed; everything else is scipy's linear sum assignment, loaded when first needed, on costs packed into one number
each. Packed sums stay below 2^53, where floats count exactly; the levels that would not fit are the last ones, which
only choose among pairings that are equally right.
"""

from collections.abc import Sequence
from typing import TypeAlias

Cost: TypeAlias = tuple[int, ...]
Pairing: TypeAlias = list[tuple[int, int]]
_EXACT = 1 << 53


def assign(cost: Sequence[Sequence[Cost]]) -> Pairing:
    """Pairs (row, column) of least total cost; min(rows, columns) of them, in row order."""
    if not cost or not cost[0]:
        return []
    if len(cost) == 1:
        return [(0, min(range(len(cost[0])), key=lambda column: cost[0][column]))]
    if len(cost[0]) == 1:
        return [(min(range(len(cost)), key=lambda row: cost[row][0]), 0)]
    from scipy.optimize import linear_sum_assignment

    rows, columns = linear_sum_assignment(_packed(cost))
    return list(zip(rows.tolist(), columns.tolist(), strict=True))


def without_ties(cost: Sequence[Sequence[Cost]]) -> Pairing | None:
    """The pairing of least total cost where a glance shows that there is no other; None where it does not.

    No pairing costs less than the least of every row. It is reached in one way only, if again and again some row has
    but one such column left.
    """
    if len(cost) > len(cost[0]):
        turned = without_ties([*zip(*cost, strict=True)])
        return None if turned is None else sorted((row, column) for column, row in turned)
    least = [(row, min(costs)) for row, costs in enumerate(cost)]
    open_rows = {row: {column for column, found in enumerate(cost[row]) if found == lowest} for row, lowest in least}
    pairs: Pairing = []
    while open_rows:
        row = min(open_rows, key=lambda row: len(open_rows[row]))
        if len(open_rows[row]) != 1:
            return None
        (column,) = open_rows.pop(row)
        pairs.append((row, column))
        for columns in open_rows.values():
            columns.discard(column)
    return sorted(pairs)


def _packed(cost: Sequence[Sequence[Cost]]) -> list[list[int]]:
    width, room = len(cost[0]), _EXACT
    cells = [found for row in cost for found in row]
    packed = [0] * len(cells)
    for values in zip(*cells, strict=True):
        most = max(values)
        if most:
            # A level counts for less than one step of the level before it, whatever is summed up.
            room //= min(len(cost), width) * most + 1
            packed = [sofar + room * value for sofar, value in zip(packed, values, strict=True)]
    return [packed[start : start + width] for start in range(0, len(packed), width)]
