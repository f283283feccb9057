"""Which option of `plugineval resume` raises a hard limit that was reached: by its name, and by the sentence on it."""

from typing import Final, get_args

from plugineval.pccf.config import BuildLimits
from plugineval.pccf.metering import LimitReached

_RAISED: Final[dict[LimitReached, str]] = {
    "call_limit": "--max-calls",
    "token_limit": "--max-tokens",
    "cost_limit": "--max-cost",
    "time_limit": "--max-minutes",
}
RAISED_BY: Final[dict[str, str]] = {reached: _RAISED[reached] for reached in get_args(LimitReached)}
"""Stop reason -> option, of the stop reasons that are limits."""
_SAID_AS = ("--max-", "limits.")
"""How a run says which limit it was, and how a construction does."""


def raised_by_sentence(limit: str) -> str:
    """The option that raises a limit, by the end of the sentence that says that it was reached."""
    options = {f"({prefix}{name})": f"--max-{name}" for name in BuildLimits.model_fields for prefix in _SAID_AS}
    return next((option for said, option in options.items() if said in limit), "--max-calls")
