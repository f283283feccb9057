"""Several mistakes of one file as one error, so that a person mends them in one go."""

from collections.abc import Sequence

from plugineval.pccf.errors import ConfigurationError

MOST_TOLD = 10
"""So many mistakes are told at once."""


def told_together(path: str, mistakes: Sequence[ConfigurationError]) -> ConfigurationError:
    """The only one of `mistakes`, or all of them, up to `MOST_TOLD`, in their order."""
    if len(mistakes) == 1:
        return mistakes[0]
    told = [f"{len(mistakes)} mistakes:", *(f"  {mistake}" for mistake in mistakes[:MOST_TOLD])]
    told += [f"  and {len(mistakes) - MOST_TOLD} more."] if len(mistakes) > MOST_TOLD else []
    return ConfigurationError("\n".join(told), field=path)
