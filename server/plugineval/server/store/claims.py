"""Who asks at this moment what several shards of a run want to know: one asks, and the others wait for the answer.

A claim lasts as long as its shard is held: that of a process that died, or was taken for dead, is free at once.
"""

from datetime import timedelta

from sqlalchemy import (
    Column,
    ColumnElement,
    Connection,
    ForeignKey,
    Integer,
    String,
    Table,
    delete,
    func,
    select,
    update,
)

from plugineval.server.store import tables
from plugineval.server.store.clock import database_now
from plugineval.server.store.database import Database, inserted
from plugineval.server.store.shard_notes import ShardLease
from plugineval.server.store.shards import LostShardError, held, is_free
from plugineval.server.store.states import ShardState

_claims = Table(
    "claims",
    tables.metadata,
    Column("job_id", String, ForeignKey("jobs.id"), primary_key=True),
    Column("key", String, primary_key=True),
    Column("number", Integer, nullable=False),
    Column("epoch", Integer, nullable=False),
)
_shards = tables.table_of(tables.Shards)


class ClaimShelf:
    """Claims by job and key of a call."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, lease: ShardLease, key: str, *, stale_after: timedelta) -> bool:
        """Whether the holder of a shard may ask; False while that of another one does.

        `LostShardError` for whoever does not hold its shard any more: it pays for nothing.
        """
        mine = {"number": lease.plan.number, "epoch": lease.epoch}

        def work(connection: Connection) -> bool | None:
            if connection.execute(select(_shards.c.epoch).where(held(lease))).scalar() is None:
                return None
            if inserted(connection, _claims, {"job_id": lease.job_id, "key": key, **mine}):
                return True
            if _is_asked(connection, lease.job_id, key, stale_after):
                return False
            connection.execute(update(_claims).where(_named(lease.job_id, key)).values(mine))
            return True

        taken = await self._database.write(work)
        if taken is None:
            raise LostShardError(lease)
        return taken

    async def release(self, lease: ShardLease, key: str) -> None:
        """Let others ask; nothing where another one does by now."""
        mine = (_claims.c.number == lease.plan.number) & (_claims.c.epoch == lease.epoch)
        change = delete(_claims).where(_named(lease.job_id, key), mine)
        await self._database.write(lambda connection: connection.execute(change))

    async def count(self, job_id: str) -> int:
        """How many calls of a job are under way."""
        query = select(func.count()).select_from(_claims).where(_claims.c.job_id == job_id)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def clear(self, job_id: str) -> None:
        """Forget those of a job that is over: whoever died has left some."""
        change = delete(_claims).where(_claims.c.job_id == job_id)
        await self._database.write(lambda connection: connection.execute(change))


def _is_asked(connection: Connection, job_id: str, key: str, stale_after: timedelta) -> bool:
    """Whether the shard of a claim is held; the claim is locked until the transaction ends."""
    claim = connection.execute(select(_claims).where(_named(job_id, key)).with_for_update()).first()
    if claim is None:
        # Given back between two looks: the next one finds it free.
        return True
    of_shard = (_shards.c.job_id == job_id) & (_shards.c.number == claim.number) & (_shards.c.epoch == claim.epoch)
    row = connection.execute(select(_shards).where(of_shard)).mappings().first()
    if row is None or row["state"] != ShardState.RUNNING.value:
        return False
    return not is_free(row, database_now(connection), stale_after)


def _named(job_id: str, key: str) -> ColumnElement[bool]:
    return (_claims.c.job_id == job_id) & (_claims.c.key == key)
