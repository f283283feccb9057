"""Changes one configuration file of a host: whole or not at all, with a copy kept, and only if nobody else did since.

The file keeps its permissions and its owner. A link or a file that is read-only is left alone: somebody meant that.
"""

import os
import shutil
import stat
from datetime import datetime
from itertools import count
from pathlib import Path

from plugineval.pccf.errors import ConfigurationError

_BOM = b"\xef\xbb\xbf"


def content_of(path: Path) -> bytes | None:
    """What is in the file, or None where there is none; `ConfigurationError` where it must not be changed."""
    if path.is_symlink():
        target = os.readlink(path)
        raise ConfigurationError(
            f"is a link to {target}, and is left alone",
            field=str(path),
            next_step="write the entry into that file yourself; --print shows it",
        )
    try:
        content = path.read_bytes()
        mode = path.stat().st_mode
    except FileNotFoundError:
        return None
    except OSError as error:
        step = "give yourself permission to read it, or write the entry yourself; --print shows it"
        raise ConfigurationError(f"cannot be read ({error.strerror})", field=str(path), next_step=step) from error
    if not mode & stat.S_IWUSR or not os.access(path, os.W_OK):
        step = f"make it writable (`chmod u+w {path}`), or write the entry yourself; --print shows it"
        raise ConfigurationError("is read-only, and is left alone", field=str(path), next_step=step)
    return content


def text_in(path: Path, content: bytes) -> str:
    """`content` as text, without its byte order mark; `ConfigurationError` where it is not UTF-8."""
    try:
        return content.removeprefix(_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        raise ConfigurationError("is not UTF-8", field=str(path), next_step="save it again as UTF-8") from error


def as_content(text: str, before: bytes | None) -> bytes:
    """`text` as bytes, with the byte order mark that was there before."""
    return (_BOM if before is not None and before.startswith(_BOM) else b"") + text.encode()


def put_in_place(path: Path, *, before: bytes | None, after: bytes, now: datetime) -> Path | None:
    """Replace `before` by `after`; returns where `before` is kept, None where there was no file.

    `ConfigurationError`: the file is not as it was any more, or cannot be written. Nothing has changed then.
    """
    try:
        if before is None:
            path.parent.mkdir(parents=True, exist_ok=True)
        if content_of(path) != before:
            step = "close the host if it is running, and run this again"
            raise ConfigurationError("was changed by somebody else just now", field=str(path), next_step=step)
        kept = _kept(path, before, now) if before is not None else None
        _replace(path, after)
    except OSError as error:
        problem = f"cannot be written ({error.strerror or error})"
        step = "make it and its folder yours and writable, or write the entry yourself; --print shows it"
        raise ConfigurationError(problem, field=str(path), next_step=step) from error
    return kept


def _kept(path: Path, content: bytes, now: datetime) -> Path:
    """A copy beside the file; whatever has such a name already is never written over."""
    stem = f"{path.name}.{now:%Y%m%dT%H%M%S}"
    for number in count(1):
        spare = path.with_name(f"{stem}.bak" if number == 1 else f"{stem}-{number}.bak")
        try:
            _write_new(spare, content, like=path)
        except FileExistsError:
            continue
        return spare
    raise AssertionError("numbers do not end")


def _replace(path: Path, content: bytes) -> None:
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    _write_new(temporary, content, like=path if path.exists() else None)
    try:
        if not path.exists() and hasattr(os, "geteuid") and os.geteuid() == 0:
            _as_owned(temporary, path.parent)
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def _write_new(path: Path, content: bytes, *, like: Path | None) -> None:
    """Never readable by more people than `like` is, not even while it is written."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600 if like else 0o666)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if like is not None:
            _as_owned(path, like)
            shutil.copymode(like, path)
    except BaseException:
        path.unlink(missing_ok=True)
        raise


def _as_owned(path: Path, like: Path) -> None:
    """Under `sudo` a person's file would become root's, and the host could not write it any more."""
    wanted, given = like.stat(), path.stat()
    if hasattr(os, "chown") and (wanted.st_uid, wanted.st_gid) != (given.st_uid, given.st_gid):
        os.chown(path, wanted.st_uid, wanted.st_gid)
