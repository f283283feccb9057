"""The arithmetic of a shared endpoint: places, turns, pauses and leases."""

import pytest

from plugineval.clients.models.pace import LEASE_S, Granted, PaceLimits, Told
from plugineval.clients.models.rates import BURST_S
from plugineval.server.sharing.pace_state import ROTATION_S, PaceState, fair_shares

NOW = 1_800_000_000.0
PLACES = PaceLimits(8, None, None)
RATE = PaceLimits(None, 60.0, None)


class Meetings:
    """A state that members meet at."""

    def __init__(self, limits: PaceLimits) -> None:
        self.state, self.limits, self.now = PaceState(), limits, NOW

    def meet(self, member: str, told: Told) -> Granted:
        self.state, granted = self.state.met(member, self.limits, told, self.now)
        return granted


@pytest.mark.parametrize(
    ("total", "wanted", "shares"),
    [
        (8, {"a": 3}, {"a": 8}),
        (8, {"a": 9, "b": 9}, {"a": 4, "b": 4}),
        (8, {"a": 1, "b": 99}, {"a": 1, "b": 7}),
        (8, {"a": 0, "b": 2, "c": 0}, {"a": 2, "b": 4, "c": 2}),
        (1, {"a": 5, "b": 5}, {"a": 1, "b": 0}),
        (0, {"a": 5}, {"a": 0}),
    ],
)
def test_nobody_gets_more_than_it_wants_while_another_wants_more(
    total: int, wanted: dict[str, int], shares: dict[str, int]
) -> None:
    assert fair_shares(total, wanted) == shares


def test_places_that_do_not_go_round_go_round_in_time() -> None:
    served = [fair_shares(1, {"a": 5, "b": 5, "c": 5}, first=turn) for turn in range(6)]
    assert [next(name for name, places in shares.items() if places) for shares in served] == list("abcabc")
    assert ROTATION_S < LEASE_S


def test_a_newcomer_waits_until_the_others_have_let_go_of_its_share() -> None:
    meetings = Meetings(PLACES)
    assert meetings.meet("a", Told(wanted=8)).places == 8
    assert meetings.meet("b", Told(wanted=8)).places == 0
    assert meetings.meet("a", Told(places=8, wanted=8)).places == 4
    assert meetings.meet("b", Told(wanted=8)).places == 0
    assert meetings.meet("a", Told(places=4, wanted=8)).places == 4
    assert meetings.meet("b", Told(wanted=8)) == Granted(4, 2)


def test_the_places_of_a_process_that_died_are_free_when_its_lease_is_over() -> None:
    meetings = Meetings(PLACES)
    meetings.meet("a", Told(wanted=8))
    meetings.now += LEASE_S - 0.1
    assert meetings.meet("b", Told(wanted=8)) == Granted(0, 2)
    meetings.now += 0.2
    assert meetings.meet("b", Told(wanted=8)) == Granted(8, 1)


def test_those_of_one_that_left_are_free_at_once() -> None:
    meetings = Meetings(PLACES)
    meetings.meet("a", Told(wanted=8))
    meetings.state = meetings.state.left("a")
    assert meetings.meet("b", Told(wanted=8)).places == 8


def test_turns_follow_one_another_whoever_takes_them() -> None:
    meetings = Meetings(RATE)
    meetings.meet("a", Told(requests=1 + BURST_S))
    waits = [meetings.meet(member, Told(requests=2)).requests_wait_s for member in "abab"]
    assert waits == pytest.approx([1, 3, 5, 7])


def test_turns_that_nobody_took_are_not_saved_up_beyond_a_burst() -> None:
    meetings = Meetings(RATE)
    meetings.meet("a", Told(requests=1))
    meetings.now += 3600
    assert meetings.meet("a", Told(requests=5)).requests_wait_s == -BURST_S
    assert meetings.meet("b", Told(requests=1)).requests_wait_s == pytest.approx(5 - BURST_S)


def test_turns_that_are_given_back_are_there_for_others() -> None:
    meetings = Meetings(PaceLimits(None, None, 600.0))
    meetings.meet("a", Told(tokens=10 + 10 * BURST_S))
    meetings.meet("a", Told(tokens=500))
    meetings.meet("a", Told(tokens=-480))
    assert meetings.meet("b", Told(tokens=1)).tokens_wait_s == pytest.approx(1 + 2)


def test_a_pause_is_everybodys_until_it_is_over_or_an_answer_ends_it() -> None:
    meetings = Meetings(PLACES)
    meetings.meet("a", Told(pause_s=30))
    meetings.meet("b", Told(pause_s=10))
    meetings.now += 20
    assert meetings.meet("b", Told()).pause_s == pytest.approx(10)
    meetings.meet("a", Told(pause_over=True))
    assert meetings.meet("b", Told()).pause_s == 0
