"""Token counts as providers tell them, in whatever shape: chat completions, responses, Anthropic, Gemini, Ollama.

A provider that tells nothing leaves the tokens unknown, never zero.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from plugineval.pccf.values import Json

_Names = Sequence[str]

_INPUT: Sequence[_Names] = (
    ("prompt_tokens",),
    # Anthropic counts what it wrote to and read from its cache apart from the rest of the input.
    ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"),
    ("promptTokenCount", "toolUsePromptTokenCount"),
    ("prompt_token_count", "tool_use_prompt_token_count"),
    ("prompt_eval_count",),
)
_OUTPUT: Sequence[_Names] = (
    ("completion_tokens",),
    ("output_tokens",),
    # Gemini counts thoughts apart, and charges them as output.
    ("candidatesTokenCount", "thoughtsTokenCount"),
    ("candidates_token_count", "thoughts_token_count"),
    ("eval_count",),
)


class Tokens(NamedTuple):
    """What one answer took in and gave out."""

    input: int
    output: int


def tokens_of(usage: Mapping[str, Json] | None) -> Tokens | None:
    """The tokens that `usage` tells of; None where it tells of no input or is in no known shape.

    An answer of no tokens is often told by leaving the output out: it counts as 0 then.
    """
    taken = _sum(usage or {}, _INPUT)
    return None if taken is None else Tokens(taken, _sum(usage or {}, _OUTPUT) or 0)


def _sum(usage: Mapping[str, Json], shapes: Sequence[_Names]) -> int | None:
    """Of the first shape any of whose names is there."""
    for names in shapes:
        counts = [count for name in names if (count := _count(usage.get(name))) is not None]
        if counts:
            return sum(counts)
    return None


def _count(value: Json) -> int | None:
    whole = isinstance(value, int | float) and not isinstance(value, bool) and value >= 0
    return int(value) if whole and isinstance(value, int | float) and value < float("inf") else None
