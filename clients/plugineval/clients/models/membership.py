"""One process among those that use one endpoint: it keeps its lease, asks for turns ahead of time and passes on what
the others say, so that a call costs a round trip to the database only where what was granted is used up.
"""

import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple, Protocol

import anyio

from plugineval.clients.models.allowance import Allowance
from plugineval.clients.models.pace import LEASE_S, Granted, PaceLimits, SharedPace, Told
from plugineval.pccf.errors import StoreError

BEAT_S = 0.5
"""How often the others are met, at least, while calls are made."""
SOON_S = 0.05
"""How soon after places were lowered the others hear that they are free."""
FRESH_S = LEASE_S - 2 * BEAT_S
"""No call begins longer than that after the others were met: they may take this process for dead a little later."""
IDLE_S = 30.0
"""After so long without calls a process leaves the others alone."""

logger = logging.getLogger(__name__)


class Standing(NamedTuple):
    """What a load is at: places it may use, calls in flight, calls that wait for a place."""

    places: int
    in_flight: int
    waiting: int


class Shared(Protocol):
    """A load that has such a membership."""

    @property
    def standing(self) -> Standing:
        """Now."""
        ...

    def granted(self, granted: Granted) -> None:
        """Keep to it."""
        ...


class Membership:
    """Run `keep` beside the calls of `load`."""

    def __init__(
        self,
        pace: SharedPace,
        endpoint: str,
        load: Shared,
        *,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._pace, self._endpoint, self._load = pace, endpoint, load
        self._sleep, self._clock = sleep, clock
        self._name = secrets.token_hex(8)
        self.keep_to(PaceLimits(None, None, None))
        self._members = 1
        self._met_at = -LEASE_S
        self._content = True
        self._pause_s, self._pause_over = 0.0, False
        self._meeting, self._line = anyio.Lock(), anyio.Lock()
        self._news = anyio.Event()
        self._called_at = clock()

    def keep_to(self, limits: PaceLimits) -> None:
        """From now on; what was granted is let go."""
        self._limits = limits
        self._requests = Allowance(limits.requests_per_minute, clock=self._clock)
        self._tokens = Allowance(limits.tokens_per_minute, clock=self._clock)

    @property
    def members(self) -> int:
        """Processes that used the endpoint when they last met."""
        return self._members

    async def turn(self, tokens: float) -> float:
        """Seconds until a turn for one request of `tokens`; they are taken when this returns."""
        self._called_at = self._clock()
        if not self._line.locked() and self._holds(tokens):
            return self._taken(tokens)
        async with self._line:
            while not self._holds(tokens):
                async with self._meeting:
                    wanted = self._requests.wanted(1, self._members), self._tokens.wanted(tokens, self._members)
                    await self._meet(*wanted)
            # Nobody asks for more before what was granted begins: a process that dies takes no more than that with it.
            await self._sleep(self._wait())
            return self._taken(tokens)

    def give_back(self, tokens: float) -> None:
        """The turn was not used."""
        self._requests.correct(-1)
        self._tokens.correct(-tokens)

    def correct(self, tokens: float) -> None:
        """A turn used so many tokens more than was thought."""
        self._tokens.correct(tokens)

    def refused(self, asked_s: float) -> None:
        """The endpoint wants everybody to wait: the others hear it at once."""
        self._pause_s, self._pause_over = max(self._pause_s, asked_s), False
        self._news.set()

    def answered(self) -> None:
        """The endpoint answered in spite of its pause."""
        self._pause_s, self._pause_over = 0.0, True
        self._news.set()

    def crowded(self) -> None:
        """A call waits for a place: where more were left than were wanted, they are asked for at once."""
        if self._content:
            self._content = False
            self._news.set()

    async def keep(self) -> None:
        """Meet the others until this is cancelled; then they have this one's places."""
        try:
            while True:
                await self._beat()
        finally:
            with anyio.CancelScope(shield=True):
                try:
                    await self._pace.leave(self._endpoint, self._name)
                except StoreError as error:
                    logger.warning("%s: not left: %s", self._endpoint, error)

    def _taken(self, tokens: float) -> float:
        wait = self._wait()
        self._requests.correct(1)
        self._tokens.correct(tokens)
        return wait

    def _wait(self) -> float:
        return max(self._requests.wait, self._tokens.wait)

    def _holds(self, tokens: float) -> bool:
        fresh = self._clock() - self._met_at < FRESH_S
        return fresh and self._requests.holds(1) and self._tokens.holds(tokens)

    async def _beat(self) -> None:
        lowered = False
        self._news = anyio.Event()
        try:
            async with self._meeting:
                before = self._load.standing.places
                await self._meet(-self._requests.surplus(self._members), -self._tokens.surplus(self._members))
                lowered = self._load.standing.places < before
        except StoreError as error:
            # Calls meet a database that is gone themselves; one that is slow is there again by the next beat.
            logger.warning("%s: the others were not met: %s", self._endpoint, error)
        idle = self._clock() - self._called_at > IDLE_S and not self._load.standing.in_flight
        with anyio.move_on_after(SOON_S if lowered else LEASE_S if idle else BEAT_S):
            await self._news.wait()

    async def _meet(self, requests: float, tokens: float) -> None:
        sent, standing = self._clock(), self._load.standing
        wanted = standing.in_flight + standing.waiting
        told = Told(max(standing.places, standing.in_flight), wanted, requests, tokens, self._pause_s, self._pause_over)
        granted = await self._pace.meet(self._endpoint, self._name, self._limits, told)
        self._met_at, self._members = sent, granted.members
        self._content = granted.places is not None and wanted < granted.places
        if (self._pause_s, self._pause_over) == (told.pause_s, told.pause_over):
            self._pause_s, self._pause_over = 0.0, False
        self._requests.add(requests, granted.requests_wait_s)
        self._tokens.add(tokens, granted.tokens_wait_s)
        # What was heard meanwhile is news to the others, and counts here.
        self._load.granted(granted._replace(pause_s=max(granted.pause_s, self._pause_s)))
