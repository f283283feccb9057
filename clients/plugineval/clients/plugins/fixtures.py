"""A fixture and its real copies: no links to the original, nothing followed out of it, bounded in size.

What cannot be copied faithfully is refused by name before anything starts: a link that leads out of the fixture would
let a plugin change what it points at, and a socket or device has no copy.
"""

import os
import shutil
import stat
from collections.abc import Iterator
from pathlib import Path

from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.sandbox import Sandbox
from plugineval.pccf.errors import ConfigurationError

MOST_ENTRIES = 50_000
_MEGABYTE = 1_000_000
_BESIDE_A_DATABASE = ("-wal", "-journal")
"""SQLite keeps what was written last in a file of its own; without it a copy is an older database."""


class Fixture:
    """The fixture of one plugin."""

    def __init__(self, registration: PluginRegistration, sandbox: Sandbox) -> None:
        self._field = f"{registration.field}.sandbox"
        self._limit_mb = sandbox.limit_mb
        self._named = sandbox.fixture
        self._root = sandbox.fixture.resolve()

    def check(self) -> None:
        """`ConfigurationError` where it is missing, too large, or holds what cannot be copied; nothing is written."""
        if not self._root.exists():
            raise self._error(
                f"there is no {self._named}",
                "make it, or correct the path; it is relative to the settings file",
            )
        for _ in self._entries():
            pass

    def copy_into(self, folder: Path) -> None:
        """Fill the empty `folder`. Raises `OSError`, and what `check` raises."""
        folders: list[tuple[Path, Path]] = []
        for source in self._entries():
            target = folder / source.relative_to(self._top)
            if source.is_symlink():
                target.symlink_to(self._link(source))
            elif source.is_dir():
                target.mkdir(mode=0o700)
                folders.append((source, target))
            else:
                shutil.copy2(source, target, follow_symlinks=False)
        # Last, and the innermost first: a folder that may not be written must be full by then.
        for source, target in reversed(folders):
            shutil.copystat(source, target)

    @property
    def _top(self) -> Path:
        return self._root if self._root.is_dir() else self._root.parent

    def _entries(self) -> Iterator[Path]:
        """All that is copied, folders before their content, each checked; bounded as a whole."""
        size = 0
        for number, path in enumerate(self._walk(), 1):
            found = path.lstat()
            size += self._size(path, found)
            if size > self._limit_mb * _MEGABYTE or number > MOST_ENTRIES:
                raise self._error(
                    f"{self._named} is too large: more than {self._limit_mb} MB or {MOST_ENTRIES:,} files",
                    f"leave out what the tools do not need, or raise {self._field}.limit_mb",
                )
            yield path

    def _walk(self) -> Iterator[Path]:
        if not self._root.is_dir():
            yield self._root
            beside = (self._root.with_name(self._root.name + ending) for ending in _BESIDE_A_DATABASE)
            yield from (path for path in beside if path.is_file())
            return
        waiting = [self._root]
        while waiting:
            for path in sorted(waiting.pop().iterdir()):
                yield path
                if path.is_dir() and not path.is_symlink():
                    waiting.append(path)

    def _size(self, path: Path, found: os.stat_result) -> int:
        if stat.S_ISLNK(found.st_mode):
            self._link(path)
            return 0
        if stat.S_ISDIR(found.st_mode):
            return 0
        if not stat.S_ISREG(found.st_mode):
            raise self._error(f"{path} is no file, folder or link, and cannot be copied", "take it out of the fixture")
        return found.st_size

    def _link(self, path: Path) -> str:
        """Where the copy of a link points: inside the copy."""
        if not path.resolve().is_relative_to(self._top):
            raise self._error(
                f"the link {path} leads out of the fixture", "replace it by what it points at, or take it out"
            )
        target = os.readlink(path)
        inside = Path(target)
        return os.path.relpath(inside.resolve(), path.parent.resolve()) if inside.is_absolute() else target

    def _error(self, problem: str, next_step: str) -> ConfigurationError:
        return ConfigurationError(problem, field=f"{self._field}.copy", next_step=next_step)


def check_fixture(registration: PluginRegistration) -> None:
    """Refuse a plugin whose fixture cannot be copied; one without a sandbox is fine."""
    if registration.sandbox is not None:
        fixture = Fixture(registration, registration.sandbox)
        try:
            fixture.check()
        except OSError as error:
            raise ConfigurationError(
                f"{registration.sandbox.fixture} cannot be read: {error.strerror or error}",
                field=f"{registration.field}.sandbox.copy",
                next_step="give yourself permission to read all of it",
            ) from error
