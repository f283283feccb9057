"""The meter of one construction: what was spent, over all its restarts, and whether a hard limit lets one more call go.

Every answer that passes the metered ledger counts once, whether it was made now or is replayed, so that a resumed
job goes on counting where it stopped. A call reserves its place when it starts, so that those in flight never overshoot
`calls`; tokens, money and minutes are known when an answer is there: the calls in flight may overshoot them.
"""

import json
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal, TypeAlias, TypeVar, cast

from pydantic import BaseModel, ValidationError

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.ledger import CallKey, Ledger, NotKept, TextLedger
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Json, Value

T = TypeVar("T")

LimitReached: TypeAlias = Literal["call_limit", "token_limit", "cost_limit", "time_limit"]
"""The stop reasons of hard limits, by the names of `construction.results.StopReason`."""


class CarriedOver(Value):
    """What the journal does not tell of the processes before this one; kept beside it, and given to the next meter."""

    seconds: float = 0.0
    """Of work."""
    spent: Spent = Spent()
    """On calls that failed, which the journal does not record."""

    def __add__(self, other: "CarriedOver") -> "CarriedOver":
        """That of two processes together."""
        return CarriedOver(seconds=self.seconds + other.seconds, spent=self.spent + other.spent)


@dataclass
class _Ticket:
    """One call on its way through the ledger."""

    state: Literal["idle", "reserved", "refused"] = "idle"


_TICKET: ContextVar[_Ticket | None] = ContextVar("ticket", default=None)


