"""However processes meet, together they have no more places than there are, and no minute holds more turns."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from plugineval.clients.models.pace import PaceLimits, Told
from plugineval.clients.models.rates import BURST_S
from plugineval.server.sharing.pace_state import PaceState, fair_shares

MEMBERS = st.sampled_from("abc")


@given(st.integers(0, 40), st.dictionaries(st.text("abc", min_size=1), st.integers(0, 50), min_size=1), st.integers())
def test_shares_are_within_the_total_and_leave_none_over_that_is_wanted(
    total: int, wanted: dict[str, int], first: int
) -> None:
    shares = fair_shares(total, wanted, first=first)
    assert shares.keys() == wanted.keys()
    assert min(shares.values()) >= 0
    assert total - len(wanted) < sum(shares.values()) <= total or total == 0
    assert sum(min(shares[name], wanted[name]) for name in wanted) == min(total, sum(wanted.values()))


@given(
    st.integers(1, 9), st.lists(st.tuples(MEMBERS, st.integers(0, 12), st.floats(0, 1), st.floats(0, 2)), max_size=60)
)
def test_members_that_keep_to_their_places_never_have_more_calls_in_flight_than_there_are_places(
    total: int, meetings: list[tuple[str, int, float, float]]
) -> None:
    state, now = PaceState(), 1e9
    places, in_flight = Counter[str](), Counter[str]()
    for member, wanted, kept, _ in meetings:
        # Some calls end, some begin, within the places that the member has.
        in_flight[member] = max(int(in_flight[member] * kept), min(wanted, places[member]))
        told = Told(places=max(places[member], in_flight[member]), wanted=wanted)
        state, granted = state.met(member, PaceLimits(total, None, None), told, now)
        assert granted.places is not None
        places[member] = granted.places
        assert sum(max(places[name], in_flight[name]) for name in "abc") <= total


@given(st.lists(st.tuples(MEMBERS, st.floats(0.5, 20), st.floats(0, 3)), min_size=1, max_size=80))
def test_turns_are_within_the_rate_and_a_burst(meetings: list[tuple[str, float, float]]) -> None:
    state, now, turns = PaceState(), 1e6, 0.0
    for member, units, passed in meetings:
        now += passed
        state, granted = state.met(member, PaceLimits(None, 60.0, None), Told(requests=units), now)
        assert granted.requests_wait_s >= -BURST_S
        turns += units
        last = now + granted.requests_wait_s + units
        assert turns <= last - 1e6 + BURST_S + 1e-6
