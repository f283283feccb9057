"""What cells and shards cost a PostgreSQL server: its processor seconds, its log, and how many wait for one commit.

Seconds of processor are those of all its processes together, so that other programs on the machine change little.
"""

import json
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from typing import LiteralString, NamedTuple

import anyio
import psutil
import psycopg

from doubles.postgres import Postgres
from doubles.store import a_case, a_row, a_run, an_attempt
from plugineval.clients.models.pace import PaceLimits, Told
from plugineval.pccf.ledger import CallKey
from plugineval.server.sharing.stored_pace import StoredPace
from plugineval.server.store.store import Store
from plugineval.server.workers.queue import require_server
from plugineval.server.workers.queue_schema import SEARCH_PATH, ensure_queue

CELLS, WAITING = 3_000, 64
SHARDS = 20_000
MEMBERS = (10, 100, 400)
ANSWER = "x" * 640
"""As long as providers answer."""


class Written(NamedTuple):
    """Of one cell: commits that it shares, milliseconds of the server's processor, bytes of its log; cells a second."""

    cells_a_commit: float
    cpu_ms: float
    log_bytes: float
    rate: float


class Fetched(NamedTuple):
    """Milliseconds of the server's processor to hand out one shard and to end it, and shards a second to one worker."""

    cpu_ms: float
    rate: float


class Met(NamedTuple):
    """Of one meeting of so many processes: milliseconds of the server's processor and of the clock, bytes of log."""

    members: int
    cpu_ms: float
    wall_ms: float
    log_bytes: float


class Cost:
    """What a block took: `cpu_s` of the server, `wall_s`, and `log` bytes written ahead."""

    cpu_s = wall_s = log = 0.0


@contextmanager
def cost(connection: "psycopg.Connection[tuple[object, ...]]") -> Generator[Cost]:
    """Filled in at the end of the block."""
    server = psutil.Process(connection.info.backend_pid).parent()
    assert server is not None
    found, started, before, place = Cost(), time.monotonic(), _cpu(server), _log(connection)
    yield found
    found.wall_s = time.monotonic() - started
    found.cpu_s, found.log = _cpu(server) - before, _log(connection) - place


def _cpu(server: psutil.Process) -> float:
    """Of its processes, those that have ended included."""
    own = server.cpu_times()
    total = own.user + own.system + own.children_user + own.children_system
    for child in server.children():
        with suppress(psutil.NoSuchProcess):
            times = child.cpu_times()
            total += times.user + times.system
    return total


def _log(connection: "psycopg.Connection[tuple[object, ...]]") -> float:
    return _number(connection, "select pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")


def _number(connection: "psycopg.Connection[tuple[object, ...]]", query: LiteralString) -> float:
    row = connection.execute(query).fetchone()
    assert row is not None
    return float(str(row[0]))


async def written(server: Postgres) -> Written:
    """Answers of a run, kept and graded as a matrix does it: each waits for its own commits."""
    url = server.create()
    store = Store.open(url)
    await store.runs.create(a_run(), cases=[a_case(0)])
    places, log = iter(range(CELLS)), store.attempts.log("run-a")

    async def work() -> None:
        for place in places:
            key = CallKey(stage="route", model="m", case=f"case-{place:05}", repeat=0, request={"place": place})
            await store.calls.record("job-a", key.digest, key, json.dumps(ANSWER))
            await log.append(an_attempt(place, text=ANSWER), a_row(place))

    with psycopg.connect(require_server(url), autocommit=True) as connection:
        commits = store.commits
        with cost(connection) as found:
            async with anyio.create_task_group() as group:
                for _ in range(WAITING):
                    group.start_soon(work)
        commits = store.commits - commits
    store.close()
    # Two rows wait for a commit in a cell: the answer, then what it was worth.
    return Written(2 * CELLS / commits, found.cpu_s / CELLS * 1e3, found.log / CELLS, CELLS / found.wall_s)


def fetched(server: Postgres) -> Fetched:
    """Shards handed out one by one from a queue of many, and ended."""
    address = require_server(server.create())
    ensure_queue(address)
    with psycopg.connect(address, autocommit=True, options=SEARCH_PATH) as connection:
        connection.execute(
            "insert into procrastinate_jobs (queue_name, task_name, queueing_lock, args)"
            " select 'shards/a', 'plugineval.shard', 'job/' || n, '{\"job_id\": \"job\", \"number\": 1}'"
            " from generate_series(1, %s) n",
            (SHARDS,),
        )
        # As autovacuum does within a minute. Before it has, the planner expects a short queue and reads all of it.
        connection.execute("analyze procrastinate_jobs")
        worker = int(_number(connection, "insert into procrastinate_workers default values returning id"))
        with cost(connection) as found:
            for _ in range(SHARDS // 10):
                row = connection.execute(
                    "select id from procrastinate_fetch_job_v2(array['shards/a'], %s)", (worker,)
                ).fetchone()
                assert row is not None
                connection.execute("select procrastinate_finish_job_v1(%s, 'succeeded', false)", (row[0],))
    return Fetched(found.cpu_s / (SHARDS // 10) * 1e3, SHARDS // 10 / found.wall_s)


async def met(server: Postgres, members: int) -> Met:
    """Processes at one endpoint that all keep within its limits together."""
    url = server.create()
    store = Store.open(url)
    pace, limits = StoredPace(store), PaceLimits(places=None, requests_per_minute=1e9, tokens_per_minute=1e9)
    for member in range(members):
        await pace.meet("endpoint", f"member-{member:012}", limits, Told(wanted=64, requests=10.0))
    rounds = 100
    with psycopg.connect(require_server(url), autocommit=True) as connection, cost(connection) as found:
        for number in range(rounds):
            told = Told(wanted=64, requests=10.0)
            await pace.meet("endpoint", f"member-{number % members:012}", limits, told)
    store.close()
    return Met(members, found.cpu_s / rounds * 1e3, found.wall_s / rounds * 1e3, found.log / rounds)


class Costs(NamedTuple):
    """All of them."""

    written: Written
    fetched: Fetched
    met: tuple[Met, ...]


async def database_costs() -> Costs:
    """On a server of its own."""
    with Postgres.running() as server:
        meetings = [await met(server, members) for members in MEMBERS]
        return Costs(await written(server), fetched(server), tuple(meetings))
