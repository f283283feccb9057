"""Models that do not read the query: the floors that stand beside every real number (X8).

`baseline:never` never calls: it is right on every negative. `baseline:first-tool` always calls the first tool with the
least arguments its schema accepts: it is right wherever position decides. `baseline:echo-defaults` always calls the
first tool with exactly the defaults its schema declares, inventing nothing: what it gets right needs no reading.
"""

import json
from collections.abc import Callable

from plugineval.clients.models.schema_values import declared_defaults, least_arguments
from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.examples import Query
from plugineval.pccf.routing import EmittedCall, RouterReply
from plugineval.pccf.tools import Toolset
from plugineval.pccf.values import Arguments, Json, content_hash

FLOORS: dict[str, str] = {
    "baseline:never": "floor: never calls a tool",
    "baseline:first-tool": "floor: always calls the first tool with the least arguments its schema accepts",
    "baseline:echo-defaults": "floor: always calls the first tool with the defaults its schema declares",
}
"""Id -> what it is, for reports; none of them is a language model."""

_VERSION = 1
_ARGUMENTS: dict[str, Callable[[dict[str, Json]], Arguments] | None] = {
    "baseline:never": None,
    "baseline:first-tool": least_arguments,
    "baseline:echo-defaults": declared_defaults,
}


class DegenerateRouter:
    """One of `FLOORS`: deterministic, without key, network or memory."""

    def __init__(self, router_id: str) -> None:
        """`UnknownNameError` where `router_id` is none of `FLOORS`."""
        if router_id not in FLOORS:
            raise UnknownNameError("degenerate baseline", router_id, FLOORS)
        self._id = router_id
        self._arguments = _ARGUMENTS[router_id]

    @property
    def id(self) -> str:
        """One of the keys of `FLOORS`."""
        return self._id

    @property
    def prompt_hash(self) -> str:
        """Hash of the id and the version of its rule."""
        return content_hash([self._id, _VERSION])

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """The same answer to every query; a set without tools is never called."""
        if self._arguments is None or not toolset.tools:
            return RouterReply(finish_reason="stop")
        tool = toolset.tools[0]
        arguments = self._arguments(tool.input_schema)
        call = EmittedCall(name=tool.offered_name, arguments=arguments, raw_arguments=json.dumps(arguments))
        return RouterReply(calls=(call,), finish_reason="tool_calls")
