"""Who runs a job, and whether that process is still there.

On this host the process id tells at once, and a mark of the process tells it from an earlier one with the same id (a
container starts every process as number 1). On another host only the heartbeat tells.
"""

import os
import secrets
import socket
import sys
from datetime import datetime, timedelta
from functools import cache

from plugineval.pccf.values import Value


class Owner(Value):
    """One process."""

    mark: str
    host: str
    pid: int

    def gone(self, me: "Owner", *, heartbeat: datetime | None, now: datetime, stale_after: timedelta) -> bool:
        """Whether, as `me` sees it, nobody runs the job any more."""
        if self.mark == me.mark:
            return False
        if self.host == me.host and (self.pid == me.pid or not _alive(self.pid)):
            return True
        return heartbeat is None or now - heartbeat > stale_after


def this_process() -> Owner:
    """The process that asks; another one after a fork."""
    return _process(os.getpid())


@cache
def _process(pid: int) -> Owner:
    return Owner(mark=secrets.token_hex(8), host=socket.gethostname(), pid=pid)


def _alive(pid: int) -> bool:
    if sys.platform == "win32":
        # There signal 0 is Ctrl-C; the heartbeat decides.
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
