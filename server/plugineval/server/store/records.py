"""The evidence of construction: verification records of every verdict (P36, X1), and the rounds of the loop."""

from collections.abc import Sequence
from functools import cache

from sqlalchemy import Connection, func, select

from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.values import Json, Value
from plugineval.server.store import tables
from plugineval.server.store.bodies import from_text, read_value, to_text
from plugineval.server.store.database import Database, Insert, insert_into
from plugineval.server.store.lineages import owner_of
from plugineval.server.store.names import resolve
from plugineval.server.store.positions import APPENDED_TO, in_turn, next_position
from plugineval.server.store.stream import Stream

_records = tables.table_of(tables.Records)
_rounds = tables.table_of(tables.Rounds)
_benchmarks = tables.table_of(tables.Benchmarks)

PAGE = 100


class RecordShelf:
    """Verification records by id, or by a unique beginning of it; of several versions, that of the newest."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, benchmark_id: str, record: VerificationRecord) -> None:
        """Keep the record; the same id again changes nothing, unless what is there was left undecided."""
        row: dict[str, str | None] = {
            APPENDED_TO: benchmark_id,
            "benchmark_id": benchmark_id,
            "id": record.id,
            "verdict": record.verdict,
            "scenario": record.scenario,
            "gap": record.gap,
            "body": to_text(record),
        }
        await self._database.write_row(_append, row)

    async def get(self, record_id: str, *, benchmark_id: str | None = None) -> VerificationRecord:
        """The record; `UnknownNameError` where none has the id, or records of several benchmarks do."""

        def work(connection: Connection) -> VerificationRecord:
            within = () if benchmark_id is None else (_records.c.benchmark_id == benchmark_id,)
            name = resolve(connection, _records.c.id, "record", record_id, *within)
            query = select(_records.c.benchmark_id, _records.c.body).where(_records.c.id == name, *within)
            found = connection.execute(query).all()
            chosen = owner_of(connection, "record", name, [row.benchmark_id for row in found])
            body = next(row.body for row in found if row.benchmark_id == chosen)
            return read_value(VerificationRecord, body, f"records/{name}")

        return await self._database.read(work)

    async def stream(self, benchmark_id: str, *, verdict: str | None = None) -> Stream[VerificationRecord]:
        """The records of a benchmark, or those with one verdict, in the order they were written; memory stays flat."""
        name = await self._database.read(lambda c: resolve(c, _benchmarks.c.id, "benchmark", benchmark_id))
        query = select(_records.c.position, _records.c.id, _records.c.body).where(_records.c.benchmark_id == name)
        if verdict is not None:
            query = query.where(_records.c.verdict == verdict)

        def fetch(last: int | None) -> list[tuple[int, VerificationRecord]]:
            page = query.where(_records.c.position > (-1 if last is None else last)).order_by(_records.c.position)
            rows = self._database.read_here(lambda connection: connection.execute(page.limit(PAGE)).all())
            return [(row.position, read_value(VerificationRecord, row.body, f"records/{row.id}")) for row in rows]

        return Stream(fetch)

    async def verdicts(self, benchmark_id: str) -> dict[str, int]:
        """Verdict -> number of candidates."""

        def work(connection: Connection) -> dict[str, int]:
            name = resolve(connection, _benchmarks.c.id, "benchmark", benchmark_id)
            query = select(_records.c.verdict, func.count().label("number")).where(_records.c.benchmark_id == name)
            counted = connection.execute(query.group_by(_records.c.verdict))
            return {row.verdict: row.number for row in counted}

        return await self._database.read(work)


def _append(connection: Connection, rows: Sequence[dict[str, str | None]]) -> Sequence[None]:
    for benchmark_id in dict.fromkeys(str(row["benchmark_id"]) for row in rows):
        in_turn(connection, benchmark_id)
    connection.execute(_appending(connection.dialect.name), rows)
    return [None] * len(rows)


@cache
def _appending(dialect: str) -> Insert:
    insert = insert_into(dialect, _records).values(position=next_position(_records))
    changed = {name: insert.excluded[name] for name in ("verdict", "body")}
    undecided = _records.c.verdict == "undecided"
    return insert.on_conflict_do_update(index_elements=["benchmark_id", "id"], set_=changed, where=undecided)


class RoundShelf:
    """Rounds of the construction loop, by number."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, benchmark_id: str, number: int, body: Value | Json) -> None:
        """Keep what round `number` did; told again, after an outage or a limit cut it short, the last counts."""
        row: dict[str, object] = {"benchmark_id": benchmark_id, "number": number, "body": to_text(body)}

        def work(connection: Connection) -> None:
            insert = insert_into(connection.dialect.name, _rounds).values(row)
            keys = ["benchmark_id", "number"]
            connection.execute(insert.on_conflict_do_update(index_elements=keys, set_={"body": row["body"]}))

        await self._database.write(work)

    async def all(self, benchmark_id: str) -> tuple[Json, ...]:
        """All rounds so far, in order, as they were written."""

        def work(connection: Connection) -> tuple[Json, ...]:
            name = resolve(connection, _benchmarks.c.id, "benchmark", benchmark_id)
            query = select(_rounds.c.body).where(_rounds.c.benchmark_id == name).order_by(_rounds.c.number)
            return tuple(from_text(body) for body in connection.scalars(query))

        return await self._database.read(work)
