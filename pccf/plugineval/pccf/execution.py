"""The port through which a proposed call is executed on a real plugin."""

from typing import Protocol

from plugineval.pccf.observations import Observation
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments


class PluginSession(Protocol):
    """Executes calls on registered plugins; the tool names its plugin."""

    async def call(self, tool: ToolSpec, arguments: Arguments) -> Observation:
        """Execute once, bounded in time and output. Every outcome is an `Observation`, never an exception."""
        ...
