"""Work on the database that is done again where its failure passes: a server that restarts, two writers that met.

An outage is waited out once: where patience ended, what follows is tried once each, until something succeeds again.
"""

import time
from collections.abc import Callable
from threading import Event
from typing import TypeVar

T = TypeVar("T")

PAUSE_S = 0.05
LONGEST_PAUSE_S = 1.0


class Retries:
    """Which failures pass, and for how long they are waited out. For any thread."""

    def __init__(self, passes: Callable[[BaseException], bool], patience_s: float) -> None:
        self._passes, self._patience_s = passes, patience_s
        self._given_up = False
        self._hurried = Event()

    def hurry(self) -> None:
        """Wait nothing out any more, now and from now on: the process is about to end."""
        self._hurried.set()

    def run(self, work: Callable[[], T]) -> T:
        """The result of `work`, however often it is tried; the last error where patience ends. Blocks its thread."""
        deadline, pause = time.monotonic() + (0 if self._given_up else self._patience_s), PAUSE_S
        while True:
            try:
                result = work()
            except Exception as error:
                if not self._passes(error):
                    raise
                if self._hurried.is_set() or time.monotonic() + pause > deadline:
                    self._given_up = True
                    raise
            else:
                self._given_up = False
                return result
            self._hurried.wait(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)


def _none(_: BaseException) -> bool:
    return False


NEVER = Retries(_none, 0)
