"""What somebody adds to the app that is built here, such as the fixtures that a conformance suite calls."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from mcp.server import MCPServer
from mcp.server.mcpserver.tools import Tool

from plugineval.server.jobs.context import Runner
from plugineval.server.jobs.engine import JobEngine

if TYPE_CHECKING:
    from plugineval.server.app.task_inputs import TaskInputs


@dataclass(frozen=True, kw_only=True)
class Additions:
    """Served by the same app, under the same rules."""

    tools: Sequence[Tool] = ()
    runners: Mapping[str, Runner] = field(default_factory=dict[str, Runner])
    """Kind of job -> who runs it."""
    sources: "Sequence[TaskInputs]" = ()
    """What jobs of these kinds ask of a client that follows them."""

    def install(self, app: MCPServer[JobEngine]) -> None:
        """Add what else is wanted, such as resources and prompts, to the finished app."""


NOTHING = Additions()
