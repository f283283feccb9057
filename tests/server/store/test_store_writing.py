"""Writing: what returns is committed, an error reaches exactly its writer, two processes share a file."""

import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import anyio
import pytest
from sqlalchemy import Connection, text

from doubles.store import a_plugin, start_script
from plugineval.pccf.errors import InvalidRecordError, StoreError
from plugineval.pccf.ledger import CallKey
from plugineval.server.store import Journal, Store, StoreOptions
from plugineval.server.store.database import Database

pytestmark = [pytest.mark.anyio]


@pytest.fixture
def database(where: str) -> Iterator[Database]:
    opened = Database.open(where, StoreOptions())
    yield opened
    opened.close()


@pytest.fixture
def on_file(place: Path) -> Iterator[Database]:
    opened = Database.open(place, StoreOptions())
    yield opened
    opened.close()


def _note(connection: Connection, name: str) -> None:
    connection.execute(text("INSERT INTO rounds VALUES ('b', :n, '{}')"), {"n": int(name)})


def _begin_notes(connection: Connection) -> None:
    connection.execute(text("INSERT INTO benchmarks VALUES ('b', 'b', '2026-01-01', 'building', NULL, '{}')"))


def _notes(connection: Connection) -> list[int]:
    return list(connection.scalars(text("SELECT number FROM rounds ORDER BY number")))


def _refuse(_: Connection) -> None:
    raise InvalidRecordError("mine")


def _ask_nowhere(connection: Connection) -> None:
    connection.execute(text("SELECT * FROM nowhere"))


class _Hold:
    """Work that keeps the writer busy while others queue up behind it."""

    def __init__(self) -> None:
        self._holding, self._release = threading.Event(), threading.Event()

    def __call__(self, _: Connection) -> None:
        self._holding.set()
        self._release.wait()

    async def entered(self) -> None:
        await anyio.to_thread.run_sync(self._holding.wait)

    async def release(self) -> None:
        await anyio.wait_all_tasks_blocked()
        self._release.set()


async def test_an_error_reaches_its_own_writer_and_the_others_of_its_commit_are_kept(database: Database) -> None:
    await database.write(_begin_notes)
    hold, refused = _Hold(), list[type[Exception]]()

    async def expect(work: Callable[[Connection], None], kind: type[Exception]) -> None:
        with pytest.raises(kind):
            await database.write(work)
        refused.append(kind)

    async with anyio.create_task_group() as group:
        group.start_soon(database.write, hold)
        await hold.entered()
        group.start_soon(database.write, partial(_note, name="1"))
        group.start_soon(expect, _refuse, InvalidRecordError)
        group.start_soon(expect, _ask_nowhere, StoreError)
        group.start_soon(database.write, partial(_note, name="2"))
        await hold.release()
    assert set(refused) == {InvalidRecordError, StoreError}
    assert await database.read(_notes) == [1, 2]


async def test_writes_that_wait_together_share_one_commit(database: Database) -> None:
    await database.write(_begin_notes)
    hold, before = _Hold(), database.commits
    async with anyio.create_task_group() as group:
        group.start_soon(database.write, hold)
        await hold.entered()
        for number in range(50):
            group.start_soon(database.write, partial(_note, name=str(number)))
        await hold.release()
    assert database.commits - before == 2
    assert await database.read(_notes) == list(range(50))


async def test_a_cancelled_writer_waits_for_its_commit(database: Database) -> None:
    await database.write(_begin_notes)
    with anyio.CancelScope() as scope:
        scope.cancel()
        await database.write(partial(_note, name="7"))
    assert await database.read(_notes) == [7]


async def test_a_reader_cannot_write(database: Database) -> None:
    with pytest.raises(StoreError, match=r"read-only|only reads"):
        await database.read(_begin_notes)


def test_one_store_serves_several_event_loops(where: str) -> None:
    store, errors = Store.open(where), list[BaseException]()

    async def work(scope: str) -> None:
        async with anyio.create_task_group() as group:
            for number in range(50):
                group.start_soon(store.calls.record, scope, str(number), CallKey(stage="s", model="m", case="c"), "1")

    def run(scope: str) -> None:
        try:
            anyio.run(work, scope)
        except BaseException as error:
            errors.append(error)
            raise

    threads = [threading.Thread(target=run, args=(scope,)) for scope in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=30)
    assert errors == []
    assert [sum(anyio.run(store.calls.count, scope).values()) for scope in "abc"] == [50, 50, 50]
    store.close()


