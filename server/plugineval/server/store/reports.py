"""Reports as they were written: read again with no model, no plugin and no grading (X4)."""

from collections.abc import Sequence
from datetime import UTC, datetime

from sqlalchemy import Connection, LargeBinary, RowMapping, cast, func, select

from plugineval.harness.gradings import FIRST
from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.values import Json, Value
from plugineval.server.store import tables
from plugineval.server.store.bodies import from_text, to_text
from plugineval.server.store.database import Database, insert_into
from plugineval.server.store.listing import Page
from plugineval.server.store.names import Named, resolve_named
from plugineval.server.store.pages import newest_first
from plugineval.server.store.states import RunState
from plugineval.server.store.summaries import ReportSummary, StoredReport

_reports = tables.table_of(tables.Reports)
_runs = tables.table_of(tables.Runs)
_NAMED = Named(_runs.c.id, _runs.c.source, _runs.c.started_at, _runs.c.state == RunState.COMPLETED.value)


class ReportShelf:
    """Reports by their own id, their grading's, or as their run is named: its id, what it measured, or a beginning."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, run_id: str, body: Value | Json, *, grading: str = FIRST) -> str:
        """Keep the report of one grading in place of the one it had, and return its id."""
        owner = run_id.removeprefix("run-") if grading == FIRST else grading.removeprefix("grading-")
        name = f"report-{owner}"
        row = {"id": name, "run_id": run_id, "grading": grading, "created_at": datetime.now(UTC), "body": to_text(body)}
        fresh = {column: row[column] for column in ("created_at", "body")}

        def work(connection: Connection) -> None:
            insert = insert_into(connection.dialect.name, _reports).values(row)
            connection.execute(insert.on_conflict_do_update(index_elements=["id"], set_=fresh))

        await self._database.write(work)
        return name

    async def get(self, named: str) -> StoredReport:
        """The report with that id, of that grading, or the own report of that run: never that of a later grading.

        `UnknownNameError` offers the runs that have one.
        """

        def work(connection: Connection) -> StoredReport:
            row = _found(connection, named)
            return StoredReport.model_validate({**row, "body": from_text(row["body"])})

        return await self._database.read(work)

    async def text(self, named: str) -> str:
        """The same as it was written; errors as for `get`."""
        return await self._database.read(lambda connection: str(_found(connection, named)["body"]))

    async def sizes(self, ids: Sequence[str]) -> dict[str, int]:
        """Bytes of the texts of reports, by their ids."""

        def work(connection: Connection) -> dict[str, int]:
            body = _reports.c.body
            postgres = connection.dialect.name == "postgresql"
            size = func.octet_length(body) if postgres else func.length(cast(body, LargeBinary))
            query = select(_reports.c.id, size.label("size")).where(_reports.c.id.in_(ids))
            return {row.id: int(row.size) for row in connection.execute(query)}

        return await self._database.read(work)

    async def page(self, *, cursor: str | None = None, limit: int = 50) -> Page[ReportSummary]:
        """Newest first."""

        def work(connection: Connection) -> Page[ReportSummary]:
            query = select(*(_reports.c[name] for name in ReportSummary.model_fields))
            rows, following = newest_first(connection, query, _reports.c.created_at, cursor, limit)
            items = tuple(ReportSummary.model_validate(dict(row)) for row in rows)
            return Page(items=items, next_cursor=following)

        return await self._database.read(work)


def _found(connection: Connection, named: str) -> RowMapping:
    row = _named(connection, named)
    if row is None:
        reported = _runs.c.id.in_(select(_reports.c.run_id))
        row = _named(connection, resolve_named(connection, _NAMED, "report", named, reported))
    if row is None:
        raise UnknownNameError("report", named, ())
    return row


def _named(connection: Connection, named: str) -> RowMapping | None:
    own = (_reports.c.run_id == named) & (_reports.c.grading == FIRST)
    for which in (_reports.c.id == named, own, _reports.c.grading == named):
        row = connection.execute(select(_reports).where(which).limit(1)).mappings().first()
        if row is not None:
            return row
    return None
