"""Ends the plugins of a process that was killed: runs beside it, and acts when its own stdin ends.

Run by path, with the standard library alone. Each line of stdin is `+<process group>` or `-<process group>`. However
our process ends, SIGKILL included, the kernel closes the pipe, and the groups that are still listed are ended here.
"""

import os
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress

GRACE_S = 1.0


def listed(lines: Iterable[str]) -> set[int]:
    """The process groups that were not taken off the list by the time the lines end."""
    groups: set[int] = set()
    for line in lines:
        change = groups.add if line.startswith("+") else groups.discard
        change(int(line[1:]))
    return groups


def end(groups: set[int]) -> None:
    """Ask all to stop, then stop them."""
    for asked in (signal.SIGTERM, signal.SIGKILL):
        for group in groups:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, asked)
        if groups and asked is signal.SIGTERM:
            time.sleep(GRACE_S)


if __name__ == "__main__":
    end(listed(sys.stdin))
