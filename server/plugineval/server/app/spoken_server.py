"""The SDK's server, except that a tool or resource it does not have is refused with the ones it has."""

from collections.abc import Awaitable, Callable, Iterable
from typing import Any

from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.helper_types import ReadResourceContents
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceNotFoundError, ToolError
from mcp.server.mcpserver.tools import Tool
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INVALID_PARAMS,
    CallToolResult,
    GetPromptResult,
    InputRequiredResult,
    ReadResourceRequestParams,
    ReadResourceResult,
)
from pydantic import AnyUrl

from plugineval.pccf.errors import ConfigurationError, PluginEvalError, UnknownNameError
from plugineval.server.app.late_parts import LatePrompts, LateResources, LateTools
from plugineval.server.jobs.engine import JobEngine


class SpokenServer(MCPServer[JobEngine]):
    """An `MCPServer` of this product. `fresh_for` says for how long what was read may be used again, in ms."""

    fresh_for: Callable[[str], Awaitable[int]] | None = None

    def make_tools(self, make: Callable[[], Iterable[Tool]]) -> None:
        """Serve the tools that `make` makes, once somebody asks for them."""
        self._tool_manager = LateTools(make)

    def make_resources(self, make: Callable[[], None]) -> None:
        """Serve the resources that `make` adds to this server, once somebody asks for them."""
        self._resource_manager = LateResources(make, self._resource_manager.list_resources())

    def make_prompts(self, make: Callable[[], None]) -> None:
        """Serve the prompts that `make` adds to this server, once somebody asks for them."""
        self._prompt_manager = LatePrompts(make)

    async def _handle_read_resource(
        self, ctx: ServerRequestContext[JobEngine], params: ReadResourceRequestParams
    ) -> ReadResourceResult | InputRequiredResult:
        result = await super()._handle_read_resource(ctx, params)
        if self.fresh_for is None or not isinstance(result, ReadResourceResult):
            return result
        return result.model_copy(update={"ttl_ms": await self.fresh_for(str(params.uri)), "cache_scope": "private"})

    async def get_prompt(
        self,
        name: str,
        arguments: dict[str, Any] | None = None,
        context: Context[JobEngine, Any] | None = None,
    ) -> GetPromptResult | InputRequiredResult:
        """Render a prompt; `MCPError` names the prompts, or the arguments, that there are."""
        prompts = {prompt.name: prompt for prompt in await self.list_prompts()}
        if name not in prompts:
            raise _refused(UnknownNameError("prompt", name, prompts, next_step="take one of these"))
        known = {argument.name: argument for argument in prompts[name].arguments or ()}
        for given in arguments or {}:
            if given not in known:
                raise _refused(UnknownNameError("argument", given, known, next_step="leave it out"))
        missing = [each for each, argument in known.items() if argument.required and each not in (arguments or {})]
        if missing:
            raise _refused(ConfigurationError("is required", field=missing[0], next_step=f"get {name} with it"))
        return await super().get_prompt(name, arguments, context)

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


def _refused(error: PluginEvalError) -> MCPError:
    return MCPError(code=INVALID_PARAMS, message=str(error))
