"""When the loop stops, and why (P35).

A round that an outage touched says nothing about the gain to be had; nor does one after which budgets moved to units
that nobody has been asked for yet. Moves end by themselves: each leaves one unit less to move to.
"""

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.results import Incomplete, StopReason
from plugineval.pccf.construction.rounds import ConstructionRound


class Stopping:
    """Judges round after round; remembers how many in a row gained too little."""

    def __init__(self, config: BuildConfig) -> None:
        self._config = config
        self._dry = 0

    def after(self, done: ConstructionRound, *, exhausted: bool) -> StopReason | Incomplete | None:
        """Why to stop after `done`, or None to go on. `exhausted` says that the synthesis budget is spent."""
        if done.deficit_after == 0:
            return StopReason.BUDGETS_MET
        if done.lost_to_outage:
            return Incomplete(cause=_cause(done))
        if exhausted:
            return StopReason.SYNTHESIS_BUDGET_EXHAUSTED
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
