"""The arithmetic of a budget that several processes spend: calls are granted a few at a time, so that together they
never overshoot it by more than the calls in flight.

Pure: a state and a moment in, the next state and what is granted out. What a process that fell silent was granted
counts as spent; nobody knows better.
"""

from typing import NamedTuple

from pydantic import Field

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Value

LEASE_S = 15.0
MOST_AT_ONCE = 16
"""Calls that one process is granted at a time."""


class Spender(Value):
    """One process."""

    open_calls: int = Field(default=0, ge=0)
    """Granted, and not yet settled."""
    until: float


class Settled(NamedTuple):
    """What a process tells: what its calls have cost since it told last, those still open, and how many it wants."""

    spent: Spent
    open_calls: int
    wanted: int = 0
    uncounted: bool = False
    """Whether an answer told no tokens."""


class Allowed(NamedTuple):
    """What it is told: calls that may begin. None, and a sentence: a limit is reached. None without one: ask again."""

    calls: int = 0
    sentence: str = ""


class BudgetState(Value):
    """One run."""

    spent: Spent = Spent()
    unpriced: bool = False
    """Whether the cost of some answer is unknown."""
    uncounted: bool = False
    """Whether the tokens of some answer are."""
    known_cost: float = 0.0
    seconds: float = 0.0
    """During which anybody worked on it."""
    at: float = 0.0
    spenders: dict[str, Spender] = {}

    def settled(self, spender: str, told: Settled, limits: BuildLimits, now: float) -> tuple["BudgetState", Allowed]:
        """The state after `spender` has told, and what it may do."""
        live = {name: each for name, each in self.spenders.items() if each.until > now or name == spender}
        silent = sum(each.open_calls for name, each in self.spenders.items() if name not in live)
        state = self._with(told.spent)._aged(silent, now)
        state = state.model_copy(update={"uncounted": self.uncounted or told.uncounted})
        others = sum(each.open_calls for name, each in live.items() if name != spender)
        allowed = state.allows(told.wanted, others + told.open_calls, limits, len(live) or 1)
        mine = Spender(open_calls=told.open_calls + allowed.calls, until=now + LEASE_S)
        return state.model_copy(update={"spenders": {**live, spender: mine}}), allowed

    def left(self, spender: str, spent: Spent, now: float) -> "BudgetState":
        """The state without `spender`, all of whose calls have ended."""
        rest = {name: each for name, each in self.spenders.items() if name != spender}
        return self._with(spent)._aged(0, now).model_copy(update={"spenders": rest})

    def allows(self, wanted: int, open_calls: int, limits: BuildLimits, spenders: int) -> Allowed:
        """Up to `wanted` further calls beside those that are open."""
        if sentence := self.reached(limits):
            return Allowed(0, sentence)
        room = float(wanted)
        if limits.calls is not None:
            room = min(room, limits.calls - self.spent.calls - open_calls)
        for limit, spent in ((limits.tokens, float(self.spent.tokens)), (limits.cost, self.known_cost)):
            if limit is not None:
                room = min(room, self._calls_for(limit - spent, spent, open_calls, spenders))
        return Allowed(max(0, min(int(room), MOST_AT_ONCE)))

    def reached(self, limits: BuildLimits) -> str:
        """The limit that is reached, for people; empty where none is."""
        if limits.calls is not None and self.spent.calls >= limits.calls:
            return f"the limit of {limits.calls} calls is reached (--max-calls)"
        if limits.minutes is not None and self.seconds >= limits.minutes * 60:
            return f"the limit of {limits.minutes:g} minutes of work is reached (--max-minutes)"
        return self._tokens_reached(limits.tokens) or self._cost_reached(limits.cost)

    def _tokens_reached(self, limit: int | None) -> str:
        if limit is not None and self.uncounted:
            return f"an answer tells no tokens, so that {limit} of them cannot be held (--max-tokens)"
        reached = limit is not None and self.spent.tokens >= limit
        return f"the limit of {limit} tokens is reached (--max-tokens)" if reached else ""

    def _cost_reached(self, limit: float | None) -> str:
        if limit is not None and self.unpriced:
            return f"the cost of an answer is unknown, so that {limit:g} dollars cannot be held (--max-cost)"
        reached = limit is not None and self.known_cost >= limit
        return f"the limit of {limit:g} dollars is reached (--max-cost)" if reached else ""

    def _calls_for(self, left: float, spent: float, open_calls: int, spenders: int) -> float:
        """Calls that `left` is enough for, by what calls have cost on average: fewer as the end comes nearer."""
        if not self.spent.calls or not spent:
            # Nothing is known yet: one after the other, as many as somebody waits for.
            return 1
        room = left / (spent / self.spent.calls) - open_calls
        # The last one may overshoot, when nothing else is under way.
        return max(1.0, room / (2 * spenders)) if room >= 1 or not open_calls else 0

    def _with(self, spent: Spent) -> "BudgetState":
        unpriced = self.unpriced or (spent.calls > 0 and spent.cost is None)
        known = self.known_cost + (spent.cost or 0.0)
        return self.model_copy(update={"spent": self.spent + spent, "unpriced": unpriced, "known_cost": known})

    def _aged(self, silent: int, now: float) -> "BudgetState":
        """Time passes where somebody was there; calls of those who fell silent cost what calls cost."""
        worked = min(now - self.at, LEASE_S) if self.spenders else 0.0
        calls = self.spent.calls or 1
        lost = Spent(
            calls=silent,
            input_tokens=silent * self.spent.input_tokens // calls,
            output_tokens=silent * self.spent.output_tokens // calls,
            cost=silent * self.known_cost / calls,
        )
        known = self.known_cost + (lost.cost or 0.0)
        aged = {"seconds": self.seconds + max(0.0, worked), "at": now, "spent": self.spent + lost, "known_cost": known}
        return self.model_copy(update=aged)
