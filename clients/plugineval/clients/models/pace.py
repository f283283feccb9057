"""How processes that use one endpoint stay within its limits together: each meets the others now and then, says what
it needs, and is granted places, turns ahead of time, and the pause that any of them was asked for.
"""

from typing import NamedTuple, Protocol

SLICE_S = 0.25
"""Turns are granted for so much of the endpoint's rate at once, divided by the processes that are there."""
LEASE_S = 5.0
"""Who was not met for so long is taken for dead: its places are free again, and it makes no call before it meets."""


class PaceLimits(NamedTuple):
    """What an endpoint allows to all processes together; None: no limit."""

    places: int | None
    """Calls in flight."""
    requests_per_minute: float | None
    tokens_per_minute: float | None

    @property
    def any(self) -> bool:
        """Whether there is one at all."""
        return any(limit is not None for limit in self)


class Told(NamedTuple):
    """What one process says when it meets the others."""

    places: int = 0
    """Calls it may have in flight until it is answered."""
    wanted: int = 0
    """Calls it has in flight, and calls that wait for a place."""
    requests: float = 0.0
    """Turns that it asks for; what it gives back is negative."""
    tokens: float = 0.0
    pause_s: float = 0.0
    """How long the endpoint has asked it to wait."""
    pause_over: bool = False
    """Whether an answer has shown that others need not wait."""


class Granted(NamedTuple):
    """What it is answered."""

    places: int | None
    """None: as many as it likes."""
    members: int
    """Processes that are there, this one included."""
    requests_wait_s: float = 0.0
    """Until the first of the turns that were asked for; negative where it might have been used already."""
    tokens_wait_s: float = 0.0
    pause_s: float = 0.0


class SharedPace(Protocol):
    """Where the processes meet. `endpoint` names it without anything secret, `member` one user of it."""

    async def meet(self, endpoint: str, member: str, limits: PaceLimits, told: Told) -> Granted:
        """One round trip, however many calls it is for."""
        ...

    async def leave(self, endpoint: str, member: str) -> None:
        """Free its places."""
        ...
