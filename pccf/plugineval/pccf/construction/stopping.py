"""When the loop stops, and why (P35).

A hard limit stops it before anything is said of outages: what it kept from being asked is no outage. One round is all
there is without a closed loop (P64). A round that an outage touched says nothing about the gain to be had. One after
which budgets moved to units that nobody has been asked for yet is excused, but only so often: where move after move
brings nothing, the candidates of further rounds are paid for nothing.
"""

from collections.abc import Iterable
from typing import NamedTuple

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.results import Incomplete, StopReason
from plugineval.pccf.construction.rounds import ConstructionRound

GRACE = 3
"""Rounds without gain in a row that moves excuse. On real servers a gain came after one to three of them, or never."""


class Drought(NamedTuple):
    """The rounds in a row, up to the last, that gained too little (P35)."""

    counted: int = 0
    excused: int = 0
    """Those after which budgets moved."""

    def after(self, done: ConstructionRound, config: BuildConfig) -> "Drought":
        """With one round more."""
        if done.touched_by_outage:
            return self
        if done.gain > 0 and done.gain >= config.minimum_gain * config.size:
            return Drought()
        if done.moves and self.excused < GRACE:
            return self._replace(excused=self.excused + 1)
        return self._replace(counted=self.counted + 1)


def drought_of(rounds: Iterable[ConstructionRound], config: BuildConfig) -> Drought:
    """That at the end of `rounds`; the round of the real queries says nothing of what a writer can do."""
    found = Drought()
    for done in rounds:
        found = found.after(done, config) if done.number > 0 else found
    return found


class Stopping:
    """Judges round after round; remembers how many in a row gained too little."""

    def __init__(self, config: BuildConfig) -> None:
        self._config = config
        self._drought = Drought()

    def after_real_queries(self, done: ConstructionRound, *, limit: str | None) -> StopReason | Incomplete | None:
        """Why to stop after round 0, which says nothing about what a writer can do."""
        if done.deficit_after == 0:
            return StopReason.BUDGETS_MET
        if limit is not None:
            return StopReason(limit)
        return Incomplete(cause=_cause(done)) if done.lost_to_outage else None

    def after(
        self, done: ConstructionRound, *, exhausted: bool, idle: bool = False, limit: str | None = None
    ) -> StopReason | Incomplete | None:
        """Why to stop after `done`, or None to go on.

        `exhausted` says that the synthesis budget is spent, `idle` that there is nothing to ask for, because all that
        is missing is out of reach, `limit` which hard limit refused a call, if any.
        """
        found = self.after_real_queries(done, limit=limit)
        if found is not None:
            return found
        if not self._config.closed_loop:
            return StopReason.SINGLE_SHOT
        if exhausted:
            return StopReason.SYNTHESIS_BUDGET_EXHAUSTED
        return StopReason.GAIN_BELOW_THRESHOLD if idle else self._ran_dry(done)

    def _ran_dry(self, done: ConstructionRound) -> StopReason | None:
        self._drought = self._drought.after(done, self._config)
        if self._drought.counted >= self._config.patience:
            return StopReason.GAIN_BELOW_THRESHOLD
        return StopReason.ROUND_LIMIT if done.number >= self._config.max_loop_rounds else None


def _cause(done: ConstructionRound) -> str:
    failures = "; ".join(sorted({f"{f.kind.value}: {f.detail}" for f in done.failures}))
    parts = [f"{done.undecided} candidates undecided"] if done.undecided else []
    parts += [f"{len(done.failures)} writing tasks failed ({failures})"] if done.failures else []
    return f"round {done.number} decided nothing: " + ", ".join(parts)
