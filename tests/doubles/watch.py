"""A witness of what a process does to the world: files opened for writing, processes started, connections made.

Python itself reports them (`sys.addaudithook`), whatever library does them. A hook cannot be taken away again: it looks
at `_WATCHING`, and says nothing while nobody watches.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_PLACES = {"os.mkdir": 0, "os.remove": 0, "os.rmdir": 0, "os.chmod": 0, "os.symlink": 1, "os.link": 1, "os.rename": 1}
_NEVER = ("subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "os.fork", "socket.connect")
_ITS_OWN = ("__pycache__", ".hypothesis", "/dev/null", "/dev/tty")
"""What the interpreter and the test itself write."""
_HEARD = frozenset(("open", *_PLACES, *_NEVER))
_watching: list["Watch"] = []
_hooked: list[bool] = []


class Watch:
    """What was done outside of `home` since it began: `effects`, a line for each."""

    def __init__(self, home: Path) -> None:
        self.effects: list[str] = []
        self._home = str(home.resolve())

    def hear(self, event: str, details: tuple[object, ...]) -> None:
        """Keep the event if it is an effect."""
        if event in _NEVER:
            self.effects.append(f"{event} {details!r:.200}")
        place = self._place(event, details)
        if isinstance(place, bytes):
            place = os.fsdecode(place)
        if isinstance(place, str | os.PathLike) and self._outside(os.fspath(place)):
            self.effects.append(f"{event} {place}")

    def _place(self, event: str, details: tuple[object, ...]) -> object:
        if event == "open":
            flags = details[2]
            return details[0] if isinstance(flags, int) and flags & _WRITING else None
        return details[_PLACES[event]] if event in _PLACES else None

    def _outside(self, place: str) -> bool:
        whole = os.path.realpath(place)
        return not whole.startswith(self._home) and not any(part in whole for part in _ITS_OWN)


def _hook(event: str, details: tuple[object, ...]) -> None:
    if event not in _HEARD:
        return
    for watch in _watching:
        watch.hear(event, details)


@contextmanager
def watching(home: Path) -> Generator[Watch]:
    """Watch this process, all of its threads, inside the block."""
    if not _hooked:
        sys.addaudithook(_hook)
        _hooked.append(True)
    watch = Watch(home)
    _watching.append(watch)
    try:
        yield watch
    finally:
        _watching.remove(watch)


class _Reporting(Watch):
    """Writes every effect to a file as it happens: the process may end however it likes."""

    def __init__(self, home: Path, report: int) -> None:
        super().__init__(home)
        self._report = report

    def hear(self, event: str, details: tuple[object, ...]) -> None:
        """Keep it, and write it down."""
        super().hear(event, details)
        while self.effects:
            os.write(self._report, (self.effects.pop() + "\n").encode(errors="replace"))


def watch_for_good(home: Path, report: Path) -> None:
    """Watch this process until it ends; effects are written to `report`."""
    _watching.append(_Reporting(home, os.open(report, os.O_WRONLY | os.O_CREAT | os.O_APPEND)))
    sys.addaudithook(_hook)


def watched_command(home: Path, report: Path) -> tuple[str, ...]:
    """`plugineval` as a process that is watched."""
    program = (
        f"import sys; sys.path.insert(0, {str(TESTS)!r}); from pathlib import Path; "
        f"from doubles.watch import watch_for_good; from plugineval.server.cli import main; "
        f"watch_for_good(Path({str(home)!r}), Path({str(report)!r})); main()"
    )
    return (sys.executable, "-c", program)
