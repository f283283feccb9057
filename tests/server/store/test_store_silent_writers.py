"""Writers that keep a lock: one that fell silent between statements it sends together, and one that is at work."""

import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager

import anyio
import psycopg
import pytest

from doubles.postgres import Postgres
from doubles.store import a_benchmark
from plugineval.server.store import Store, StoreOptions
from plugineval.server.store.postgres import NAME
from plugineval.server.workers.queue import require_server

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X3")]

SILENCE_S = 0.5
PATIENT = StoreOptions(idle_transaction_s=SILENCE_S)
LOCKING = "SELECT id FROM benchmarks FOR UPDATE"


@contextmanager
def connected(url: str, name: str = NAME) -> Generator[psycopg.Connection]:
    """Another process, which the server ends no sooner than ours when it waits for its next statement."""
    idle = f"-c idle_in_transaction_session_timeout={round(SILENCE_S * 1000)}"
    connection = psycopg.connect(require_server(url), application_name=name, options=idle)
    try:
        yield connection
    finally:
        connection.close()


def in_half(connection: psycopg.Connection, statement: str) -> None:
    """Send two statements of several that belong together, and nothing more."""
    connection.pgconn.enter_pipeline_mode()
    for each in ("BEGIN", statement):
        connection.pgconn.send_query_params(each.encode(), None)
    while connection.pgconn.flush():
        pass


@pytest.fixture
def where(postgres: Postgres) -> str:
    """A database server's own; files have no such writers."""
    return postgres.create()


async def test_who_fell_silent_in_the_middle_of_what_it_sends_loses_its_locks_to_those_who_wait(where: str) -> None:
    async with Store.open(where, PATIENT) as store:
        await store.benchmarks.save_header(a_benchmark())
        with ExitStack() as stack:
            silent = stack.enter_context(connected(where))
            other = stack.enter_context(connected(where, "somebody-else"))
            watching = stack.enter_context(connected(where))
            in_half(silent, LOCKING)
            in_half(other, "SELECT 1")
            watching.autocommit = True
            pids = [silent.info.backend_pid, other.info.backend_pid]
            query = "SELECT pid FROM pg_stat_activity WHERE pid = ANY(%s) AND wait_event = 'ClientRead' AND query <> ''"
            while len(watching.execute(query, [pids]).fetchall()) < len(pids):
                await anyio.sleep(0.01)
            # The server does not see to it by itself.
            await anyio.sleep(2 * SILENCE_S)
            assert len(watching.execute(query, [pids]).fetchall()) == len(pids)
            began = time.monotonic()
            await store.benchmarks.save_header(a_benchmark())
            assert time.monotonic() - began < 4 * SILENCE_S
            assert watching.execute(query, [pids]).fetchall() == [(other.info.backend_pid,)]


async def test_who_is_at_work_keeps_its_locks_however_long_others_wait(where: str) -> None:
    async with Store.open(where, PATIENT) as store:
        await store.benchmarks.save_header(a_benchmark())
        with connected(where) as busy:
            busy.execute(LOCKING)
            done = anyio.Event()

            async def work() -> None:
                await anyio.to_thread.run_sync(lambda: busy.execute("SELECT pg_sleep(%s)", [3 * SILENCE_S]))
                done.set()
                await anyio.to_thread.run_sync(busy.commit)

            async with anyio.create_task_group() as group:
                group.start_soon(work)
                await store.benchmarks.save_header(a_benchmark())
                assert done.is_set()
