"""A tool whose every error is a sentence of ours, and which refuses arguments that it does not have.

The SDK ignores unknown arguments, words validation errors as pydantic does, and hides what other exceptions say.
"""

import inspect
import logging
from collections.abc import Awaitable, Callable
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, TextContent, ToolAnnotations
from pydantic import ValidationError

from plugineval.harness.rendering.neutral import shown
from plugineval.pccf.errors import mendable
from plugineval.server.app.arguments import again, unknown_arguments, wrong_arguments
from plugineval.server.app.faults import sentence
from plugineval.server.app.flat import flattened
from plugineval.server.app.schemas import published_input, published_output

logger = logging.getLogger(__name__)

READING = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)
"""Looks at what is stored."""
WORKING = ToolAnnotations(read_only_hint=False, destructive_hint=False, idempotent_hint=False, open_world_hint=True)
"""Starts work that talks to plugins and models."""


class SpokenTool(Tool):
    """Made by `spoken_tool`; `run` raises nothing but `ToolError`, whose text is the whole answer."""

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> object:
        """Run the tool with arguments that it has; no text of the answer steers a terminal that shows it."""
        properties = self.parameters["properties"]
        strange = unknown_arguments(self.name, arguments, properties)
        if strange is not None:
            raise ToolError(shown(strange))
        try:
            return _shown(await super().run(arguments, context, convert_result))
        except ToolError as error:
            cause = error.__cause__ or error
            if isinstance(cause, ValidationError) and not isinstance(error, UnexpectedToolError):
                raise ToolError(shown(wrong_arguments(self.name, cause, properties))) from cause
            raise self._told(cause) from cause

    def _told(self, cause: BaseException) -> ToolError:
        told = mendable(cause)
        if told is not None:
            said = sentence(told)
            return ToolError(said if "Next: " in said else f"{said} {again(self.name)}")
        if isinstance(cause, ToolError):
            return cause
        return UnexpectedToolError(
            f"{self.name} met an internal error ({type(cause).__name__}); other tools go on working. "
            "Next: tell the user; the server's stderr says what happened."
        )


def _shown(result: object) -> object:
    """The answer with what plugins and models wrote made visible; structured content is data and stays as it is."""
    if not isinstance(result, CallToolResult):
        return result
    content = [
        block.model_copy(update={"text": shown(block.text)}) if isinstance(block, TextContent) else block
        for block in result.content
    ]
    return result.model_copy(update={"content": content})


def spoken_tool(
    function: Callable[..., Awaitable[CallToolResult]],
    title: str,
    annotations: ToolAnnotations,
    meta: dict[str, Any] | None = None,
) -> SpokenTool:
    """The tool of an async function: its name, its docstring as description, its annotated parameters."""
    made = SpokenTool.from_function(
        flattened(function), title=title, description=inspect.getdoc(function), annotations=annotations, meta=meta
    )
    assert isinstance(made, SpokenTool)
    made.parameters = published_input(made.parameters)
    if made.fn_metadata.output_schema is not None:
        made.fn_metadata.output_schema = published_output(made.fn_metadata.output_schema)
    return made
