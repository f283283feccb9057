"""One plugin process and everything it starts: begun in a session of its own, ended without leaving an orphan.

The end is asked for by closing stdin, then by SIGTERM, then forced; at each step for the whole process group and for
the descendants that were seen while the process lived, so that a grandchild in a session of its own is found too. On
Linux a warden runs the command, so that a daemon that forked twice is still a descendant.
"""

import os
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import anyio
from anyio.abc import AsyncResource, Process

from plugineval.clients.plugins.kin import Kin

if TYPE_CHECKING:
    import psutil

POLL_S = 0.01


class Launch(NamedTuple):
    """What is run: an absolute command with its arguments, no shell, this environment and nothing else."""

    command: Sequence[str]
    environment: Mapping[str, str]
    directory: str
    grace_s: float = 2.0
    """How long it may take after each request to end."""


async def open_process(launch: Launch) -> Process:
    """Start it with pipes on all three streams. Raises `OSError` where the system refuses."""
    return await anyio.open_process(
        [*_warden(), *launch.command],
        env=dict(launch.environment),
        cwd=launch.directory,
        start_new_session=sys.platform != "win32",
    )


def _warden() -> tuple[str, ...]:
    """What stands before a command: on Linux, who adopts its orphans."""
    if sys.platform != "linux":
        return ()
    return (sys.executable, "-I", "-S", str(Path(__file__).with_name("warden.py").absolute()))


async def end_process(process: Process, kin: Kin, *, grace_s: float) -> str:
    """End the process and its tree, and say how it ended. Call it shielded from cancellation."""
    kin.look()
    await _close(process.stdin)
    by_itself = await _exited(process, grace_s)
    tree = kin.living()
    if tree or _group_alive(process.pid):
        _signal_all(process.pid, tree, force=False)
        await _gone(process, tree, grace_s)
    _signal_all(process.pid, kin.living(), force=True)
    await _exited(process, grace_s)
    return _ending(process.returncode) if by_itself else "it went silent and had to be stopped"


async def release(process: Process) -> None:
    """Close our ends of the pipes, and the transport, which a survivor that holds a pipe would keep open."""
    await _close(process.stdin)
    await _close(process.stdout)
    await _close(process.stderr)
    transport = getattr(getattr(process, "_process", None), "_transport", None)
    close = getattr(transport, "close", None)
    if callable(close):
        with suppress(PermissionError):
            close()


def _ending(status: int | None) -> str:
    if status is None or status >= 0:
        return f"it exited with status {status}"
    return f"it was ended by {signal.Signals(-status).name}"


async def _exited(process: Process, within_s: float) -> bool:
    # Polled: `wait` of asyncio also waits for the pipes, which a grandchild may hold open.
    with anyio.move_on_after(within_s):
        while process.returncode is None:
            await anyio.sleep(POLL_S)
    return process.returncode is not None


async def _gone(process: Process, tree: "list[psutil.Process]", within_s: float) -> None:
    with anyio.move_on_after(within_s):
        while process.returncode is None or _group_alive(process.pid) or any(m.is_running() for m in tree):
            await anyio.sleep(POLL_S)


def _signal_all(group: int, tree: "list[psutil.Process]", *, force: bool) -> None:
    import psutil

    if sys.platform != "win32":
        # The group outlives its leader, and its number is not given away while a member lives.
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL if force else signal.SIGTERM)
    else:
        with suppress(psutil.Error):
            tree = [*tree, psutil.Process(group)]
    for member in tree:
        with suppress(psutil.Error):
            member.kill() if force else member.terminate()


def _group_alive(group: int) -> bool:
    if sys.platform == "win32":
        return False
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


async def _close(stream: AsyncResource | None) -> None:
    if stream is not None:
        with suppress(OSError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            await stream.aclose()
