"""Which option of `plugineval resume` raises a hard limit that was reached: by its name, and by the sentence on it."""

from typing import Final

RAISED_BY: Final[dict[str, str]] = {
    "call_limit": "--max-calls",
    "token_limit": "--max-tokens",
    "cost_limit": "--max-cost",
    "time_limit": "--max-minutes",
}
"""Stop reason -> option, of the stop reasons that are limits."""


def raised_by_sentence(limit: str) -> str:
    """The option that raises a limit, by the end of the sentence that says that it was reached."""
    for option in RAISED_BY.values():
        # A run names the option, a construction the setting.
        if f"({option})" in limit or f"(limits.{option.removeprefix('--max-')})" in limit:
            return option
    return "--max-calls"
