"""What all models of one endpoint share: places for calls in flight, rates a minute, and a pause that one call's
refusal begins for all.

A refusal is believed at once, and put to the proof: during the pause one call at a time, `SCOUTS` in all, may go on.
An answer to it shows that the refusal was not meant for everybody, and ends the pause. Places are halved where half of
the last answers were refusals and come back one by one. A load that is a member of an endpoint which processes share
gets its turns and places from them, and every pause is theirs too.
"""

import time
from collections import deque
from collections.abc import Awaitable, Callable

import anyio

from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.failures import TryFailed
from plugineval.clients.models.load_counts import LoadCounts
from plugineval.clients.models.membership import Membership, Standing
from plugineval.clients.models.pace import Granted, PaceLimits
from plugineval.clients.models.rates import Rate
from plugineval.pccf.routing import FailureKind

SCOUTS = 3
"""Calls that may try an endpoint during one pause."""
RECOVERY = 10
"""Answers after which one place comes back."""
WINDOW = 16
"""Outcomes that are looked at before places are halved; all places, where there are more."""
_APART_S = 0.1
"""A pause of others that ends so little later is the same."""


class Turn:
    """One try's place at the endpoint; `tokens` is what was reserved for it."""

    __slots__ = ("scout", "tokens")

    def __init__(self, tokens: int) -> None:
        self.tokens = tokens
        self.scout = False


