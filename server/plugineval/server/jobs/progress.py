"""How far a job is, in memory: told for every unit of work, written to the store now and then."""

from collections.abc import Callable

import anyio


class Progress:
    """Shared by a job's runner, its heartbeat and whoever waits for it, all in one event loop."""

    def __init__(self, done: int, total: int | None) -> None:
        self.scope = anyio.CancelScope()
        self.waiting_for: Callable[[], str] = str
        """What the job waits for, told in place of its last message; empty while it waits for nothing."""
        self.news = anyio.Event()
        """Set when there is another message; then there is another event."""
        self._done, self._total, self._message = done, total, "started"

    @property
    def fields(self) -> dict[str, int | str | None]:
        """`done`, `total` and `message`, as the store calls them; an unknown total is left out."""
        known = {} if self._total is None else {"total": self._total}
        return {"done": self._done, "message": self.waiting_for() or self._message, **known}

    def report(self, done: int, total: int | None, message: str) -> None:
        """Say how far the job is; `done` is not negative."""
        new, self._done, self._total, self._message = message != self._message, done, total, message
        if new:
            self.tell()

    def tell(self) -> None:
        """Wake whoever waits for news."""
        self.news.set()
        self.news = anyio.Event()

    def cancel(self) -> None:
        """Stop the work at its next await."""
        self.scope.cancel()
