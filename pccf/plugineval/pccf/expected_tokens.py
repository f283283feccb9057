"""How many tokens one call of a role takes and gives, from the sizes of its prompt, of the tools and of its answer.

A token is taken for four characters, about right for English and JSON; for other languages it is fewer.
"""

import json
from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

from plugineval.pccf.prompts import Prompt
from plugineval.pccf.tools import Toolset

CHARACTERS_PER_TOKEN = 4
QUERY = 250
"""Characters of a query with its clock, as a role is shown it."""
PROPOSAL = 200
"""Of a proposed call."""
OBSERVATION = 600
"""Of what an execution showed."""
ANSWER_SCHEMA = 300
"""Of the schema that an answer has to satisfy, which goes along with the prompt."""
HISTORY = 400
"""Of the evidence of earlier rounds, over all calls."""

_VERIFICATION, _COVERAGE = "plugineval.pccf.verification", "plugineval.pccf.coverage"
_ANSWERS: Mapping[str, int] = MappingProxyType(
    {
        "writer": 700,
        "annotators": 160,
        "generators": 200,
        "argument_evaluator": 200,
        "result_evaluator": 200,
        "depth": 300,
        "router": 160,
    }
)
"""Characters of one answer by role."""


class PerCall(NamedTuple):
    """Tokens of one call."""

    input: float
    output: float


def tokens_per_call(toolset: Toolset) -> dict[str, PerCall]:
    """Role -> tokens of one call, on average over the tools of `toolset`."""
    sizes = [len(json.dumps(tool.input_schema)) + len(tool.description) for tool in toolset.tools]
    described = [len(tool.description) for tool in toolset.tools]
    tool, description = _mean(sizes), _mean(described)
    shown = {
        "writer": _prompt(_COVERAGE, "write_queries.md") + tool + 2 * QUERY,
        "annotators": _prompt(_VERIFICATION, "level_two.md") + QUERY + description,
        "generators": _prompt(_VERIFICATION, "generator.md") + QUERY + tool + HISTORY,
        "argument_evaluator": _prompt(_VERIFICATION, "argument_evaluator.md") + QUERY + tool + PROPOSAL,
        "result_evaluator": _prompt(_VERIFICATION, "result_evaluator.md") + QUERY + tool + PROPOSAL + OBSERVATION,
        "depth": _prompt(_VERIFICATION, "depth.md") + QUERY + tool + PROPOSAL,
        "router": QUERY + sum(sizes) - ANSWER_SCHEMA,
    }
    return {
        role: PerCall((size + ANSWER_SCHEMA) / CHARACTERS_PER_TOKEN, _ANSWERS[role] / CHARACTERS_PER_TOKEN)
        for role, size in shown.items()
    }


def _mean(sizes: list[int]) -> float:
    return sum(sizes) / len(sizes) if sizes else 0.0


@cache
def _prompt(package: str, name: str) -> int:
    return len(Prompt.load(package, name).text)
