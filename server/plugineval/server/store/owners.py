"""Who runs a job, and whether that process is still there.

On this host the process id tells at once: a process that has ended and that nobody waited for is gone, and so is one
whose number went to a process born after its last heartbeat. A mark tells a process from an earlier one with the same
id (a container starts every process as number 1). On another host only the heartbeat tells.
"""

import os
import secrets
import socket
from datetime import datetime, timedelta
from functools import cache

from plugineval.pccf.values import Value

CLOCK_SLACK_S = 2.0
"""How far the birth of a process, as the system tells it, may be off."""


class Owner(Value):
    """One process."""

    mark: str
    host: str
    pid: int

    def gone(self, me: "Owner", *, heartbeat: datetime | None, now: datetime, stale_after: timedelta) -> bool:
        """Whether, as `me` sees it, nobody runs the job any more."""
        if self.mark == me.mark:
            return False
        if self.host == me.host and (self.pid == me.pid or not _alive(self.pid, heartbeat)):
            return True
        return heartbeat is None or now - heartbeat > stale_after


def this_process() -> Owner:
    """The process that asks; another one after a fork."""
    return _process(os.getpid())


@cache
def _process(pid: int) -> Owner:
    return Owner(mark=secrets.token_hex(8), host=socket.gethostname(), pid=pid)


def _alive(pid: int, heartbeat: datetime | None) -> bool:
    import psutil

    try:
        found = psutil.Process(pid)
        with found.oneshot():
            born_later = heartbeat is not None and found.create_time() > heartbeat.timestamp() + CLOCK_SLACK_S
            return not born_later and found.status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False
    except psutil.AccessDenied:
        return True
