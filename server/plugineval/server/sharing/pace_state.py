"""The arithmetic of a shared endpoint: who is there, who may have how many calls in flight, whose turn comes when.

Pure: a state and a moment in, the next state and what is granted out. Moments are seconds of the database's clock.
"""

from collections.abc import Mapping

from plugineval.clients.models.pace import LEASE_S, Granted, PaceLimits, Told
from plugineval.clients.models.rates import BURST_S
from plugineval.pccf.values import Value

ROTATION_S = 2.0
"""Where there are fewer places than processes that want one, they go round in this time."""


class Member(Value):
    """One process at the endpoint."""

    places: int = 0
    """Calls that it may have in flight, as far as the others know."""
    wanted: int = 0
    until: float
    """Its lease."""


class PaceState(Value):
    """One endpoint."""

    requests_free_at: float = 0.0
    """When the next turn is free that nobody has."""
    tokens_free_at: float = 0.0
    pause_until: float = 0.0
    members: dict[str, Member] = {}

    def met(self, member: str, limits: PaceLimits, told: Told, now: float) -> tuple["PaceState", Granted]:
        """What `member` is granted, and how it then stands; members whose lease is over are gone."""
        others = {name: each for name, each in self.members.items() if name != member and each.until > now}
        places, held = _places(limits.places, others, member, told, now)
        requests_free_at, requests_wait = _turns(self.requests_free_at, limits.requests_per_minute, told.requests, now)
        tokens_free_at, tokens_wait = _turns(self.tokens_free_at, limits.tokens_per_minute, told.tokens, now)
        pause_until = now if told.pause_over else max(self.pause_until, now + told.pause_s)
        after = PaceState(
            requests_free_at=requests_free_at,
            tokens_free_at=tokens_free_at,
            pause_until=pause_until,
            members={**others, member: Member(places=held, wanted=told.wanted, until=now + LEASE_S)},
        )
        pause_s = max(0.0, pause_until - now)
        return after, Granted(places, len(after.members), requests_wait, tokens_wait, pause_s)

    def left(self, member: str) -> "PaceState":
        """Without `member`."""
        rest = {name: each for name, each in self.members.items() if name != member}
        return self.model_copy(update={"members": rest})


def fair_shares(total: int, wanted: Mapping[str, int], *, first: int = 0) -> dict[str, int]:
    """Places by name: nobody gets more than it wants while another wants more, and what is over is for all.

    `first` says who is served first where the places do not go round; whoever counts it up lets each have its turn.
    """
    count = len(wanted)
    order = {name: (number - first) % count for number, name in enumerate(sorted(wanted))}
    shares: dict[str, int] = {}
    for served, name in enumerate(sorted(wanted, key=lambda name: (wanted[name], -order[name]))):
        shares[name] = min(wanted[name], total // (count - served))
        total -= shares[name]
    return {name: share + total // count for name, share in shares.items()}


def _places(
    total: int | None, others: Mapping[str, Member], member: str, told: Told, now: float
) -> tuple[int | None, int]:
    """Places that `member` may use from now on, and those that the others have to leave to it."""
    if total is None:
        return None, 0
    wanted = {name: each.wanted for name, each in others.items()}
    shares = fair_shares(total, {**wanted, member: told.wanted}, first=int(now / ROTATION_S))
    # What others hold is theirs until they have met and let go of it.
    free = max(0, total - sum(each.places for each in others.values()))
    places = min(shares[member], free)
    return places, max(places, told.places)


def _turns(free_at: float, per_minute: float | None, units: float, now: float) -> tuple[float, float]:
    """When the rate is free again after `units`, and seconds until the first of them."""
    if per_minute is None:
        return free_at, 0.0
    start = max(free_at, now - BURST_S) if units > 0 else free_at
    return start + units * 60.0 / per_minute, start - now
