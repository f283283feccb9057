"""The port through which a proposed call is executed on a real plugin."""

from collections.abc import Sequence
from typing import Protocol

from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments


class PluginSession(Protocol):
    """Executes calls on registered plugins; the tool names its plugin."""

    async def call(
        self, tool: ToolSpec, arguments: Arguments, *, after: Sequence[tuple[ToolSpec, Invocation]] = ()
    ) -> Observation:
        """Execute once, bounded in time and output. Every outcome is an `Observation`, never an exception.

        `after` are the calls that an execution on a fresh sandbox copy makes first, so that the call meets the state
        that they leave; a plugin without sandbox has already seen them.
        """
        ...
