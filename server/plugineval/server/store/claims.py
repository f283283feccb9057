"""Who asks at this moment what several shards of a run want to know: one asks, and the others wait for the answer.

A claim lasts as long as its shard is held: that of a process that died, or was taken for dead, is free at once.
"""

from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

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
        taken = await self._database.write_row(_in_order, _Wish(lease, key, stale_after))
        if taken is None:
            raise LostShardError(lease)
        return taken

    async def release(self, lease: ShardLease, key: str) -> None:
        """Let others ask; nothing where another one does by now."""
        await self._database.write_row(_in_order, _Wish(lease, key))

    async def count(self, job_id: str) -> int:
        """How many calls of a job are under way."""
        query = select(func.count()).select_from(_claims).where(_claims.c.job_id == job_id)
        return await self._database.read(lambda connection: connection.execute(query).scalar_one())

    async def clear(self, job_id: str) -> None:
        """Forget those of a job that is over: whoever died has left some."""
        change = delete(_claims).where(_claims.c.job_id == job_id)
        await self._database.write(lambda connection: connection.execute(change))


class _Wish(NamedTuple):
    """To take a claim, or to give it back."""

    lease: ShardLease
    key: str
    stale_after: timedelta | None = None

    @property
    def name(self) -> tuple[str, str]:
        return self.lease.job_id, self.key

    @property
    def mine(self) -> dict[str, int]:
        return {"number": self.lease.plan.number, "epoch": self.lease.epoch}


def _in_order(connection: Connection, wishes: Sequence[_Wish]) -> Sequence[bool | None]:
    """Those that share a commit, by their names: two processes that want the same never wait for each other in turn."""
    found: dict[int, bool | None] = {}
    for place in sorted(range(len(wishes)), key=lambda place: wishes[place].name):
        wish = wishes[place]
        found[place] = _released(connection, wish) if wish.stale_after is None else _taken(connection, wish)
    return [found[place] for place in range(len(wishes))]


def _taken(connection: Connection, wish: _Wish) -> bool | None:
    """None where its shard is lost."""
    lease = wish.lease
    if connection.execute(select(_shards.c.epoch).where(held(lease))).scalar() is None:
        return None
    if inserted(connection, _claims, {"job_id": lease.job_id, "key": wish.key, **wish.mine}):
        return True
    if _is_asked(connection, wish):
        return False
    connection.execute(update(_claims).where(_named(wish)).values(wish.mine))
    return True


def _released(connection: Connection, wish: _Wish) -> bool:
    mine = (_claims.c.number == wish.lease.plan.number) & (_claims.c.epoch == wish.lease.epoch)
    return connection.execute(delete(_claims).where(_named(wish), mine)).rowcount > 0


def _is_asked(connection: Connection, wish: _Wish) -> bool:
    """Whether the shard of a claim is held; the claim is locked until the transaction ends."""
    claim = connection.execute(select(_claims).where(_named(wish)).with_for_update()).first()
    if claim is None:
        # Given back between two looks: the next one finds it free.
        return True
    of_job, of_claim = _shards.c.job_id == wish.lease.job_id, _shards.c.number == claim.number
    row = connection.execute(select(_shards).where(of_job, of_claim, _shards.c.epoch == claim.epoch)).mappings().first()
    if row is None or row["state"] != ShardState.RUNNING.value:
        return False
    return not is_free(row, database_now(connection), wish.stale_after or timedelta())


def _named(wish: _Wish) -> ColumnElement[bool]:
    return (_claims.c.job_id == wish.lease.job_id) & (_claims.c.key == wish.key)
