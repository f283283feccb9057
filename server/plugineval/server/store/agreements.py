"""What processes agree on through the database: a named text that is read and written in one step, by one at a time.

The step is told the time of the database, so that the clocks of the processes need not agree.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeVar

from sqlalchemy import Column, Connection, String, Table, Text, delete, select, text, update

from plugineval.server.store import tables
from plugineval.server.store.database import Database, insert_new

T = TypeVar("T")

_agreements = Table(
    "agreements",
    tables.metadata,
    Column("name", String, primary_key=True),
    Column("body", Text, nullable=False),
)
_NOW = {
    "postgresql": text("SELECT EXTRACT(EPOCH FROM clock_timestamp())"),
    "sqlite": text("SELECT (julianday('now') - 2440587.5) * 86400.0"),
}


class Agreed(NamedTuple):
    """What a step found: the text, empty where there was none, and the moment in seconds since 1970."""

    body: str
    now: float


class AgreementShelf:
    """Texts by name. A text that is empty is not kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def change(self, name: str, step: Callable[[Agreed], tuple[str, T]]) -> T:
        """Put the text that `step` gives in place of the one it is given; its second result, once that is committed.

        `step` may be done twice, so it must do nothing else. Steps of one name never overlap, whoever does them.
        """

        def work(connection: Connection) -> T:
            before = _locked(connection, name)
            after, result = step(Agreed(before, _now(connection)))
            mine = _agreements.c.name == name
            if not after:
                connection.execute(delete(_agreements).where(mine))
            elif after != before:
                connection.execute(update(_agreements).where(mine).values(body=after))
            return result

        return await self._database.write(work)

    async def read(self, name: str) -> Agreed:
        """The text of `name` as it is."""

        def work(connection: Connection) -> Agreed:
            found = connection.execute(select(_agreements.c.body).where(_agreements.c.name == name)).scalar()
            return Agreed(found or "", _now(connection))

        return await self._database.read(work)


def _locked(connection: Connection, name: str) -> str:
    """The text, which nobody else changes before this transaction ends."""
    query = select(_agreements.c.body).where(_agreements.c.name == name).with_for_update()
    found: str | None = connection.execute(query).scalar()
    while found is None:
        # Of two that begin a name at once, the second waits here for the first; whose text may be gone again by then.
        connection.execute(insert_new(connection.dialect.name, _agreements), {"name": name, "body": ""})
        found = connection.execute(query).scalar()
    return found


def _now(connection: Connection) -> float:
    return float(connection.execute(_NOW[connection.dialect.name]).scalar_one())
