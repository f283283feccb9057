"""The arithmetic of a budget that several processes spend."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.spending import Spent
from plugineval.server.sharing.budget_state import LEASE_S, MOST_AT_ONCE, Allowed, BudgetState, Settled

NOW = 1e9
CALL = Spent(calls=1, input_tokens=90, output_tokens=10, cost=0.25)


def test_calls_are_granted_ahead_and_never_more_than_there_are() -> None:
    limits = BuildLimits(calls=20)
    state, first = BudgetState().settled("a", Settled(Spent(), 0, 64), limits, NOW)
    state, second = state.settled("b", Settled(Spent(), 0, 64), limits, NOW)
    assert (first, second) == (Allowed(MOST_AT_ONCE), Allowed(4))
    state, none = state.settled("b", Settled(Spent(), 4, 64), limits, NOW)
    assert none == Allowed()
    state, _ = state.settled("a", Settled(Spent.total([CALL] * 16), 0, 0), limits, NOW)
    state, end = state.settled("b", Settled(Spent.total([CALL] * 4), 0, 9), limits, NOW)
    assert end == Allowed(0, "the limit of 20 calls is reached (--max-calls)")


def test_what_was_granted_to_a_process_that_fell_silent_counts_as_spent() -> None:
    limits = BuildLimits(calls=20, cost=100)
    state, _ = BudgetState().settled("a", Settled(Spent.total([CALL] * 4), 6), limits, NOW)
    state, allowed = state.settled("b", Settled(Spent(), 0, 99), limits, NOW + LEASE_S + 1)
    assert (state.spent.calls, state.known_cost, allowed.calls) == (10, 2.5, 10)


def test_seconds_pass_once_however_many_work_and_not_between_two_starts() -> None:
    limits = BuildLimits(minutes=1)
    state = BudgetState()
    for second in range(10):
        for spender in "ab":
            state, _ = state.settled(spender, Settled(Spent(), 0), limits, NOW + second)
    state = state.left("a", Spent(), NOW + 10).left("b", Spent(), NOW + 10)
    assert state.seconds == pytest.approx(10)
    state, _ = state.settled("c", Settled(Spent(), 0), limits, NOW + 9_000)
    assert state.seconds == pytest.approx(10)


@pytest.mark.parametrize(
    ("limits", "told", "words"),
    [
        (BuildLimits(cost=9), Settled(Spent(calls=1, cost=None), 0, 1), "cost of an answer is unknown"),
        (BuildLimits(tokens=9), Settled(Spent(calls=1), 0, 1, uncounted=True), "an answer tells no tokens"),
    ],
)
def test_a_limit_that_cannot_be_held_stops_instead_of_being_ignored(
    limits: BuildLimits, told: Settled, words: str
) -> None:
    _, allowed = BudgetState().settled("a", told, limits, NOW)
    assert words in allowed.sentence


@given(
    st.integers(1, 60),
    st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 12), st.integers(0, 12)), max_size=80),
)
def test_spenders_that_make_no_more_calls_than_granted_overshoot_no_limit_of_calls_and_others_by_open_calls(
    cents: int, steps: list[tuple[str, int, int]]
) -> None:
    limits = BuildLimits(calls=40, cost=cents / 4)
    state, open_calls, made = BudgetState(), dict.fromkeys("abc", 0), 0
    for spender, ended, wanted in steps:
        done = min(ended, open_calls[spender])
        open_calls[spender] -= done
        made += done
        told = Settled(Spent.total([CALL] * done), open_calls[spender], wanted)
        state, allowed = state.settled(spender, told, limits, NOW)
        open_calls[spender] += allowed.calls
        assert made + sum(open_calls.values()) <= 40
        # Every call costs the same here, so that only the last one may go beyond, and the first ones, of which nobody
        # knows what they cost.
        if state.spent.calls:
            assert allowed.calls == 0 or made < cents
