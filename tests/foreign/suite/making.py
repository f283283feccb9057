"""How the fixtures of the suite are made: tools under the suite's names, and the smallest contents that it takes."""

from collections.abc import Callable
from typing import Any

from mcp.server.mcpserver.tools import Tool
from mcp_types import CallToolResult, ContentBlock, TextContent

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=="
SILENCE = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="


def tool(function: Callable[..., Any], name: str = "") -> Tool:
    """A tool by the SDK's own class: `test_` and the function's name, unless another one is given."""
    return Tool.from_function(function, name=name or f"test_{function.__name__}", structured_output=False)


def said(text: str, *further: ContentBlock) -> CallToolResult:
    """A result that begins with a text."""
    return CallToolResult(content=[TextContent(type="text", text=text), *further])
