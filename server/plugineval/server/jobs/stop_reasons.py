"""Why a construction ended, in words."""

from collections.abc import Sequence

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.results import StopReason
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.construction.stopping import drought_of
from plugineval.server.wording import counted


def stopped_because(reason: str, config: BuildConfig | None, rounds: Sequence[ConstructionRound] = ()) -> str:
    """`gain_below_threshold: 3 rounds in a row ...`; a reason that is not known stays as it is.

    Without its `rounds` both ways to gain too little are named.
    """
    numbers = config or BuildConfig()
    limits = numbers.limits
    words = {
        StopReason.BUDGETS_MET: "there is an example for every place",
        StopReason.GAIN_BELOW_THRESHOLD: _dried(rounds, numbers),
        StopReason.SYNTHESIS_BUDGET_EXHAUSTED: f"{numbers.candidates_per_example} queries were written per example",
        StopReason.CALL_LIMIT: f"{limits.calls} calls were allowed, over all restarts",
        StopReason.TOKEN_LIMIT: f"{limits.tokens} tokens were allowed, over all restarts",
        StopReason.COST_LIMIT: f"{limits.cost} dollars were allowed, over all restarts",
        StopReason.TIME_LIMIT: f"{limits.minutes} minutes of work were allowed, over all restarts",
        StopReason.SINGLE_SHOT: "everything was written in one shot, as it was asked for",
        StopReason.ROUND_LIMIT: f"{numbers.max_loop_rounds} rounds were run, the most that are allowed",
    }
    return f"{reason}: {words[StopReason(reason)]}" if reason in set(StopReason) else reason


def _dried(rounds: Sequence[ConstructionRound], numbers: BuildConfig) -> str:
    """Which of the two ways to gain too little it was: nothing came of asking, or nothing was left to ask for."""
    patience, reach = counted(numbers.patience, "round"), "proved out of reach: try after try came out otherwise"
    if not rounds:
        return f"{patience} in a row brought hardly anything that was missing, or all of it proved out of reach"
    drought, missing = drought_of(rounds, numbers), f"{counted(rounds[-1].deficit_after, 'example')} still missing"
    if drought.counted < numbers.patience:
        return f"the {missing} {reach}"
    last = drought.counted + drought.excused
    words = f"the last {counted(last, 'round')} brought hardly any of the {missing}; {patience} like that end it"
    moved = f", not counting {drought.excused} after which budgets moved to other scenarios"
    return words + (moved if drought.excused else "")
