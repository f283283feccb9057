"""Our end of the guard: starts it with the first plugin, tells it which process groups live, and dismisses it."""

import os
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from types import TracebackType

from plugineval.clients.plugins import guard

LONGEST_GOODBYE_S = 3.0


class Guard:
    """A context manager. Where there are no process groups (Windows) it does nothing."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def watch(self, group: int, member: guard.Member | None = None) -> None:
        """End this process group, and a member that may have left it, if we are gone before `forget`."""
        if os.name == "posix":
            self._tell(f"+{group} {member[0]} {member[1]}\n" if member else f"+{group}\n")

    def forget(self, group: int) -> None:
        """The group has ended."""
        if self._process is not None:
            self._tell(f"-{group}\n")

    def _tell(self, line: str) -> None:
        if self._process is None:
            self._process = _started()
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.write(line.encode())

    def __enter__(self) -> "Guard":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close its stdin: it ends what is left on its list, which is nothing after a clean shutdown."""
        if self._process is None:
            return
        assert self._process.stdin is not None
        with suppress(OSError):
            self._process.stdin.close()
        try:
            self._process.wait(LONGEST_GOODBYE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


def _started() -> subprocess.Popen[bytes]:
    # Isolated and without site-packages it starts in a hundredth of a second; in a session of its own, Ctrl-C at the
    # terminal reaches us and not it.
    return subprocess.Popen(
        [sys.executable, "-I", "-S", str(Path(guard.__file__).absolute())],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        bufsize=0,
        cwd="/",
        env={},
        start_new_session=True,
    )
