"""What a tool works with: the engine of its server, and the store behind it."""

from typing import TYPE_CHECKING, TypeAlias

from mcp.server.mcpserver import Context

from plugineval.server.jobs.engine import JobEngine

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

Ctx: TypeAlias = Context[JobEngine]
"""The context of a tool call."""


def engine_of(ctx: Ctx) -> JobEngine:
    """The jobs of this server."""
    return ctx.request_context.lifespan_context


async def store_of(ctx: Ctx) -> "Store":
    """The open store; `StoreError` where it cannot be opened."""
    return await engine_of(ctx).workspace.store()
