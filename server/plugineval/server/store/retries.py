"""Work on the database that is done again where its failure passes: a server that restarts, two writers that met.

An outage is waited out once: where patience ended, what follows is tried once each, until something succeeds again.
A failure that something can be done about is no outage: it is done, and the work tried again for as long as it takes.
"""

import time
from collections.abc import Callable
from threading import Event
from typing import TypeVar

T = TypeVar("T")

PAUSE_S = 0.05
LONGEST_PAUSE_S = 1.0


def _none(_: BaseException) -> bool:
    return False


class Retries:
    """Which failures pass, and for how long they are waited out; `mends` does something about others.

    For any thread.
    """

    def __init__(
        self,
        passes: Callable[[BaseException], bool],
        patience_s: float,
        mends: Callable[[BaseException], bool] = _none,
    ) -> None:
        self._passes, self._patience_s, self._mends = passes, patience_s, mends
        self._given_up = False
        self._hurried = Event()

    def hurry(self) -> None:
        """Wait nothing out any more, now and from now on: the process is about to end."""
        self._hurried.set()

    def run(self, work: Callable[[], T]) -> T:
        """The result of `work`, however often it is tried; the last error where patience ends. Blocks its thread."""
        deadline, pause = self._deadline(), PAUSE_S
        while True:
            try:
                result = work()
            except Exception as error:
                if not self._hurried.is_set() and self._mends(error):
                    deadline = self._deadline()
                    continue
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

    def _deadline(self) -> float:
        return time.monotonic() + (0 if self._given_up else self._patience_s)


NEVER = Retries(_none, 0)