_WRITING = """
import sys, anyio
from plugineval.pccf.ledger import CallKey
from plugineval.server.store import Journal, Store

async def main():
    async with Store.open(sys.argv[1]) as store:
        journal = Journal(store, "shared")
        async def make():
            return sys.argv[2]
        async def call(number):
            await journal.call(CallKey(stage="s", model="m", case=str(number)), make)
        for start in range(0, 400, 8):
            async with anyio.create_task_group() as group:
                for number in range(start, start + 8):
                    group.start_soon(call, number)
        print(journal.made["s"])

anyio.run(main)
"""


async def test_two_processes_write_one_database_and_neither_is_refused(where: str) -> None:
    Store.open(where).close()
    processes = [start_script(_WRITING, where, name) for name in ("one", "two")]
    said = [await anyio.to_thread.run_sync(process.communicate) for process in processes]
    assert [errors for _, errors in said] == ["", ""]
    async with Store.open(where) as store:
        assert await store.calls.count("shared") == {"s": 400}


async def test_a_writer_waits_for_a_lock_of_another_process(place: Path) -> None:
    script = (
        "import sqlite3, sys\n"
        "c = sqlite3.connect(sys.argv[1], isolation_level=None); c.execute('BEGIN IMMEDIATE')\n"
        "print('locked', flush=True); sys.stdin.read(1); c.execute('COMMIT')\n"
    )
    async with Store.open(place) as store:
        holder = start_script(script, str(place))
        assert holder.stdout is not None
        assert holder.stdin is not None
        assert await anyio.to_thread.run_sync(holder.stdout.readline) == "locked\n"
        saved = anyio.Event()

        async def save() -> None:
            await store.plugins.save(a_plugin())
            saved.set()

        async with anyio.create_task_group() as group:
            group.start_soon(save)
            # Reading goes on while the other process holds the lock.
            assert await store.plugins.all() == ()
            assert not saved.is_set()
            holder.stdin.write("!")
            holder.stdin.flush()
        assert (await store.plugins.all())[0].name == "weather"
        holder.communicate()


async def test_a_lock_that_is_not_released_is_named_and_the_store_goes_on_afterwards(place: Path) -> None:
    async with Store.open(place, StoreOptions(busy_timeout_s=0.05)) as store:
        holder = sqlite3.connect(place, isolation_level=None)
        holder.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreError, match="locked by another program"):
            await store.plugins.save(a_plugin())
        holder.close()
        await store.plugins.save(a_plugin())


async def test_a_full_disk_is_named_loses_nothing_and_is_survived(on_file: Database) -> None:
    await on_file.write(_begin_notes)
    await on_file.write(partial(_note, name="1"))
    pages = await on_file.read(lambda c: int(c.scalar(text("PRAGMA page_count")) or 0))
    await on_file.write(lambda c: c.execute(text(f"PRAGMA max_page_count={pages + 2}")))
    large = text("INSERT INTO rounds VALUES ('b', 2, :body)")
    with pytest.raises(StoreError, match=r"disk is full.*Next: free some space"):
        await on_file.write(lambda c: c.execute(large, {"body": "x" * 100_000}))
    assert await on_file.read(_notes) == [1]
    await on_file.write(lambda c: c.execute(text("PRAGMA max_page_count=1000000")))
    await on_file.write(lambda c: c.execute(large, {"body": "x" * 100_000}))
    assert await on_file.read(_notes) == [1, 2]


@pytest.fixture
def small_disk() -> Iterator[Path]:
    """A file system of 400 kB."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        pytest.skip("only root on Linux can mount a small disk")
    with tempfile.TemporaryDirectory() as name:
        mounting = ["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", name]
        if subprocess.run(mounting, capture_output=True, check=False).returncode:
            pytest.skip("this machine mounts no small disk")
        try:
            yield Path(name)
        finally:
            subprocess.run(["umount", name], check=True)


async def test_a_disk_that_runs_full_loses_no_committed_answer(small_disk: Path) -> None:
    paid = 0

    async def make() -> str:
        nonlocal paid
        paid += 1
        return "x" * 5000

    async with Store.open(small_disk / "plugineval.db") as store:
        journal = Journal(store, "job")

        async def fill() -> None:
            for number in range(1000):
                await journal.call(CallKey(stage="s", model="m", case=str(number)), make)

        with pytest.raises(StoreError, match=r"disk is full|could not be read or written"):
            await fill()
        kept = (await store.calls.count("job"))["s"]
        assert 0 < kept == paid - 1


async def test_a_disk_that_is_full_from_the_start_is_named(small_disk: Path) -> None:
    (small_disk / "filler").write_bytes(b"x" * 390_000)
    place = small_disk / "plugineval.db"
    with pytest.raises(StoreError, match=r"disk is full|could not be read or written"):
        Store.open(place)
    (small_disk / "filler").unlink()
    Store.open(place).close()