class Meter:
    """Counts one construction. Whoever is about to make a call asks `refusal()` first; `ledger()` does the counting."""

    def __init__(
        self,
        limits: BuildLimits | None = None,
        *,
        before: CarriedOver | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`clock` gives seconds; `before` is the sum of `own` of the processes that did this work before."""
        self._limits = limits or BuildLimits()
        self._before = before or CarriedOver()
        self._clock, self._started = clock, clock()
        self._failed = Spent()
        self._spent = self._before.spent
        self._known_cost = self._before.spent.cost or 0.0
        self._seen: set[str] = set()
        self._reserved = 0
        self._uncounted: str | None = None
        self._unpriced: str | None = None
        self._reached: LimitReached | None = None
        self._sentence = ""

    @property
    def spent(self) -> Spent:
        """Everything so far, failed calls included; an answer that names no calls is one call and costs nothing."""
        return self._spent

    @property
    def known_cost(self) -> float:
        """Dollars of the calls whose cost is known, which is what a limit of money is held against."""
        return self._known_cost

    @property
    def uncounted(self) -> str | None:
        """A model, the first one, whose answers tell no tokens: those of `spent` are then not all."""
        return self._uncounted

    @property
    def seconds(self) -> float:
        """Of work, over all restarts, the time between them apart."""
        return self._before.seconds + self.own.seconds

    @property
    def own(self) -> CarriedOver:
        """What this process alone adds to `before`, and a later one cannot read from the journal."""
        return CarriedOver(seconds=max(0.0, self._clock() - self._started), spent=self._failed)

    @property
    def reached(self) -> LimitReached | None:
        """The limit for which a call was refused; None while every call was let go.

        That a limit is spent is not enough: a resumed job has spent it before it has replayed what it paid for.
        """
        return self._reached

    @property
    def sentence(self) -> str:
        """The same for people; empty while every call was let go."""
        return self._sentence

    def refusal(self) -> Failure | None:
        """Why no further call may start; None lets the caller's call go, and keeps a place for it until it is counted.

        Ask it once per call, inside `make` of the metered ledger, after every wait and right before the call.
        """
        ticket = _TICKET.get()
        found = self._exceeded()
        if found is None:
            if ticket is not None and ticket.state == "idle":
                ticket.state = "reserved"
                self._reserved += 1
            return None
        if ticket is not None:
            ticket.state = "refused"
        self._reached, self._sentence = found
        return Failure(kind=FailureKind.LIMIT_REACHED, detail=self._sentence)

    def ledger(self, ledger: Ledger) -> Ledger:
        """`ledger`, with everything that passes it counted here."""
        return _MeteredText(ledger, self) if isinstance(ledger, TextLedger) else _Metered(ledger, self)

    async def passed(self, key: CallKey, call: Callable[[], Awaitable[T]], spent_in: Callable[[T], Spent | None]) -> T:
        """One call through a ledger; what its answer spent is counted once per key, however often it is asked."""
        ticket = _Ticket()
        token = _TICKET.set(ticket)
        try:
            answer = await call()
        except NotKept as unkept:
            if ticket.state != "refused":
                failed = _as_call(getattr(unkept.value, "spent", None))
                self._failed += failed
                self._add(failed)
            raise
        finally:
            _TICKET.reset(token)
            self._reserved -= ticket.state == "reserved"
        if key.digest not in self._seen:
            self._seen.add(key.digest)
            self._count(key.model, spent_in(answer))
        return answer

    def _add(self, spent: Spent) -> None:
        self._spent += spent
        self._known_cost += spent.cost or 0.0

    def _count(self, model: str, spent: Spent | None) -> None:
        self._add(_as_call(spent))
        if spent is not None and spent.calls:
            self._uncounted = self._uncounted or (None if spent.tokens else model)
            self._unpriced = self._unpriced or (model if spent.cost is None else None)

    def _exceeded(self) -> tuple[LimitReached, str] | None:
        limits, spent = self._limits, self._spent
        if limits.calls is not None and spent.calls + self._reserved >= limits.calls:
            return "call_limit", f"the limit of {limits.calls} calls is reached (limits.calls)"
        if limits.minutes is not None and self.seconds >= limits.minutes * 60:
            return "time_limit", f"the limit of {limits.minutes:g} minutes of work is reached (limits.minutes)"
        return self._tokens_exceeded() or self._cost_exceeded()

    def _tokens_exceeded(self) -> tuple[LimitReached, str] | None:
        limit = self._limits.tokens
        if limit is None:
            return None
        if self._uncounted is not None:
            told = f"{self._uncounted} answers without telling its tokens"
            return "token_limit", f"{told}, so that the limit of {limit} tokens cannot be held (limits.tokens)"
        reached = self._spent.tokens >= limit
        return ("token_limit", f"the limit of {limit} tokens is reached (limits.tokens)") if reached else None

    def _cost_exceeded(self) -> tuple[LimitReached, str] | None:
        limit = self._limits.cost
        if limit is None:
            return None
        if self._unpriced is not None:
            told = f"the cost of an answer of {self._unpriced} is unknown"
            return "cost_limit", f"{told}, so that the limit of {limit:g} dollars cannot be held (limits.cost)"
        reached = self._known_cost >= limit
        return ("cost_limit", f"the limit of {limit:g} dollars is reached (limits.cost)") if reached else None


@dataclass(frozen=True)
class _Metered:
    inner: Ledger
    meter: Meter

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        return await self.meter.passed(key, lambda: self.inner.call(key, make), _spent_in)


class _MeteredText(TextLedger):
    def __init__(self, inner: TextLedger, meter: Meter) -> None:
        self._inner, self._meter = inner, meter

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        """As every ledger."""
        return await self._meter.passed(key, lambda: self._inner.call(key, make), _spent_in)

    async def text(self, key: CallKey, make: Callable[[], Awaitable[str]]) -> str:
        """As the ledger within."""
        return await self._meter.passed(key, lambda: self._inner.text(key, make), _spent_in_text)


class _Priced(BaseModel):
    """Of an answer as text no more is read than what it spent."""

    spent: Spent | None = None


def _as_call(spent: Spent | None) -> Spent:
    """An embedded model, an agent or a plugin names no price: its answer is a call all the same, and costs nothing."""
    if spent is None:
        return _ONE
    return spent if spent.calls else spent.model_copy(update={"calls": 1})


def spent_by(answer: Json) -> Spent:
    """What a recorded answer cost, as every meter counts it: at least the one call that it is."""
    return _as_call(_spent_in(answer))


def _spent_in(answer: Json) -> Spent | None:
    told = answer.get("spent") if isinstance(answer, dict) else None
    return None if told is None else Spent.model_validate(cast("dict[str, Json]", told))


def _spent_in_text(answer: str) -> Spent | None:
    if '"spent"' not in answer:
        return None
    try:
        return _Priced.model_validate_json(answer).spent
    except ValidationError:
        # Half a surrogate pair is no JSON for it, and a `spent` that is none is told of as in every answer.
        return _spent_in(json.loads(answer))


_ONE = Spent(calls=1)
