"""Who vouches for what a plugin offers: nothing is executed on a server whose list of tools a person did not approve.

Where approvals are kept is not known here. A server is asked for its whole list once per connection, before the first
call on it, so that one that starts with other tools than before is noticed wherever it starts.
"""

from typing import TYPE_CHECKING, Protocol
from weakref import WeakSet

import anyio

from plugineval.clients.plugins.redaction import Redactor
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.tool_changes import ToolChanges
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.tools import Plugin

if TYPE_CHECKING:
    from mcp.types import Tool

    from plugineval.clients.plugins.connection import Connection


class ToolsChangedError(ConfigurationError):
    """The tools of a plugin are not those that were approved; `listed` is what its server offers now."""

    def __init__(self, name: str, changes: ToolChanges, listed: Plugin) -> None:
        self.changes = changes
        self.listed = listed
        # What the server says now may be an order: an agent that drives this is not told it.
        self.details = changes.details
        super().__init__(
            f"its tools are not those that were approved, so nothing of it is executed: {changes.sentence}",
            field=f"plugins.{name}",
            next_step=f"look at the difference and approve it with `plugineval approve {name}`, or mend the server",
        )


class Approvals(Protocol):
    """Knows which lists of tools were approved."""

    def examine(self, registration: PluginRegistration, listed: Plugin) -> None:
        """Return where `listed`, everything the server offers, is approved. Raises `ToolsChangedError`."""
        ...


class Unexamined:
    """Approves of everything: for lists that somebody else examines."""

    def examine(self, registration: PluginRegistration, listed: Plugin) -> None:
        """Nothing to say."""


class Admission:
    """Of one plugin."""

    def __init__(self, registration: PluginRegistration, redactor: Redactor, approvals: Approvals) -> None:
        self._registration = registration
        self._redactor = redactor
        self._approvals = approvals
        self._admitted: WeakSet[Connection] = WeakSet()
        self._listing = anyio.Lock()

    async def snapshot(self, connection: "Connection") -> Plugin:
        """The plugin as it is offered to models. Raises `ToolsChangedError`, and what `plugin_of` raises."""
        from plugineval.clients.plugins.snapshots import plugin_of

        tools = await self._examined(connection)
        return plugin_of(self._registration, connection.client, tools, self._redactor)

    async def admit(self, connection: "Connection") -> None:
        """Return once something may be executed on `connection`. Raises `ToolsChangedError` where nothing may, and
        `PluginUnavailableError` where it does not list its tools.
        """
        if connection in self._admitted:
            return
        async with self._listing:
            if connection not in self._admitted:
                await self._examined(connection)

    async def _examined(self, connection: "Connection") -> "tuple[Tool, ...]":
        from plugineval.clients.plugins.listing import listed_tools
        from plugineval.clients.plugins.snapshots import whole_list

        tools = await listed_tools(self._registration, connection, self._redactor)
        self._approvals.examine(self._registration, whole_list(self._registration, tools, self._redactor))
        self._admitted.add(connection)
        return tools
