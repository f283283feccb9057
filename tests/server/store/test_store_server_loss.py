"""A database server that crashes and comes back in the middle of work, and two writers that meet head-on."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import anyio
import pytest
from sqlalchemy import Connection, text

from doubles.postgres import Postgres
from doubles.store import a_benchmark, a_record, start_script
from plugineval.pccf.errors import StoreError
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.values import Json
from plugineval.server.store import Journal, Store, StoreOptions
from plugineval.server.store.database import Database
from plugineval.server.store.retries import Retries

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X3")]


TESTS = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def doomed() -> Iterator[Postgres]:
    """A server that nobody else uses."""
    with Postgres.running() as server:
        yield server


async def test_work_waits_for_a_server_that_crashed_and_loses_and_repeats_nothing(doomed: Postgres) -> None:
    calls, paid = 300, dict[str, int]()
    half = anyio.Event()

    async def ask(journal: Journal, number: int) -> None:
        async def make() -> Json:
            paid[str(number)] = paid.get(str(number), 0) + 1
            return number

        assert await journal.call(CallKey(stage="s", model="m", case=str(number)), make) == number
        if number == calls // 2:
            half.set()

    async def work(journal: Journal, numbers: "Iterator[int]") -> None:
        for number in numbers:
            await ask(journal, number)

    async with Store.open(doomed.create()) as store:
        journal, numbers = Journal(store, "job"), iter(range(calls))
        async with anyio.create_task_group() as group:
            for _ in range(8):
                group.start_soon(work, journal, numbers)
            await half.wait()
            await anyio.to_thread.run_sync(doomed.kill)
            await anyio.to_thread.run_sync(doomed.start)
        assert await store.calls.count("job") == {"s": calls}
    assert set(paid.values()) == {1}


async def test_reading_waits_for_a_server_that_crashed(doomed: Postgres) -> None:
    async with Store.open(doomed.create()) as store:
        job = await store.jobs.create("build", {})
        doomed.kill()
        found: list[str] = []
        async with anyio.create_task_group() as group:

            async def read() -> None:
                found.append((await store.jobs.get(job.id)).id)

            group.start_soon(read)
            await anyio.to_thread.run_sync(doomed.start)
        assert found == [job.id]


async def test_a_server_that_stays_away_is_named_and_work_goes_on_when_it_is_back(doomed: Postgres) -> None:
    where = doomed.create()
    async with Store.open(where, StoreOptions(reconnect_s=0)) as store:
        doomed.kill()
        try:
            with pytest.raises(StoreError, match=r"cannot be reached.*Next: start it"):
                await store.jobs.create("build", {})
            with pytest.raises(StoreError, match="cannot be reached") as caught:
                Store.open(where)
        finally:
            doomed.start()
        assert where.split(":")[2].split("@")[0] not in str(caught.value)
        assert (await store.jobs.create("build", {})).kind == "build"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("plugineval:", "nobody:"), "cannot be reached.*user and password"),
        (("/d", "/no"), "cannot be reached|no such database"),
    ],
)
def test_a_server_that_refuses_is_named(postgres: Postgres, change: tuple[str, str], said: str) -> None:
    where = postgres.create()
    head, _, tail = where.rpartition(change[0])
    with pytest.raises(StoreError, match=said):
        Store.open(head + change[1] + tail)


async def test_two_writers_that_lock_each_other_out_both_get_through(postgres: Postgres) -> None:
    where = postgres.create()
    one, other = Database.open(where, StoreOptions()), Database.open(where, StoreOptions())
    await one.write(partial(_rows, "a", "b"))
    met = anyio.Event()
    first = {"held": False}

    def slowly(connection: Connection) -> None:
        _touch(connection, "a")
        if not first["held"]:
            first["held"] = True
            anyio.from_thread.run_sync(met.set, token=token)
            _touch_when_waited_for(connection)
        _touch(connection, "b")

    def against(connection: Connection) -> None:
        _touch(connection, "b")
        _touch(connection, "a")

    token = anyio.lowlevel.current_token()
    async with anyio.create_task_group() as group:
        group.start_soon(one.write, slowly)
        await met.wait()
        group.start_soon(other.write, against)
    assert await one.read(_touched) == [2, 2]
    one.close()
    other.close()


def _rows(one: str, other: str, connection: Connection) -> None:
    insert = text("INSERT INTO benchmarks VALUES (:n, '', '2026-01-01', 'building', NULL, '')")
    connection.execute(insert, [{"n": one}, {"n": other}])


def _touch(connection: Connection, name: str) -> None:
    connection.execute(text("UPDATE benchmarks SET body = body || 'x' WHERE id = :n"), {"n": name})


def _touch_when_waited_for(connection: Connection) -> None:
    waiting = text("SELECT count(*) FROM pg_locks WHERE NOT granted")
    while not connection.execute(waiting).scalar():
        pass


def _touched(connection: Connection) -> list[int]:
    return [len(body) for body in connection.scalars(text("SELECT body FROM benchmarks ORDER BY id"))]


_RECORDING = """
import sys, anyio
sys.path.insert(0, sys.argv[3])
from doubles.store import a_record
from plugineval.server.store import Store

async def main():
    async with Store.open(sys.argv[1]) as store:
        async with anyio.create_task_group() as group:
            for number in range(int(sys.argv[2]), int(sys.argv[2]) + 150):
                group.start_soon(store.records.append, "benchmark-a", a_record(number))

anyio.run(main)
"""


async def test_two_processes_that_add_to_one_benchmark_share_no_position(where: str) -> None:
    async with Store.open(where) as store:
        await store.benchmarks.save_header(a_benchmark())
        starts = ("0", "1000")
        processes = [start_script(_RECORDING, where, start, str(TESTS)) for start in starts]
        said = [await anyio.to_thread.run_sync(process.communicate) for process in processes]
        assert [errors for _, errors in said] == ["", ""]
        found = [record.id for record in await store.records.stream("benchmark-a")]
    assert sorted(found) == sorted(a_record(start + n).id for start in (0, 1000) for n in range(150))


def test_an_outage_is_waited_out_once_and_what_follows_fails_at_once_until_something_succeeds() -> None:
    tried: list[int] = []

    def gone(_: BaseException) -> bool:
        return True

    def fail() -> None:
        tried.append(1)
        raise ConnectionError

    patient = Retries(gone, 0.2)
    counts: list[int] = []
    for work in (fail, fail, None, fail):
        tried.clear()
        if work is None:
            patient.run(lambda: None)
            continue
        with pytest.raises(ConnectionError):
            patient.run(work)
        counts.append(len(tried))
    first, second, after = counts
    assert first > 1
    assert (second, after > 1) == (1, True)
