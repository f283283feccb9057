"""How far a job is, in memory: told for every unit of work, written to the store now and then."""

import anyio


class Progress:
    """Shared by a job's runner, its heartbeat and whoever waits for it, all in one event loop."""

    def __init__(self, done: int, total: int | None) -> None:
        self.scope = anyio.CancelScope()
        self._done, self._total, self._message = done, total, "started"
        self._change = anyio.Event()

    @property
    def fields(self) -> dict[str, int | str | None]:
        """`done`, `total` and `message`, as the store calls them; an unknown total is left out."""
        known = {} if self._total is None else {"total": self._total}
        return {"done": self._done, "message": self._message, **known}

    def report(self, done: int, total: int | None, message: str) -> None:
        """Say how far the job is."""
        self._done, self._total, self._message = done, total, message
        self._wake()

    def cancel(self) -> None:
        """Stop the work at its next await."""
        self.scope.cancel()

    def finish(self) -> None:
        """Wake whoever waits, for the last time."""
        self._wake()

    async def changed(self) -> None:
        """Return at the next change."""
        await self._change.wait()

    def _wake(self) -> None:
        change, self._change = self._change, anyio.Event()
        change.set()
