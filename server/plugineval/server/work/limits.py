"""Adapters that hold a limiter around each call: for roles beside an agent, whose waiting must hold up nobody.

A job whose roles wait for an agent lets all its calls begin at once, so that every item is on offer; what asks a
provider or a plugin keeps the concurrency of the job by one of these.
"""

from collections.abc import Sequence

import anyio

from plugineval.pccf.chat import ChatModel, ChatReply, ChatRequest
from plugineval.pccf.examples import Query
from plugineval.pccf.execution import PluginSession
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation
from plugineval.pccf.routing import Router, RouterReply
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Arguments
from plugineval.server.router_around import RouterAround


class LimitedChat:
    """A `ChatModel`."""

    def __init__(self, model: ChatModel, limiter: anyio.CapacityLimiter) -> None:
        self._model = model
        self._limiter = limiter

    @property
    def id(self) -> str:
        """Of the model."""
        return self._model.id

    async def complete(self, request: ChatRequest) -> ChatReply:
        """Its answer."""
        async with self._limiter:
            return await self._model.complete(request)


class LimitedRouter(RouterAround):
    """A `Router`."""

    def __init__(self, router: Router, limiter: anyio.CapacityLimiter) -> None:
        super().__init__(router)
        self._limiter = limiter

    async def route(self, query: Query, toolset: Toolset, *, seed: int = 0) -> RouterReply:
        """Its answer."""
        async with self._limiter:
            return await self._router.route(query, toolset, seed=seed)


class LimitedSession:
    """A `PluginSession`."""

    def __init__(self, session: PluginSession, limiter: anyio.CapacityLimiter) -> None:
        self._session = session
        self._limiter = limiter

    async def call(
        self, tool: ToolSpec, arguments: Arguments, *, after: Sequence[tuple[ToolSpec, Invocation]] = ()
    ) -> Observation:
        """Its observation."""
        async with self._limiter:
            return await self._session.call(tool, arguments, after=after)
