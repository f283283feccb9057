"""Gradings: the record of who graded a run and how. The rows of each lie beside those of the others."""

from sqlalchemy import Connection, select

from plugineval.harness.gradings import FIRST, Grading
from plugineval.pccf.errors import UnknownNameError
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value, to_text
from plugineval.server.store.database import Database, insert_into
from plugineval.server.store.names import resolve

_runs = tables.table_of(tables.Runs)
_gradings = tables.table_of(tables.Gradings)


class GradingShelf:
    """Gradings by run and id."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, run_id: str, grading: Grading) -> None:
        """Keep a grading before its first row; again, what it knows by now."""
        await self._database.write(lambda connection: keep_grading(connection, run_id, grading))

    async def get(self, run_id: str, grading_id: str = FIRST) -> Grading:
        """One grading of a run; `UnknownNameError` offers those it has."""
        found = {grading.id: grading for grading in await self.all(run_id)}
        if grading_id not in found:
            raise UnknownNameError("grading", grading_id, found)
        return found[grading_id]

    async def all(self, run_id: str) -> tuple[Grading, ...]:
        """The gradings of a run, oldest first."""

        def work(connection: Connection) -> tuple[Grading, ...]:
            name = resolve(connection, _runs.c.id, "run", run_id)
            query = select(_gradings.c.id, _gradings.c.body).where(_gradings.c.run_id == name)
            rows = connection.execute(query.order_by(_gradings.c.created_at, _gradings.c.id)).all()
            return tuple(read_value(Grading, row.body, f"runs/{name}/gradings/{row.id}") for row in rows)

        return await self._database.read(work)


def keep_grading(connection: Connection, run_id: str, grading: Grading) -> None:
    """Insert a grading or bring it up to date, in a transaction that is there."""
    row = {"run_id": run_id, "id": grading.id, "created_at": grading.at, "body": to_text(grading)}
    insert = insert_into(connection.dialect.name, _gradings).values(row)
    fresh = {"created_at": row["created_at"], "body": row["body"]}
    connection.execute(insert.on_conflict_do_update(index_elements=["run_id", "id"], set_=fresh))
