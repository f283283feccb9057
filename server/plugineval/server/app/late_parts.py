"""Tools, resources and prompts that are made when a client first asks for them: their schemas take longer to make than
the first answer may.

The only place that leans on how the SDK keeps them; a test says so loudly if it keeps them otherwise.
"""

from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.prompts import Prompt, PromptManager
from mcp.server.mcpserver.resources import Resource, ResourceManager, ResourceTemplate
from mcp.server.mcpserver.tools import Tool, ToolManager
from mcp_types import InputRequiredResult
from pydantic import AnyUrl


class LateTools(ToolManager):
    """The SDK's tools, made by `make` when they are first looked at."""

    def __init__(self, make: Callable[[], Iterable[Tool]]) -> None:
        super().__init__()
        self._all_made = cache(lambda: self._tools.update((tool.name, tool) for tool in make()))

    def get_tool(self, name: str) -> Tool | None:
        """The tool with that name."""
        self._all_made()
        return super().get_tool(name)

    def list_tools(self) -> list[Tool]:
        """All tools, in their order."""
        self._all_made()
        return super().list_tools()


class LateResources(ResourceManager):
    """The SDK's resources, `known` among them; `make` adds ours to the server when they are first looked at."""

    def __init__(self, make: Callable[[], None], known: list[Resource]) -> None:
        super().__init__(resources=known)
        self._all_made = cache(make)

    async def get_resource(self, uri: AnyUrl | str, context: Context[Any, Any]) -> Resource | InputRequiredResult:
        """The resource with that address."""
        self._all_made()
        return await super().get_resource(uri, context)

    def list_templates(self) -> list[ResourceTemplate]:
        """All templates, ours after those that others added to the app."""
        self._all_made()
        return super().list_templates()


class LatePrompts(PromptManager):
    """The SDK's prompts; `make` adds ours to the server when they are first looked at."""

    def __init__(self, make: Callable[[], None]) -> None:
        super().__init__()
        self._all_made = cache(make)

    def get_prompt(self, name: str) -> Prompt | None:
        """The prompt with that name."""
        self._all_made()
        return super().get_prompt(name)

    def list_prompts(self) -> list[Prompt]:
        """All prompts, ours after those that others added to the app."""
        self._all_made()
        return super().list_prompts()
