"""What grading needs of a tool again and again, made once per distinct tool: its compiled schema and schema nodes."""

from dataclasses import dataclass, field
from functools import lru_cache

from plugineval.harness.by_identity import ByIdentity
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
    found = _AT_HAND.get(tool)
    if found is None:
        found = _prepared(_ByContent(tool.content_hash, tool))
        _AT_HAND.keep(tool, found)
    return found


_MOST = 8192
_AT_HAND: ByIdentity[ToolSpec, PreparedTool] = ByIdentity()
"""Every run brings tools of its own, equal or not."""


@dataclass(frozen=True, slots=True)
class _ByContent:
    content_hash: str
    tool: ToolSpec = field(compare=False)


@lru_cache(maxsize=_MOST)
def _prepared(key: _ByContent) -> PreparedTool:
    return PreparedTool(key.tool)
