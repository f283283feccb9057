"""Which offered tool an emitted name means: hosts put a server's name in front, APIs refuse dots.

`mcp__srv__tool`, `srv__tool`, `srv.tool`, `functions.tool` and `math_solve` for `math.solve` are undone where exactly
one offered tool can be meant. An ambiguous name is not guessed, and a name that is merely similar is another tool.
"""

import re
from functools import lru_cache

from plugineval.pccf.tools import Toolset, ToolSpec

_UNSAFE = re.compile(r"[^A-Za-z0-9_-]")
_HOST = re.compile(r"(?:functions?|tools?|default_api|multi_tool_use|mcp)[.:/]|mcp__(?:[^_]|_(?!_))+__", re.IGNORECASE)
_SEPARATORS = ("__", ".", ":", "/")
_LONGEST = 300


def offered_name(name: str, toolset: Toolset) -> str | None:
    """The offered name that `name` means; None where there is none, or where it could be several."""
    if name in toolset.by_name:
        return name
    if len(name) > _LONGEST:
        return None
    bare = _HOST.sub("", name, count=1) if _HOST.match(name) else name
    for spelling in dict.fromkeys((name, bare)):
        found = _spelled(spelling, toolset)
        if found:
            return found[0] if len(found) == 1 else None
    found = [tool.offered_name for tool in toolset.tools if _is_prefixed(name, tool)]
    return found[0] if len(found) == 1 else None


def _spelled(name: str, toolset: Toolset) -> list[str]:
    """The tools that go by `name`, or by a name whose API-safe spelling it is."""
    if name in toolset.by_name:
        return [name]
    return [known for known in toolset.by_name if name == _safe(known)]


def _is_prefixed(name: str, tool: ToolSpec) -> bool:
    """Whether `name` is the tool's name behind the name of a server; of its own server, where that is known."""
    endings = _endings(tool.offered_name, tool.name)
    if not name.endswith(endings):
        return False
    for ending in endings:
        prefix = name.removesuffix(ending)
        if prefix and prefix != name:
            return not tool.plugin or _plain(tool.plugin) in _plain(prefix)
    return False


@lru_cache(maxsize=8192)
def _endings(*names: str) -> tuple[str, ...]:
    spellings = dict.fromkeys((*names, *map(_safe, names)))
    return tuple(separator + spelling for spelling in spellings for separator in _SEPARATORS)


@lru_cache(maxsize=8192)
def _safe(name: str) -> str:
    return _UNSAFE.sub("_", name)


def _plain(name: str) -> str:
    return _UNSAFE.sub("_", name).replace("-", "_").lower()