class Load:
    """Begin a try with `begin`, say what came of it with `answered` or `refused`, and `end` it whatever came."""

    def __init__(
        self,
        config: ModelConfig,
        *,
        sleep: Callable[[float], Awaitable[None]] = anyio.sleep,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.sleep, self.clock = sleep, clock
        self._places = anyio.CapacityLimiter(config.concurrency)
        self._most = self._own = config.concurrency
        self._lent: int | None = None
        self._member: Membership | None = None
        self.places_shared = False
        self._adaptive = config.adaptive
        self._requests = _rate(config.requests_per_minute, clock)
        self._tokens = _rate(config.tokens_per_minute, clock)
        self._window: deque[bool] = deque(maxlen=max(WINDOW, config.concurrency))
        self._answers = 0
        self._pause_end = 0.0
        self._pause_began = 0.0
        self._scouts = 0
        self._scout_out = False
        self._sitting: set[anyio.CancelScope] = set()
        self._counts = LoadCounts(concurrency=config.concurrency, lowest_concurrency=config.concurrency)
        self.on_change: Callable[[], None] | None = None
        """Told when a pause begins or ends, and when places are taken or given back."""

    def share(self, config: ModelConfig) -> None:
        """Another model of the same endpoint: the stricter of both limits counts for all."""
        self._most = min(self._most, config.concurrency)
        self._own = min(self._own, self._most)
        self._fit()
        self._adaptive = self._adaptive and config.adaptive
        self._requests = _stricter(self._requests, _rate(config.requests_per_minute, self.clock))
        self._tokens = _stricter(self._tokens, _rate(config.tokens_per_minute, self.clock))
        self._counts.lowest(self._own)
        self._counts.concurrency = self._most
        if self._member is not None:
            self._member.keep_to(self.limits)

    def join(self, member: Membership) -> None:
        """Keep to what `member` is granted; where places are shared, no call begins before it has met the others."""
        self._member = member
        member.keep_to(self.limits)
        self._lent = None if self.limits.places is None else 0
        self._fit()

    @property
    def limits(self) -> PaceLimits:
        """What all processes may do at the endpoint together. Places are among it where `places_shared` is set."""
        requests, tokens = (None if rate is None else rate.per_minute for rate in (self._requests, self._tokens))
        return PaceLimits(self._most if self.places_shared else None, requests, tokens)

    @property
    def standing(self) -> Standing:
        """Places, calls that have one, and calls that wait for one."""
        found = self._places.statistics()
        return Standing(int(found.total_tokens), found.borrowed_tokens, found.tasks_waiting)

    def granted(self, granted: Granted) -> None:
        """The processes that share the endpoint have met: keep to what came of it."""
        self._lent = granted.places
        self._fit()
        left = self._pause_left()
        if granted.pause_s > left + _APART_S:
            self._begin_pause(granted.pause_s, scouts=0)
            self._tell()
        elif granted.pause_s <= 0 < left:
            self._end_pause()

    @property
    def counts(self) -> LoadCounts:
        """What happened so far."""
        return self._counts

    @property
    def state(self) -> str:
        """What keeps calls waiting now, for people; empty where nothing does."""
        parts: list[str] = []
        if (left := self._pause_left()) > 0:
            parts.append(f"the endpoint asks to wait another {left:.0f} s")
        if self._own < self._most:
            parts.append(f"{self._own} of {self._most} calls at a time")
        return "; ".join(parts)

    async def begin(self, tokens: int, *, patience_s: float) -> Turn:
        """A place, when rates, pause and other calls allow it.

        `TryFailed` (rate limited) where the endpoint wants everybody to wait longer than `patience_s`.
        """
        turn = Turn(tokens)
        if self._member is None and (self._requests is not None or self._tokens is not None):
            await self._wait_for_rates(turn)
        while True:
            await self._wait_for_pause(turn, patience_s)
            try:
                # A free place is taken without a turn of the event loop, which costs as much as the rest of this.
                self._places.acquire_on_behalf_of_nowait(turn)
            except anyio.WouldBlock:
                if self._member is not None:
                    self._member.crowded()
                await self._places.acquire_on_behalf_of(turn)
            if self._member is not None:
                await self._wait_for_others(self._member, turn)
            if turn.scout or self._pause_left() <= 0:
                self._counts.tries += 1
                return turn
            if self._member is not None:
                self._member.give_back(turn.tokens)
            self._places.release_on_behalf_of(turn)

    def answered(self, turn: Turn, used: int | None) -> None:
        """The endpoint served this try; `used` tokens, where it says so."""
        rate = self._tokens if self._member is None else self._member
        if rate is not None and used is not None:
            rate.correct(used - turn.tokens)
        if turn.scout:
            self._end_pause()
            if self._member is not None:
                self._member.answered()
        if self._adaptive:
            self._window.append(False)
            self._recover()

    def refused(self, asked_s: float) -> None:
        """The endpoint has too much to do: nobody asks it for `asked_s` seconds, scouts apart."""
        self._counts.refused += 1
        self._begin_pause(asked_s, scouts=SCOUTS)
        if self._member is not None:
            self._member.refused(asked_s)
        if self._adaptive:
            self._window.append(True)
            self._halve()
        self._tell()

    def end(self, turn: Turn) -> None:
        """Give the place back."""
        self._places.release_on_behalf_of(turn)
        if turn.scout:
            self._scout_out = False
            self._wake()

    def _begin_pause(self, asked_s: float, *, scouts: int) -> None:
        now = self.clock()
        if self._pause_left() <= 0:
            self._pause_began, self._scouts = now, scouts
            self._counts.pauses += 1
        self._pause_end = max(self._pause_end, now + asked_s)

    def _pause_left(self) -> float:
        return self._pause_end - self.clock() if self._pause_end else 0.0

    async def _wait_for_rates(self, turn: Turn) -> None:
        waits = [(self._requests, 1.0), (self._tokens, float(turn.tokens))]
        reserved = [(rate, units, rate.reserve(units)) for rate, units in waits if rate is not None]
        if not any(wait for _, _, wait in reserved):
            return
        began = self.clock()
        try:
            await self.sleep(max(wait for _, _, wait in reserved))
        except BaseException:
            for rate, units, _ in reserved:
                rate.correct(-units)
            raise
        finally:
            self._counts.throttled_s += self.clock() - began

    async def _wait_for_others(self, member: Membership, turn: Turn) -> None:
        """With a place, so that a turn that was granted is used when it is there, and none are saved up."""
        began = self.clock()
        try:
            if wait := await member.turn(turn.tokens):
                try:
                    await self.sleep(wait)
                except BaseException:
                    member.give_back(turn.tokens)
                    raise
        except BaseException:
            self.end(turn)
            raise
        finally:
            self._counts.throttled_s += self.clock() - began

    async def _wait_for_pause(self, turn: Turn, patience_s: float) -> None:
        while (left := self._pause_left()) > 0:
            if self._scouts and not self._scout_out:
                self._scouts -= 1
                self._scout_out = turn.scout = True
                return
            if left > patience_s:
                detail = f"the endpoint asks all calls to wait another {left:.0f} s, longer than an answer may take"
                raise TryFailed(FailureKind.RATE_LIMITED, detail, retryable=False, asked=False)
            with anyio.CancelScope() as scope:
                self._sitting.add(scope)
                try:
                    await self.sleep(left)
                finally:
                    self._sitting.discard(scope)
        if self._pause_end:
            self._end_pause()

    def _end_pause(self) -> None:
        if self._pause_end:
            self._counts.paused_s += min(self.clock(), self._pause_end) - self._pause_began
            self._pause_end = 0.0
            self._wake()
            self._tell()

    def _wake(self) -> None:
        for scope in self._sitting:
            scope.cancel()

    def _halve(self) -> None:
        places = self._own
        if len(self._window) >= max(WINDOW, places) and sum(self._window) * 2 >= len(self._window):
            self._own = max(1, places // 2)
            self._fit()
            self._window.clear()
            self._answers = 0
            self._counts.lowest(self._own)

    def _recover(self) -> None:
        self._answers += 1
        if self._answers >= RECOVERY and self._own < self._most:
            self._answers = 0
            self._own += 1
            self._fit()
            self._tell()

    def _fit(self) -> None:
        """As many places as answers leave, and as the other processes do."""
        self._places.total_tokens = self._own if self._lent is None else min(self._own, self._lent)

    def _tell(self) -> None:
        if self.on_change is not None:
            self.on_change()


def _rate(per_minute: float | None, clock: Callable[[], float]) -> Rate | None:
    return None if per_minute is None else Rate(per_minute, clock=clock)


def _stricter(one: Rate | None, other: Rate | None) -> Rate | None:
    if one is None or other is None:
        return one or other
    return min(one, other, key=lambda rate: rate.per_minute)
