"""Change notifications to both eras: listen streams (2026-07-28) and legacy subscribers, one sink each.

Telling a client must never harm the job that is told about: it raises nothing, and a client that does not read is
waited for no longer than a moment.
"""

from weakref import WeakSet

import anyio
from mcp.server import MCPServer
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_types import EmptyResult, SubscribeRequestParams, UnsubscribeRequestParams

from plugineval.server.jobs.engine import JobEngine

LISTED = ("plugineval://reports/", "plugineval://benchmarks/", "plugineval://plugins/")
PATIENCE_S = 1.0


class Notifier:
    """Tells clients that a resource is new or has changed; a client that is gone is forgotten."""

    def __init__(self, app: MCPServer[JobEngine], bus: InMemorySubscriptionBus) -> None:
        self._bus = bus
        self._subscribers: dict[str, WeakSet[Connection]] = {}
        server = app._lowlevel_server  # pyright: ignore[reportPrivateUsage]
        # MCPServer itself answers resources/subscribe with "method not found" and advertises no subscriptions.
        server.add_request_handler("resources/subscribe", SubscribeRequestParams, self._subscribe)
        server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, self._unsubscribe)

    async def announce(self, uri: str) -> None:
        """The resource `uri` is new or has changed."""
        await self._bus.publish(ResourceUpdated(uri=uri))
        if uri.startswith(LISTED):
            await self._bus.publish(ResourcesListChanged())
        async with anyio.create_task_group() as group:
            for connection in tuple(self._subscribers.get(uri, ())):
                group.start_soon(_tell, connection, uri)

    async def _subscribe(self, context: ServerRequestContext[JobEngine], params: SubscribeRequestParams) -> EmptyResult:
        self._subscribers.setdefault(str(params.uri), WeakSet()).add(_connection(context))
        return EmptyResult()

    async def _unsubscribe(
        self, context: ServerRequestContext[JobEngine], params: UnsubscribeRequestParams
    ) -> EmptyResult:
        self._subscribers.get(str(params.uri), WeakSet()).discard(_connection(context))
        return EmptyResult()


async def _tell(connection: Connection, uri: str) -> None:
    # The connection drops what can no longer be sent.
    with anyio.move_on_after(PATIENCE_S):
        await connection.send_resource_updated(uri)


def _connection(context: ServerRequestContext[JobEngine]) -> Connection:
    """What lasts: a session is made anew for every request, and is gone with it."""
    return context.session._connection  # pyright: ignore[reportPrivateUsage]
