"""Benchmarks: a header that may still change while it is built, and the examples that were appended to it."""

from collections.abc import Sequence

from sqlalchemy import Connection, delete, func, select, update

from plugineval.pccf.examples import Benchmark
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value, to_text
from plugineval.server.store.database import Database, insert_into
from plugineval.server.store.examples import fix_examples, read_examples
from plugineval.server.store.lineages import Version, history, refuse_fork, resolve_benchmark
from plugineval.server.store.listing import Page
from plugineval.server.store.pages import Rows, newest_first
from plugineval.server.store.states import BenchmarkState
from plugineval.server.store.summaries import BenchmarkSummary, Construction

_benchmarks = tables.table_of(tables.Benchmarks)
_runs = tables.table_of(tables.Runs)
_HEADER = ("id", "name", "created_at", "state", "content_hash")


class BenchmarkShelf:
    """Benchmarks by id, by a name that only one history has, with `@N` for its version N, or by a unique beginning of
    the id.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save_header(self, benchmark: Benchmark) -> None:
        """Everything but the examples. Again, with the same id: replaced while it is built, ignored when complete."""
        row = _header_row(benchmark)
        await self._database.write(lambda connection: _save_header(connection, row))

    async def finish(self, benchmark: Benchmark) -> None:
        """Freeze it exactly as given: header, members and their order, content hash. Also saves one made elsewhere.

        `ConfigurationError` where another benchmark has its place in its history.
        """
        row, digest = _header_row(benchmark), benchmark.content_hash

        def work(connection: Connection) -> None:
            refuse_fork(connection, benchmark)
            _save_header(connection, row)
            fix_examples(connection, benchmark)
            change = update(_benchmarks).where(_benchmarks.c.id == benchmark.id)
            connection.execute(change.values(state=BenchmarkState.COMPLETE.value, content_hash=digest))

        await self._database.write(work)

    async def refuse_fork(self, benchmark: Benchmark) -> None:
        """What `finish` would refuse, before anything is written for it."""
        await self._database.write(lambda connection: refuse_fork(connection, benchmark))

    async def discard(self, benchmark_id: str) -> None:
        """Take away one that will never be complete, with its evidence; one that is, or that was measured, stays."""

        def work(connection: Connection) -> None:
            measured = select(_runs.c.id).where(_runs.c.benchmark_id == benchmark_id).exists()
            mine = (_benchmarks.c.id == benchmark_id) & (_benchmarks.c.state == BenchmarkState.BUILDING.value)
            if connection.execute(select(_benchmarks.c.id).where(mine, ~measured)).first() is None:
                return
            for table in (tables.Rounds, tables.Records, tables.Examples):
                evidence = tables.table_of(table)
                connection.execute(delete(evidence).where(evidence.c.benchmark_id == benchmark_id))
            connection.execute(delete(_benchmarks).where(mine))

        await self._database.write(work)

    async def get(self, benchmark_id: str) -> Benchmark:
        """The benchmark with the examples it has so far; `UnknownNameError` offers the ids there are."""

        def work(connection: Connection) -> Benchmark:
            return _read(connection, resolve_benchmark(connection, benchmark_id))

        return await self._database.read(work)

    async def versions(self, benchmark_id: str) -> list[Version]:
        """All versions of the history that a benchmark is part of, the first one first."""
        return await self._database.read(
            lambda connection: history(connection, resolve_benchmark(connection, benchmark_id))
        )

    async def summary(self, benchmark_id: str) -> BenchmarkSummary:
        """The line of one benchmark in the listing."""

        def work(connection: Connection) -> BenchmarkSummary:
            name = resolve_benchmark(connection, benchmark_id)
            rows = connection.execute(_listing().where(_benchmarks.c.id == name)).mappings()
            return BenchmarkSummary.model_validate(dict(rows.one()))

        return await self._database.read(work)

    async def constructions(self, ids: Sequence[str]) -> dict[str, Construction]:
        """What was asked of each of these benchmarks by its whole id, and why its construction ended."""
        query = select(_benchmarks.c.id, _benchmarks.c.body).where(_benchmarks.c.id.in_(ids))
        rows = await self._database.read(lambda connection: list(connection.execute(query)))
        return {name: _construction(read_value(Benchmark, body, f"benchmarks/{name}")) for name, body in rows}

    async def page(self, *, cursor: str | None = None, limit: int = 50) -> Page[BenchmarkSummary]:
        """Newest first."""

        def work(connection: Connection) -> Page[BenchmarkSummary]:
            rows, following = newest_first(connection, _listing(), _benchmarks.c.created_at, cursor, limit)
            items = tuple(BenchmarkSummary.model_validate(dict(row)) for row in rows)
            return Page(items=items, next_cursor=following)

        return await self._database.read(work)


def _construction(header: Benchmark) -> Construction:
    size = None if header.config is None else header.config.size
    return Construction(size=size, stop_reason=header.stop_reason)


def _header_row(benchmark: Benchmark) -> dict[str, object]:
    return {
        "id": benchmark.id,
        "name": benchmark.name,
        "created_at": benchmark.created_at,
        "state": BenchmarkState.BUILDING.value,
        "content_hash": None,
        "body": to_text(benchmark.model_copy(update={"examples": ()})),
    }


def _save_header(connection: Connection, row: dict[str, object]) -> None:
    insert = insert_into(connection.dialect.name, _benchmarks).values(row)
    building = _benchmarks.c.state == BenchmarkState.BUILDING.value
    changed = {name: row[name] for name in ("name", "body")}
    connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_=changed, where=building))


def _read(connection: Connection, benchmark_id: str) -> Benchmark:
    body = connection.execute(select(_benchmarks.c.body).where(_benchmarks.c.id == benchmark_id)).scalar_one()
    header = read_value(Benchmark, body, f"benchmarks/{benchmark_id}")
    return header.model_copy(update={"examples": tuple(read_examples(connection, benchmark_id))})


def _listing() -> Rows:
    counts = [
        # Verified examples that fill no budget have no position and are not counted.
        select(func.count(table.c.position))
        .where(table.c.benchmark_id == _benchmarks.c.id)
        .scalar_subquery()
        .label(name)
        for name, table in (
            ("examples", tables.table_of(tables.Examples)),
            ("records", tables.table_of(tables.Records)),
        )
    ]
    return select(*(_benchmarks.c[name] for name in _HEADER), *counts)
