"""An HTTP server that, told to stop, first lets open requests be answered, and then stops as uvicorn does.

Streams of events are cut off the moment that uvicorn knows of its end; so it is told a little later.
"""

import time
from collections.abc import Callable
from types import FrameType

import uvicorn

LAST_WORDS_S = 0.8
"""Seconds for requests that wait to be answered: longer than it takes any of them to look up."""


class LeavingServer(uvicorn.Server):
    """`leave` is called once, when the process is told to stop; a second signal stops it at once."""

    def __init__(self, config: uvicorn.Config, leave: Callable[[], None]) -> None:
        super().__init__(config)
        self._leave = leave
        self._told: tuple[int, FrameType | None] | None = None
        self._left_at: float | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal came, in the middle of anything: it is only remembered."""
        if self._told is None:
            self._told = (sig, frame)
        else:
            super().handle_exit(sig, frame)

    async def on_tick(self, counter: int) -> bool:
        """Every tenth of a second: whether to stop now."""
        if self._told is not None and not self.should_exit:
            now = time.monotonic()
            if self._left_at is None:
                self._left_at = now
                self._leave()
            elif now - self._left_at >= LAST_WORDS_S:
                super().handle_exit(*self._told)
        return await super().on_tick(counter)
