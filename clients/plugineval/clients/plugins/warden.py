"""Runs a plugin's command and adopts whatever it lets go of, so that no process it started can slip away.

Run by path, with the standard library alone: `warden.py COMMAND ARGUMENT...`. On Linux an orphan goes to the nearest
ancestor that declared itself a subreaper; without one, a daemon that forks twice belongs to init and nothing ties it
to us. The command gets this process's own streams; when it ends, so does what it left, and its status is passed on.
"""

import os
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
NOT_STARTED = 127
GRACE_S = 0.1
"""How long what was left behind may take to end when asked to."""
POLL_S = 0.005
_IGNORED_BY_PYTHON = (signal.SIGPIPE, signal.SIGXFSZ)


def adopt() -> None:
    """Become the parent of every descendant that loses its own; where that cannot be had, the guard knows the rest."""
    with suppress(ImportError, OSError, AttributeError):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(command: list[str]) -> int:
    """Start the command, wait for it, end what it left behind; its status as `waitpid` gives it."""
    # Asked to end as a group: the command may take its time, and is not left alone for that.
    signal.signal(signal.SIGTERM, _stay)
    child = os.fork()
    if not child:
        _become(command)
    _let_go_of_streams()
    status = _status_of(child)
    for asked in (signal.SIGTERM, signal.SIGKILL):
        _end_the_rest(asked)
    return status


def _stay(number: int, frame: object) -> None:
    """What is asked to end is the command."""


def _become(command: list[str]) -> None:
    for ignored in _IGNORED_BY_PYTHON:
        signal.signal(ignored, signal.SIG_DFL)
    try:
        os.execv(command[0], command)
    except OSError as error:
        os.write(2, f"{command[0]}: {error.strerror}\n".encode())
    os._exit(NOT_STARTED)


def _let_go_of_streams() -> None:
    """The streams are the command's: held open here, they would outlive it."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(nothing, stream)


def _status_of(child: int) -> int:
    while True:
        ended, status = os.waitpid(-1, 0)
        if ended == child:
            return status


def _end_the_rest(asked: signal.Signals) -> None:
    """Ask what was adopted, and what comes to us through that, to end; wait a little, or for ever if it must."""
    deadline = time.monotonic() + GRACE_S
    told: set[int] = set()
    while (left := _children()) and (asked is signal.SIGKILL or time.monotonic() < deadline):
        for pid in left - told:
            with suppress(ProcessLookupError, PermissionError):
                os.kill(pid, asked)
        told |= left
        with suppress(ChildProcessError):
            os.waitpid(-1, os.WNOHANG)
        time.sleep(POLL_S)


def _children() -> set[int]:
    try:
        return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_bytes().split()))
    except OSError:
        return set()


def end_alike(status: int) -> None:
    """End as the command did: by the same signal, or with the same exit status."""
    if os.WIFSIGNALED(status):
        ended_by = os.WTERMSIG(status)
        with suppress(OSError, ValueError):
            signal.signal(ended_by, signal.SIG_DFL)
        os.kill(os.getpid(), ended_by)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


if __name__ == "__main__":
    adopt()
    end_alike(run(sys.argv[1:]))
