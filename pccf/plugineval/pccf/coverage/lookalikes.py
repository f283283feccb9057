"""Which tools of a set a request for one tool may be mistaken for: where Type B scenarios come from (P23, D12).

Tools are compared by name, the opening of the description, and argument names. What stands further down in a
description is mostly boilerplate, and an argument that most tools of the set take tells none of them apart.
"""

from collections import Counter

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
    shared = _shared(toolset)
    others = [other for other in toolset.tools if other.offered_name != tool.offered_name]
    scored = (_measured(tool, other, shared, similarity) for other in others)
    found = sorted((each for each in scored if each.similarity >= FLOOR), key=lambda each: -each.similarity)
    return tuple(found[:MOST])


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
