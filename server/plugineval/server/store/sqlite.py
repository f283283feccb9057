"""Everything that is true of SQLite alone: how a file is found, opened and locked, and what its error codes mean.

Write-ahead logging lets readers go on while one process writes; a writer takes the lock at once (BEGIN IMMEDIATE), so
that it waits for another process instead of failing half-way.
"""

import errno
import os
import sqlite3
import time
from pathlib import Path

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from plugineval.pccf.errors import StoreError
from plugineval.server.store.fault import FULL, Fault
from plugineval.server.store.options import StoreOptions

READERS = 40
KEPT = 8
"""Connections that stay open, as many as read at once in one process: a new one costs more than what it reads."""
READ_CACHE_KIB = 512
"""Of the file, for each of them, where SQLite would keep four times as much: whatever anybody commits voids it, and the
system has the file in memory. In a server it came and went, and left its holes.
"""

_READ_ONLY = Fault(
    "it cannot be written: the file or its directory is read-only",
    "make both writable for this user, or choose another place with --home or PLUGINEVAL_HOME",
)
_FAULTS = {
    sqlite3.SQLITE_PERM: _READ_ONLY,
    sqlite3.SQLITE_READONLY: _READ_ONLY,
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_BUSY: Fault(
        "it is locked by another program", "close what holds it (a database browser, a backup) and try again"
    ),
    sqlite3.SQLITE_CANTOPEN: Fault(
        "it cannot be opened", "check that its directory exists and that this user may write there"
    ),
    sqlite3.SQLITE_NOTADB: Fault(
        "this file is not a database", "move it away or choose another place with --home or PLUGINEVAL_HOME"
    ),
    sqlite3.SQLITE_CORRUPT: Fault(
        "the database is damaged", "keep a copy of the file, then restore a backup or run `sqlite3 FILE .recover`"
    ),
    sqlite3.SQLITE_IOERR: Fault(
        "the disk could not be read or written", "check the disk and its free space, then `plugineval resume --last`"
    ),
}


def fault_of(error: sqlite3.Error) -> Fault | None:
    """The meaning of an error of SQLite, by its primary result code."""
    code = getattr(error, "sqlite_errorcode", None)
    return _FAULTS.get(code & 0xFF) if isinstance(code, int) else None


def prepare_place(path: Path) -> None:
    """Make the directory; `StoreError` where a database cannot be written, before any lock is taken."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    except OSError as error:
        fault = FULL if error.errno == errno.ENOSPC else Fault("its directory cannot be made", _READ_ONLY.next_step)
        raise StoreError(fault.problem, field=str(path), next_step=fault.next_step) from error
    if path.is_dir():
        raise StoreError("this is a directory", field=str(path), next_step="name a file in it")
    effective = os.access in os.supports_effective_ids
    if not all(os.access(there, os.W_OK, effective_ids=effective) for there in (path.parent, path) if there.exists()):
        raise StoreError(_READ_ONLY.problem, field=str(path), next_step=_READ_ONLY.next_step)
    _make_private(path)


def _make_private(path: Path) -> None:
    """Queries and answers are their owner's alone. The files beside the database get its mode from SQLite."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        return
    except OSError as error:
        fault = FULL if error.errno == errno.ENOSPC else _READ_ONLY
        raise StoreError(fault.problem, field=str(path), next_step=fault.next_step) from error


def open_engine(path: Path, options: StoreOptions, *, write: bool) -> Engine:
    """An engine on the file: one connection that writes, or up to 40 that only read."""
    engine = create_engine(
        URL.create("sqlite+pysqlite", database=str(path)),
        poolclass=QueuePool,
        pool_size=1 if write else KEPT,
        max_overflow=0 if write else READERS - KEPT,
        connect_args={"check_same_thread": False, "timeout": options.busy_timeout_s, "isolation_level": None},
    )
    begin = "BEGIN IMMEDIATE" if write else "BEGIN"

    def prepare(connection: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
        connection.execute(f"PRAGMA synchronous={options.synchronous}")
        connection.execute("PRAGMA foreign_keys=ON")
        if write:
            _log_ahead(connection, options.busy_timeout_s)
        else:
            connection.execute("PRAGMA query_only=ON")
            connection.execute(f"PRAGMA cache_size=-{READ_CACHE_KIB}")

    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine, "connect", prepare)
    event.listen(engine, "begin", start)
    return engine


def _log_ahead(connection: sqlite3.Connection, patience_s: float) -> None:
    """Switch to WAL. Two processes that do it at once do not wait for each other: SQLite answers BUSY at once."""
    deadline = time.monotonic() + patience_s
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            connection.execute("PRAGMA journal_mode=WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
