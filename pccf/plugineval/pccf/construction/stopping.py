"""When the loop stops, and why (P35).

A hard limit stops it before anything is said of outages: what it kept from being asked is no outage. One round is all
there is without a closed loop (P64). A round that an outage touched says nothing about the gain to be had; nor does
one after which budgets moved to units that nobody has been asked for yet. Moves end by themselves: each leaves one
unit less to move to.
"""

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.results import Incomplete, StopReason
from plugineval.pccf.construction.rounds import ConstructionRound


class Stopping:
    """Judges round after round; remembers how many in a row gained too little."""

    def __init__(self, config: BuildConfig) -> None:
        self._config = config
        self._dry = 0

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
        if not done.touched_by_outage and not done.moves:
            self._dry = self._dry + 1 if self._gained_too_little(done) else 0
        if self._dry >= self._config.patience:
            return StopReason.GAIN_BELOW_THRESHOLD
        return StopReason.ROUND_LIMIT if done.number >= self._config.max_loop_rounds else None

    def _gained_too_little(self, done: ConstructionRound) -> bool:
        return done.gain <= 0 or done.gain < self._config.minimum_gain * self._config.size


def _cause(done: ConstructionRound) -> str:
    failures = "; ".join(sorted({f"{f.kind.value}: {f.detail}" for f in done.failures}))
    parts = [f"{done.undecided} candidates undecided"] if done.undecided else []
    parts += [f"{len(done.failures)} writing tasks failed ({failures})"] if done.failures else []
    return f"round {done.number} decided nothing: " + ", ".join(parts)
