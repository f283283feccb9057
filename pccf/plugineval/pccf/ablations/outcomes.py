"""What became of one candidate in one variant: all that the variants are compared by."""

from typing import Literal

from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.values import Value


class CandidateOutcome(Value):
    """One candidate. The same query for the same target has the same `record` in every variant."""

    record: str
    verdict: Literal["accepted", "rejected", "undecided"]
    rounds: int
    """Of Stage I; 0 where its votes settled it. Of several calls: those of the call that took the most."""
    right: bool | None = None
    """Accepted by Stage I: whether its gold is right; None where nobody knows, or nothing was accepted."""
    p_k: float | None = None

    @property
    def examined(self) -> bool:
        """Whether it went to Stage I and has a verdict: what pass rates count."""
        return self.rounds > 0 and self.verdict != "undecided"

    @property
    def passed(self) -> bool:
        """Whether Stage I made it gold."""
        return self.examined and self.verdict == "accepted"

    @classmethod
    def of(cls, record: VerificationRecord) -> "CandidateOutcome":
        """Of a record; whether its gold is right is not known yet."""
        rounds = max(len(each.rounds) for each in (record, *record.further))
        return cls(record=record.id, verdict=record.verdict, rounds=rounds, p_k=record.p_k)


class JudgedGold(Value):
    """An accepted gold as a person can read and overrule it."""

    record: str
    query: str
    target: str
    gold: tuple[dict[str, object], ...]
    right: bool | None
    variants: tuple[str, ...] = ()
