"""Change notifications to both eras: listen streams (2026-07-28) and legacy subscribers, one sink each.

Telling a client must never harm the job that is told about: it raises nothing, and a client that does not read is
waited for no longer than a moment.
"""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any
from weakref import WeakKeyDictionary, WeakSet

import anyio
from mcp.server import MCPServer
from mcp.server.connection import Connection
from mcp.server.context import CallNext, HandlerResult, ServerRequestContext
from mcp.server.subscriptions import InMemorySubscriptionBus
from mcp.shared.subscriptions import ResourcesListChanged, ResourceUpdated, ServerEvent
from mcp_types import EmptyResult, SubscribeRequestParams, UnsubscribeRequestParams

from plugineval.server.app.lower import low_level
from plugineval.server.jobs.engine import JobEngine

LISTED = ("plugineval://reports/", "plugineval://benchmarks/", "plugineval://plugins/")
PATIENCE_S = 1.0


class CountingBus(InMemorySubscriptionBus):
    """Knows how many listen streams there are."""

    def __init__(self) -> None:
        super().__init__()
        self.listening = 0

    def subscribe(self, listener: Callable[[ServerEvent], None]) -> Callable[[], None]:
        """Register a stream."""
        leave, self.listening = super().subscribe(listener), self.listening + 1
        left = False

        def unsubscribe() -> None:
            nonlocal left
            if not left:
                left = True
                self.listening -= 1
            leave()

        return unsubscribe


class Notifier:
    """Tells clients that a resource is new or has changed; a client that is gone is forgotten."""

    def __init__(self, app: MCPServer[JobEngine], bus: CountingBus) -> None:
        self._bus = bus
        # By connection, since clients choose the URIs: what one subscribed to is gone with it.
        self._subscribed: WeakKeyDictionary[Connection, set[str]] = WeakKeyDictionary()
        self._shaken: WeakSet[Connection] = WeakSet()
        app.middleware.append(self._remember)
        server = low_level(app)
        # MCPServer itself answers resources/subscribe with "method not found" and advertises no subscriptions.
        server.add_request_handler("resources/subscribe", SubscribeRequestParams, self._subscribe)
        server.add_request_handler("resources/unsubscribe", UnsubscribeRequestParams, self._unsubscribe)

    @property
    def heard(self) -> bool:
        """Whether anybody would hear of anything."""
        return bool(self._bus.listening or self._shaken)

    @property
    def subscriptions(self) -> int:
        """Of clients that shook hands and are still there."""
        return sum(map(len, self._subscribed.values()))

    async def announce(self, uri: str) -> None:
        """The resource `uri` is new or has changed."""
        await self._bus.publish(ResourceUpdated(uri=uri))
        listed = uri.startswith(LISTED)
        if listed:
            await self._bus.publish(ResourcesListChanged())
        async with anyio.create_task_group() as group:
            for connection, uris in tuple(self._subscribed.items()):
                if uri in uris:
                    group.start_soon(_tell, partial(connection.send_resource_updated, uri))
            for connection in tuple(self._shaken) if listed else ():
                group.start_soon(_tell, connection.send_resource_list_changed)

    async def _remember(self, ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        """Clients that shook hands are told of changed lists without having asked, and told that they are."""
        result = await call_next(ctx)
        if ctx.method != "initialize" or not isinstance(result, dict):
            return result
        self._shaken.add(_connection(ctx))
        capabilities = result.get("capabilities", {})
        resources = {**capabilities.get("resources", {}), "listChanged": True}
        return {**result, "capabilities": {**capabilities, "resources": resources}}

    async def _subscribe(self, context: ServerRequestContext[JobEngine], params: SubscribeRequestParams) -> EmptyResult:
        self._subscribed.setdefault(_connection(context), set()).add(str(params.uri))
        return EmptyResult()

    async def _unsubscribe(
        self, context: ServerRequestContext[JobEngine], params: UnsubscribeRequestParams
    ) -> EmptyResult:
        self._subscribed.get(_connection(context), set()).discard(str(params.uri))
        return EmptyResult()


async def _tell(send: Callable[[], Awaitable[None]]) -> None:
    # The connection drops what can no longer be sent.
    with anyio.move_on_after(PATIENCE_S):
        await send()


def _connection(context: ServerRequestContext[JobEngine]) -> Connection:
    """What lasts: a session is made anew for every request, and is gone with it."""
    return context.session._connection  # pyright: ignore[reportPrivateUsage]
