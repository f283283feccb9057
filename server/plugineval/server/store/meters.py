"""What each process that worked on a job spent beside the journal: one row a process, written again every few seconds.

The rows lie in the table of the call journal, under a scope of their own: two processes that take each other for dead
never overwrite one another, and a job's spending is the sum of its rows.
"""

from datetime import UTC, datetime

from sqlalchemy import Connection, select

from plugineval.pccf.values import Json
from plugineval.server.store import tables
from plugineval.server.store.bodies import from_text, to_text
from plugineval.server.store.database import Database, insert_into

_calls = tables.table_of(tables.Calls)
_STAGE = "meter"


class MeterShelf:
    """Readings by job and process."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def write(self, job_id: str, process: str, reading: Json) -> None:
        """The newest reading of one process; it replaces the one before."""
        row: dict[str, object] = {
            "scope": _scope(job_id),
            "key": process,
            "stage": _STAGE,
            "model": "",
            "case_id": "",
            "repeat": 0,
            "answer": to_text(reading),
            "created_at": datetime.now(UTC),
        }

        def work(connection: Connection) -> None:
            insert = insert_into(connection.dialect.name, _calls).values(row)
            changed = {"answer": row["answer"], "created_at": row["created_at"]}
            connection.execute(insert.on_conflict_do_update(index_elements=["scope", "key"], set_=changed))

        await self._database.write(work)

    async def all(self, job_id: str) -> list[Json]:
        """The last reading of every process that worked on the job, in no order that means anything."""
        query = select(_calls.c.answer).where(_calls.c.scope == _scope(job_id))
        texts = await self._database.read(lambda connection: list(connection.scalars(query)))
        return [from_text(text) for text in texts]


def _scope(job_id: str) -> str:
    return f"{_STAGE} {job_id}"
