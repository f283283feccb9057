"""How a request determines one argument, as the embedded baseline reads it: in other words, by a clock, by a unit."""

from functools import lru_cache

from plugineval.clients.baseline.arguments import Argument, arguments_of
from plugineval.clients.baseline.grounding import ground
from plugineval.clients.baseline.spotting.reading import Reading, read
from plugineval.pccf.examples import Query
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json

ENOUGH = 0.7
"""From this credit on the baseline takes an argument for supported."""


class LexicalGrounding:
    """Only ever says that a value is supported: what it does not find may still be right."""

    def __init__(self) -> None:
        self._read = lru_cache(maxsize=8)(_reading)
        self._arguments: dict[str, tuple[Argument, ...]] = {}

    def reason(self, query: Query, tool: ToolSpec, argument: str, value: Json) -> str | None:
        """How the request says `value`; None where that cannot be told."""
        key = tool.content_hash
        if key not in self._arguments:
            self._arguments[key] = arguments_of(tool)
        known = self._arguments[key]
        mine = next((each for each in known if each.name == argument), None)
        if mine is None:
            return None
        found = ground(mine, value, self._read(query.model_dump_json()), known)
        return found.reason if found.credit >= ENOUGH else None


def _reading(query: str) -> Reading:
    return read(Query.model_validate_json(query))
