"""Change notifications to both eras: listen streams (2026-07-28) and legacy subscribers, one sink each."""

from weakref import WeakSet

from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated
from mcp_types import EmptyResult, SubscribeRequestParams, UnsubscribeRequestParams

from plugineval.server.jobs.engine import JobEngine

LISTED = ("plugineval://reports/", "plugineval://benchmarks/", "plugineval://plugins/")


class Notifier:
    """Tells clients that a resource is new or has changed; a client that is gone is forgotten."""

    def __init__(self, app: MCPServer[JobEngine], bus: InMemorySubscriptionBus) -> None:
        self._bus = bus
        self._subscribers: dict[str, WeakSet[ServerSession]] = {}
        server = app._lowlevel_server  # pyright: ignore[reportPrivateUsage]
        # MCPServer itself answers resources/subscribe with "method not found" and advertises no subscriptions.
        server.add_request_handler("resources/subscribe", SubscribeRequestParams, self._subscribe)
        server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, self._unsubscribe)

    async def announce(self, uri: str) -> None:
        """The resource `uri` is new or has changed."""
        await self._bus.publish(ResourceUpdated(uri=uri))
        if uri.startswith(LISTED):
            await self._bus.publish(ResourcesListChanged())
        for session in tuple(self._subscribers.get(uri, ())):
            await session.send_resource_updated(uri)

    async def _subscribe(self, context: ServerRequestContext[JobEngine], params: SubscribeRequestParams) -> EmptyResult:
        self._subscribers.setdefault(str(params.uri), WeakSet()).add(context.session)
        return EmptyResult()

    async def _unsubscribe(
        self, context: ServerRequestContext[JobEngine], params: UnsubscribeRequestParams
    ) -> EmptyResult:
        self._subscribers.get(str(params.uri), WeakSet()).discard(context.session)
        return EmptyResult()
