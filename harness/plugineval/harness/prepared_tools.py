"""What grading needs of a tool again and again, made once per distinct tool: its compiled schema and schema nodes."""

from dataclasses import dataclass, field
from functools import lru_cache

from plugineval.harness.equivalence.nodes import Node
from plugineval.pccf.schemas import Checker
from plugineval.pccf.tools import ToolSpec


class PreparedTool:
    """A tool's original schema (B8), ready for checking and comparing."""

    def __init__(self, tool: ToolSpec) -> None:
        self.name = tool.offered_name
        self.description = tool.description
        self.root = Node.of_root(tool.input_schema)
        self.checker = Checker(tool.input_schema)
        self.check = self.checker.check


def prepared(tool: ToolSpec) -> PreparedTool:
    """The prepared tool; equal content is prepared once."""
    found = _known.get(id(tool))
    # The entry holds the very tool that its key stands for, so that no other can have come in its place.
    if found is not None and found[0] is tool:
        return found[1]
    if len(_known) >= _AT_HAND:
        _known.clear()
    made = _prepared(_ByContent(tool.content_hash, tool))
    _known[id(tool)] = (tool, made)
    return made


_MOST = 8192
_AT_HAND = 1024
"""Every run brings tools of its own, equal or not: those of runs that are over are let go before they are many."""
_known: dict[int, tuple[ToolSpec, PreparedTool]] = {}


@dataclass(frozen=True, slots=True)
class _ByContent:
    content_hash: str
    tool: ToolSpec = field(compare=False)


@lru_cache(maxsize=_MOST)
def _prepared(key: _ByContent) -> PreparedTool:
    return PreparedTool(key.tool)
