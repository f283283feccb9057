"""Work on the database that is done again where its failure passes: a server that restarts, two writers that met."""

import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

T = TypeVar("T")

PAUSE_S = 0.05
LONGEST_PAUSE_S = 1.0


class Retries(NamedTuple):
    """Which failures pass, and for how long they are waited out."""

    passes: Callable[[BaseException], bool]
    patience_s: float

    def run(self, work: Callable[[], T]) -> T:
        """The result of `work`, however often it is tried; the last error where patience ends. Blocks its thread."""
        deadline, pause = time.monotonic() + self.patience_s, PAUSE_S
        while True:
            try:
                return work()
            except Exception as error:
                if not self.passes(error) or time.monotonic() + pause > deadline:
                    raise
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE_S)


def _none(_: BaseException) -> bool:
    return False


NEVER = Retries(_none, 0)
