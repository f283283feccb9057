"""What a plugin's process has started, remembered while it lives: who its children were is forgotten when it dies.

Looked up at messages, at most a hundred times a second, and at every tick of the clock. On Linux the warden adopts what
loses its parent, so a look finds all. Elsewhere a process remains unseen that leaves the group and loses its parent
between two looks, as a daemon does that forks twice.
"""

import sys
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING

from plugineval.clients.plugins.guard import below, started

if TYPE_CHECKING:
    import psutil


GLANCE_S = 0.01
"""How long what a look found is good enough for a message; a look costs a tenth of a quick server's answer."""


class Kin:
    """All processes that were ever seen below `pid` and still run; `tell` hears of each new one once."""

    def __init__(self, pid: int, tell: Callable[[int, int], None]) -> None:
        self._pid = pid
        self._tell = tell
        self._members: dict[int, psutil.Process] = {}
        self._looked_at = 0.0

    def glance(self) -> None:
        """Look, unless somebody just did."""
        if monotonic() - self._looked_at >= GLANCE_S:
            self.look()

    def look(self) -> None:
        """Remember who is there now."""
        self._looked_at = monotonic()
        found = below([self._pid, *self._members]) if sys.platform == "linux" else _listed(self._pid)
        if found <= self._members.keys():
            return
        import psutil

        self._members = {pid: member for pid, member in self._members.items() if member.is_running()}
        for pid in found - self._members.keys():
            try:
                self._members[pid] = psutil.Process(pid)
            except psutil.Error:
                continue
            start = started(pid)
            if start is not None:
                self._tell(pid, start)

    def living(self) -> "list[psutil.Process]":
        """Those that run, after another look; each is known by its start time too, so no number is mistaken."""
        self.look()
        return [member for member in self._members.values() if member.is_running()]


def _listed(pid: int) -> set[int]:
    import psutil

    try:
        return {child.pid for child in psutil.Process(pid).children(recursive=True)}
    except psutil.Error:
        return set()
