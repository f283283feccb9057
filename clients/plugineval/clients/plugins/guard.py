"""Ends the plugins of a process that was killed: runs beside it, and acts when its own stdin ends.

Run by path, with the standard library alone. Each line of stdin is `+<group>` or `-<group>`, a process group, or
`+<group> <pid> <start>`, a process that the group's plugin started and that may have left the group. However our
process ends, SIGKILL included, the kernel closes the pipe, and all that is still listed is ended here.
"""

import os
import signal
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TypeAlias

GRACE_S = 1.0
AFTER_NAME = 2
"""How many fields of /proc/<pid>/stat come before the one that follows the name."""
START = 21 - AFTER_NAME

Member: TypeAlias = tuple[int, int]
"""A process: its number, and when it started in ticks since boot, so that a reused number is not mistaken for it."""


def listed(lines: Iterable[str]) -> dict[int, set[Member]]:
    """The process groups that were not taken off the list by the time the lines end, and what else belongs to each."""
    groups: dict[int, set[Member]] = {}
    for line in lines:
        group, *member = (int(part) for part in line[1:].split())
        if line.startswith("-"):
            groups.pop(group, None)
        else:
            groups.setdefault(group, set()).update({(member[0], member[1])} if member else ())
    return groups


def started(pid: int) -> int | None:
    """When the process started, in ticks since boot; None where it is gone, or where there is no /proc."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The name stands in parentheses and may hold anything.
    return int(stat.rpartition(b")")[2].split()[START])


def below(roots: Iterable[int]) -> set[int]:
    """The children of these processes, and theirs, as Linux lists them; empty where there is no /proc."""
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        new = _children(waiting.pop()) - found
        found |= new
        waiting.extend(new)
    return found


def _children(pid: int) -> set[int]:
    children: set[int] = set()
    with suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):
            # A thread may be gone by now. Not by way of `Path`, which costs four times the reading itself.
            with suppress(OSError), open(f"/proc/{pid}/task/{thread}/children", "rb", buffering=0) as listing:
                children.update(map(int, listing.read().split()))
    return children


def end(groups: dict[int, set[Member]]) -> None:
    """Ask all to stop, then stop them: the groups, what was listed with them, and what these have started."""
    known = {member for members in groups.values() for member in members if started(member[0]) == member[1]}
    descendants = below([*groups, *(pid for pid, _ in known)])
    known |= {(pid, start) for pid in descendants if (start := started(pid)) is not None}
    for asked in (signal.SIGTERM, signal.SIGKILL):
        for group in groups:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(group, asked)
        for pid, start in known:
            if started(pid) == start:
                with suppress(ProcessLookupError, PermissionError):
                    os.kill(pid, asked)
        if groups and asked is signal.SIGTERM:
            time.sleep(GRACE_S)


if __name__ == "__main__":
    end(listed(sys.stdin))
