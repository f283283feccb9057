"""Where the copies of one plugin lie, and how they go away again, also after a process that was killed.

Each process keeps its copies in a folder of its own beside which no other process works: a lock that the kernel
releases with the process says whether somebody still uses it.
"""

import os
import secrets
import shutil
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

LOCK = "lock"
_UNFINISHED = "."
"""Begins the name of a folder that is not locked yet."""
_UNFINISHED_S = 60.0


class Copy(NamedTuple):
    """One copy: what `{sandbox}` stands for, and the home of its process."""

    data: Path
    home: Path

    @property
    def folder(self) -> Path:
        """All of it."""
        return self.data.parent


class Copies:
    """Made below `root`, readable by this user alone. All methods block; `OSError` passes through."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._own: Path | None = None
        self._lock: int | None = None
        self._claiming = threading.Lock()

    def make(self) -> Copy:
        """Folders for a new copy, still empty."""
        with self._claiming:
            folder = self._owned() / secrets.token_hex(4)
        for new in (folder, folder / "data", folder / "home"):
            new.mkdir(mode=0o700)
        return Copy(data=folder / "data", home=folder / "home")

    def remove(self, copy: Copy) -> None:
        """Delete a copy, whatever its server made of the rights in it; what resists is swept later."""
        _remove(copy.folder)

    def stale(self) -> tuple[Copy, ...]:
        """The copies of processes that are gone."""
        if not self.root.is_dir():
            return ()
        left = [folder for folder in self.root.iterdir() if folder != self._own and _abandoned(folder)]
        return tuple(Copy(data=one / "data", home=one / "home") for folder in left for one in _folders(folder))

    def sweep(self) -> None:
        """Delete all that processes left behind that are gone."""
        for folder in self.root.iterdir() if self.root.is_dir() else ():
            if folder != self._own and _abandoned(folder):
                _remove(folder)

    def close(self) -> None:
        """Delete everything of this process."""
        if self._lock is not None:
            os.close(self._lock)
        if self._own is not None:
            _remove(self._own)
        self._own = self._lock = None

    def _owned(self) -> Path:
        if self._own is None:
            self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
            name = secrets.token_hex(4)
            unfinished = self.root / (_UNFINISHED + name)
            unfinished.mkdir(mode=0o700)
            self._lock = os.open(unfinished / LOCK, os.O_CREAT | os.O_RDWR, 0o600)
            _try_lock(self._lock)
            # A folder under its own name is always locked while it is in use.
            self._own = unfinished.rename(self.root / name)
        return self._own


def _folders(folder: Path) -> list[Path]:
    return [one for one in folder.iterdir() if one.is_dir()]


def _abandoned(folder: Path) -> bool:
    """Whether the process that made `folder` is gone."""
    if folder.name.startswith(_UNFINISHED) and time.time() - folder.stat().st_mtime < _UNFINISHED_S:
        return False
    try:
        lock = os.open(folder / LOCK, os.O_RDWR)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    try:
        return _try_lock(lock)
    finally:
        os.close(lock)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(lock: int) -> bool:
        try:
            msvcrt.locking(lock, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:
    import fcntl

    def _try_lock(lock: int) -> bool:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True


def _remove(folder: Path) -> None:
    for path, folders, _ in os.walk(folder):
        for name in folders:
            inner = Path(path, name)
            if not inner.is_symlink():
                with suppress(OSError):
                    inner.chmod(0o700)
    shutil.rmtree(folder, ignore_errors=True)
