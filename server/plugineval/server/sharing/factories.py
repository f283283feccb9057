"""Opens the models of the settings, each endpoint within its limits: those of this process, or of all that are on the
same database.
"""

from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, TypeAlias

import anyio

from plugineval.server.settings.settings import Settings

if TYPE_CHECKING:
    from plugineval.clients.models.registry import ModelFactory
    from plugineval.server.store.store import Store

OpenStore: TypeAlias = "Callable[[], Awaitable[Store]]"
"""Gives the store, and opens it if need be."""


@asynccontextmanager
async def open_factory(
    settings: Settings,
    environ: Mapping[str, str],
    *,
    store: "OpenStore | None" = None,
    base_url: str | None = None,
    concurrency: int | None = None,
) -> AsyncGenerator["ModelFactory"]:
    """Makes models, and closes them with the block.

    Limits are shared through `store`, if it is given and the settings share them. `concurrency` is the limit of calls
    in flight of an endpoint that nobody has registered.
    """
    from plugineval.clients.models.registry import ModelFactory

    factory = ModelFactory(
        settings.models,
        base_url=base_url,
        environ=environ,
        unregistered_concurrency=concurrency,
        secrets=settings.secrets,
    )
    try:
        if store is None or not settings.shares_limits:
            yield factory
            return
        from plugineval.clients.models.sharing import Sharing
        from plugineval.server.sharing.stored_pace import StoredPace

        async with Sharing.open(StoredPace(await store())) as sharing:
            factory.share(sharing)
            yield factory
    finally:
        with anyio.CancelScope(shield=True):
            await factory.aclose()
