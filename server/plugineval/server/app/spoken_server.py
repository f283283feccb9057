"""The SDK's server, except that a tool or resource it does not have is refused with the ones it has."""

from collections.abc import Iterable
from typing import Any

from mcp.server import MCPServer
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp_types import CallToolResult, InputRequiredResult
from pydantic import AnyUrl

from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.server.jobs.engine import JobEngine


class SpokenServer(MCPServer[JobEngine]):
    """An `MCPServer` of this product."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[JobEngine, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; `ToolError` names those there are."""
        known = [tool.name for tool in await self.list_tools()]
        if name not in known:
            raise ToolError(str(UnknownNameError("tool", name, known, next_step="call one of these")))
        return await super().call_tool(name, arguments, context)

    async def read_resource(
        self, uri: AnyUrl | str, context: Context[JobEngine, Any] | None = None
    ) -> Iterable[ReadResourceContents] | InputRequiredResult:
        """Read a resource; `ResourceNotFoundError` names the templates there are."""
        try:
            return await super().read_resource(uri, context)
        except ResourceNotFoundError as error:
            if error.__cause__ is not None:
                raise
            known = [template.uri_template for template in await self.list_resource_templates()]
            told = ConfigurationError(
                f"there is no resource {str(uri)!r}",
                field="uri",
                allowed=known,
                next_step="fill in one of these; resources/list shows what is stored",
            )
            raise ResourceNotFoundError(str(told)) from error
