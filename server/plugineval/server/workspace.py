"""One opened home: its settings and its store. The MCP app and the command line both work in one.

The store is opened when something first needs it, so that a server answers its first request without the weight of
the database; an error while opening is given to whoever asked, each time.
"""

from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

import anyio

from plugineval.server.settings.settings import Settings

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


async def _nobody(uri: str) -> None:
    """Nobody listens."""


class Workspace:
    """Close it with `aclose`; `announce` is told the URI of every resource that is new or has changed."""

    def __init__(self, settings: Settings, *, environ: Mapping[str, str]) -> None:
        self.settings = settings
        self.environ = environ
        self.announce: Callable[[str], Awaitable[None]] = _nobody
        self.in_session = False
        """Whether this process serves clients, whose own model may be asked through MCP sampling."""
        self.leaving = False
        """Whether this process is about to end: whoever waits for a job is answered with how far it is."""
        self._lock = anyio.Lock()
        self._store: Store | None = None

    async def store(self) -> "Store":
        """The open store; `StoreError` where it cannot be opened."""
        async with self._lock:
            if self._store is None:
                opened = await anyio.to_thread.run_sync(self._open_store)
                try:
                    await opened.jobs.mark_interrupted()
                except BaseException:
                    opened.close()
                    raise
                self._store = opened
            return self._store

    def under(self, settings: Settings) -> "Workspace":
        """The same home and store under other settings, for one job; whoever opened this one closes it."""
        return _Under(self, settings)

    async def aclose(self) -> None:
        """Commit what was handed over and let go of the files, even where the caller is cancelled."""
        store, self._store = self._store, None
        if store is not None:
            with anyio.CancelScope(shield=True):
                await anyio.to_thread.run_sync(store.close)

    def _open_store(self) -> "Store":
        from plugineval.server.store.store import Store

        return Store.open(self.settings.database, self.settings.store)


class _Under(Workspace):
    def __init__(self, whole: Workspace, settings: Settings) -> None:
        super().__init__(settings, environ=whole.environ)
        self.announce, self.in_session = whole.announce, whole.in_session
        self._whole = whole

    async def store(self) -> "Store":
        return await self._whole.store()
