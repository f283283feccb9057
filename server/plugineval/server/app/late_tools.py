"""Tools that are made when the first client asks for one: their schemas take longer than the first answer may.

The only place that leans on how the SDK keeps its tools; a test says so loudly if it keeps them otherwise.
"""

from collections.abc import Callable, Iterable

from mcp.server.mcpserver.tools import Tool, ToolManager


class LateTools(ToolManager):
    """The SDK's tools, made by `make` when they are first looked at."""

    def __init__(self, make: Callable[[], Iterable[Tool]]) -> None:
        super().__init__()
        self._make: Callable[[], Iterable[Tool]] | None = make

    def get_tool(self, name: str) -> Tool | None:
        """The tool with that name."""
        self._all_made()
        return super().get_tool(name)

    def list_tools(self) -> list[Tool]:
        """All tools, in their order."""
        self._all_made()
        return super().list_tools()

    def _all_made(self) -> None:
        make, self._make = self._make, None
        if make is not None:
            self._tools.update((tool.name, tool) for tool in make())
