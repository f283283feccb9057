"""A pairing that is found without weighing anything is the one pairing of least cost."""

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval.harness.assignment import Cost, Pairing, assign, without_ties

COSTS = st.tuples(st.integers(0, 1), st.integers(0, 2))


@st.composite
def matrices(draw: st.DrawFn) -> list[list[Cost]]:
    rows, columns = draw(st.integers(1, 4)), draw(st.integers(1, 4))
    return draw(st.lists(st.lists(COSTS, min_size=columns, max_size=columns), min_size=rows, max_size=rows))


def total(cost: list[list[Cost]], pairs: Pairing) -> Cost:
    return tuple(map(sum, zip(*(cost[row][column] for row, column in pairs), strict=True)))


def every_pairing(rows: int, columns: int) -> list[Pairing]:
    if rows <= columns:
        return [list(enumerate(chosen)) for chosen in permutations(range(columns), rows)]
    return [sorted((row, column) for column, row in enumerate(chosen)) for chosen in permutations(range(rows), columns)]


@pytest.mark.requirement("D7")
@given(matrices())
def test_what_needs_no_weighing_is_the_only_pairing_of_least_cost(cost: list[list[Cost]]) -> None:
    costs = {tuple(pairs): total(cost, pairs) for pairs in every_pairing(len(cost), len(cost[0]))}
    least = [list(pairs) for pairs, spent in costs.items() if spent == min(costs.values())]
    found = without_ties(cost)
    assert found is None or [found] == least
    assert assign(cost) in least


@pytest.mark.requirement("D7")
def test_each_to_its_own_needs_no_weighing_and_a_tie_does() -> None:
    near, far = (0, 0), (1, 1)
    assert without_ties([[near, far], [far, near]]) == [(0, 0), (1, 1)]
    assert without_ties([[near, far], [far, far]]) == [(0, 0), (1, 1)]
    assert without_ties([[far, near], [far, far], [near, far]]) == [(0, 1), (2, 0)]
    assert without_ties([[near, near], [near, near]]) is None
