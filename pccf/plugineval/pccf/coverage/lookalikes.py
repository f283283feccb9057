"""Which tools of a set a request for one tool may be mistaken for: where Type B scenarios come from (P23, D12).

Tools are compared by name, the opening of the description, and argument names. What stands further down in a
description is mostly boilerplate, and an argument that most tools of the set take tells none of them apart.
"""

from collections import Counter
from functools import lru_cache

from plugineval.pccf.coverage.similarity import SIMILARITY, Similarity
from plugineval.pccf.roles import LookAlike
from plugineval.pccf.tools import Toolset, ToolSpec

FLOOR = 0.4
"""Below it two tools are no look-alikes: on five real servers three of four pairs above it were pairs that a person had
called easy to mistake; a floor of 0.3 lets in as many wrong pairs as right ones."""
MOST = 5
"""A tool is told so many of its look-alikes at most."""
_OPENING = 120
_SHARED = 0.5


def lookalikes_of(tool: ToolSpec, toolset: Toolset, similarity: Similarity = SIMILARITY) -> tuple[LookAlike, ...]:
    """The look-alikes of `tool` in `toolset`, the most alike first; ties keep the order of the set."""
    return _found(_Question(tool, toolset, similarity))


class _Question:
    """Equal where tool, set and measure are, so that a construction asks once, however often it needs the answer."""

    def __init__(self, tool: ToolSpec, toolset: Toolset, similarity: Similarity) -> None:
        self.tool, self.toolset, self.similarity = tool, toolset, similarity
        titles = tuple(each.title for each in toolset.tools)
        self._identity = (tool.content_hash, tool.title, toolset.content_hash, titles, similarity.measure)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Question) and self._identity == other._identity

    def __hash__(self) -> int:
        return hash(self._identity)


@lru_cache(maxsize=4096)
def _found(asked: _Question) -> tuple[LookAlike, ...]:
    shared, measure = _shared(asked.toolset), asked.similarity
    own = profile(asked.tool, shared)
    scored = [
        (measure.score(own, profile(other, shared)), other.offered_name)
        for other in asked.toolset.tools
        if other.offered_name != asked.tool.offered_name
    ]
    found = sorted((each for each in scored if each[0] >= FLOOR), key=lambda each: -each[0])
    return tuple(LookAlike(tool=name, similarity=score, measure=measure.measure) for score, name in found[:MOST])


def likeness(tool: ToolSpec, other: ToolSpec, toolset: Toolset, similarity: Similarity = SIMILARITY) -> LookAlike:
    """`other` as a look-alike of `tool`, however little alike the two are."""
    return _measured(tool, other, _shared(toolset), similarity)


def _measured(tool: ToolSpec, other: ToolSpec, shared: frozenset[str], similarity: Similarity) -> LookAlike:
    score = similarity.score(profile(tool, shared), profile(other, shared))
    return LookAlike(tool=other.offered_name, similarity=score, measure=similarity.measure)


def profile(tool: ToolSpec, leave_out: frozenset[str] = frozenset()) -> str:
    """The words that a tool is compared by, without the arguments `leave_out`."""
    opening = tool.description[: _OPENING + 1].rpartition(" ")[0] if len(tool.description) > _OPENING else None
    words = (tool.name, tool.title or "", tool.description if opening is None else opening)
    return " ".join([*words, *(name for name in tool.properties if name not in leave_out)])


def _shared(toolset: Toolset) -> frozenset[str]:
    if len(toolset.tools) <= 2:
        return frozenset()
    taken = Counter(name for tool in toolset.tools for name in tool.properties)
    return frozenset(name for name, count in taken.items() if count > _SHARED * len(toolset.tools))
