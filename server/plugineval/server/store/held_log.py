"""The attempts of a shard, kept only while its process holds it.

Whether it does is asked in the commit that keeps them, so that a process that was taken for dead and wakes up can
change nothing that another one has written since.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, select

from plugineval.harness.attempts import Attempt
from plugineval.harness.outcomes import GradedRow
from plugineval.server.store import tables
from plugineval.server.store.attempts import AttemptColumns, append_rows, columns_of
from plugineval.server.store.database import Database
from plugineval.server.store.shard_notes import ShardLease
from plugineval.server.store.shards import LostShardError, held

_shards = tables.table_of(tables.Shards)


class HeldLog:
    """The harness's `AttemptLog` of one shard of a run; `LostShardError` where it is not this process's any more."""

    def __init__(self, database: Database, run_id: str, lease: ShardLease) -> None:
        self._database = database
        self._run_id = run_id
        self._lease = lease

    async def append(self, attempt: Attempt, row: GradedRow) -> None:
        """Keep both durably, in place of what the cell held before."""
        written = _Written(self._lease, columns_of(self._run_id, attempt, row))
        if not await self._database.write_row(_append_held, written):
            raise LostShardError(self._lease)


class _Written(NamedTuple):
    lease: ShardLease
    columns: AttemptColumns


def _append_held(connection: Connection, rows: Sequence[_Written]) -> Sequence[bool]:
    leases = dict.fromkeys(row.lease for row in rows)
    # Whoever wants to take the shard over waits until this is committed, or comes first and is seen here.
    query = {lease: select(_shards.c.epoch).where(held(lease)).with_for_update(read=True) for lease in leases}
    still = {lease for lease in leases if connection.execute(query[lease]).scalar() is not None}
    kept = [row.columns for row in rows if row.lease in still]
    if kept:
        append_rows(connection, kept)
    return [row.lease in still for row in rows]
