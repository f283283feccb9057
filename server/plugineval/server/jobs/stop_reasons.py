"""Why a construction ended, in words."""

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.results import StopReason


def stopped_because(reason: str, config: BuildConfig | None) -> str:
    """`gain_below_threshold: 3 rounds in a row ...`; a reason that is not known stays as it is."""
    numbers = config or BuildConfig()
    words = {
        StopReason.BUDGETS_MET: "there is an example for every place",
        StopReason.GAIN_BELOW_THRESHOLD: f"{numbers.patience} rounds in a row brought hardly anything that was missing",
        StopReason.SYNTHESIS_BUDGET_EXHAUSTED: f"{numbers.candidates_per_example} queries were written per example",
        StopReason.ROUND_LIMIT: f"{numbers.max_loop_rounds} rounds were run, the most that are allowed",
    }
    return f"{reason}: {words[StopReason(reason)]}" if reason in set(StopReason) else reason
