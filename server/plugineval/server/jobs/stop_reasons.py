"""Why a construction ended, in words."""

from collections.abc import Sequence

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.results import StopReason
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.server.wording import counted


def stopped_because(reason: str, config: BuildConfig | None, rounds: Sequence[ConstructionRound] = ()) -> str:
    """`gain_below_threshold: 3 rounds in a row ...`; a reason that is not known stays as it is.

    Without its `rounds` both ways to gain too little are named.
    """
    numbers = config or BuildConfig()
    limits = numbers.limits
    patience = counted(numbers.patience, "round")
    words = {
        StopReason.BUDGETS_MET: "there is an example for every place",
        StopReason.GAIN_BELOW_THRESHOLD: _dried(
            f"{patience} in a row brought hardly anything that was missing", rounds, numbers
        ),
        StopReason.SYNTHESIS_BUDGET_EXHAUSTED: f"{numbers.candidates_per_example} queries were written per example",
        StopReason.CALL_LIMIT: f"{limits.calls} calls were allowed, over all restarts",
        StopReason.TOKEN_LIMIT: f"{limits.tokens} tokens were allowed, over all restarts",
        StopReason.COST_LIMIT: f"{limits.cost} dollars were allowed, over all restarts",
        StopReason.TIME_LIMIT: f"{limits.minutes} minutes of work were allowed, over all restarts",
        StopReason.SINGLE_SHOT: "everything was written in one shot, as it was asked for",
        StopReason.ROUND_LIMIT: f"{numbers.max_loop_rounds} rounds were run, the most that are allowed",
    }
    return f"{reason}: {words[StopReason(reason)]}" if reason in set(StopReason) else reason


def _dried(in_a_row: str, rounds: Sequence[ConstructionRound], numbers: BuildConfig) -> str:
    out_of_reach = "all of it proved out of reach"
    if not rounds:
        return f"{in_a_row}, or {out_of_reach}"
    # Where the last round still gained, it was not patience that ended: there was nothing left to ask for.
    enough = rounds[-1].gain > 0 and rounds[-1].gain >= numbers.minimum_gain * numbers.size
    return f"of what is still missing {out_of_reach}" if enough else in_a_row
