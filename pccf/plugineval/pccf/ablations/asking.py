"""What each variant asked, over one journal that all share: an answer that an earlier variant has paid for is free.

Counted by what was asked and not by what the journal did, so that a resumed job tells the same numbers.
"""

from collections.abc import Awaitable, Callable

from plugineval.pccf.ledger import CallKey, Ledger
from plugineval.pccf.metering import spent_by
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Json, Value


class Asked(Value):
    """Answered calls; a call that is asked twice counts once."""

    calls: int = 0
    """Asked by nobody before."""
    replayed: int = 0
    """Asked by an earlier variant already."""
    spent: Spent = Spent()
    """On all of them: what the variant would have cost alone."""


class AskingLedger:
    """The ledger of one variant; make it with `Asking.ledger`."""

    def __init__(self, inner: Ledger, seen: set[str]) -> None:
        self._inner, self._seen = inner, seen
        self._before = frozenset(seen)
        self._mine: set[str] = set()
        self._replayed = 0
        self._spent = Spent()

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        """Through the journal; what fails is not counted, for it will be asked again."""
        answer = await self._inner.call(key, make)
        if key.digest not in self._mine:
            self._mine.add(key.digest)
            self._seen.add(key.digest)
            self._replayed += key.digest in self._before
            self._spent += spent_by(answer)
        return answer

    @property
    def asked(self) -> Asked:
        """So far."""
        return Asked(calls=len(self._mine) - self._replayed, replayed=self._replayed, spent=self._spent)


class Asking:
    """Hands every variant, one after the other, a ledger over the same journal."""

    def __init__(self, journal: Ledger) -> None:
        self._journal = journal
        self._seen: set[str] = set()

    def ledger(self) -> AskingLedger:
        """For the next variant."""
        return AskingLedger(self._journal, self._seen)
