"""Shards: the parts of a run that workers take, beat the heart of, finish or give back.

Progress of a whole run is read from here by whoever opens the database. Each taking of a shard has a higher epoch
than the one before, and nothing is written under an older one: a process that was taken for dead and wakes up finds
that it holds nothing any more.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, distinct, func, or_, select, update

from plugineval.pccf.errors import IncompleteError
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value, to_text
from plugineval.server.store.clock import database_now
from plugineval.server.store.database import Database, insert_new
from plugineval.server.store.owners import Owner, this_process
from plugineval.server.store.shard_notes import ShardEnd, ShardLease, ShardPlan, ShardTally, WaitingShard
from plugineval.server.store.states import WANTED, ShardState

_shards = tables.table_of(tables.Shards)
_jobs = tables.table_of(tables.Jobs)


class LostShardError(IncompleteError):
    """Another process has this shard by now, or nobody wants it any more: what comes of it here is dropped."""

    def __init__(self, lease: ShardLease) -> None:
        super().__init__(f"shard {lease.plan.number} of {lease.job_id} is not this process's any more")


class ShardShelf:
    """Shards by job and number."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def plan(self, job_id: str, plans: Iterable[ShardPlan]) -> None:
        """Keep the shards of a job. What is there stays; what failed, or has rows nobody answered, is open again."""
        now = datetime.now(UTC)
        fresh = {"job_id": job_id, "state": ShardState.QUEUED.value, "epoch": 0, "done": 0, "unanswered": 0}
        rows = [{**fresh, **plan._asdict(), "updated_at": now} for plan in plans]
        again = {"state": ShardState.QUEUED.value, "done": 0, "unanswered": 0, "ended": None, "error": None}

        def work(connection: Connection) -> None:
            connection.execute(insert_new(connection.dialect.name, _shards), rows)
            left = (_shards.c.state == ShardState.DONE.value) & (_shards.c.unanswered > 0)
            open_again = or_(left, _shards.c.state == ShardState.FAILED.value)
            connection.execute(update(_shards).where(_shards.c.job_id == job_id, open_again).values(again))

        await self._database.write(work)

    async def claim(self, job_id: str, number: int, *, stale_after: timedelta) -> ShardLease | None:
        """Hold a shard; None where it is done, held by a process that lives, or not wanted any more."""
        named = (_shards.c.job_id == job_id) & (_shards.c.number == number)

        def work(connection: Connection) -> ShardLease | None:
            query = select(_shards).where(named, _wanted()).with_for_update()
            row, now = connection.execute(query).mappings().first(), database_now(connection)
            if row is None or not is_free(row, now, stale_after):
                return None
            epoch = row["epoch"] + 1
            held = {"state": ShardState.RUNNING.value, "epoch": epoch, "done": 0, "error": None, **_mine(now)}
            connection.execute(update(_shards).where(named).values(held))
            plan = ShardPlan(*(row[name] for name in ShardPlan._fields))
            return ShardLease(job_id=job_id, epoch=epoch, plan=plan)

        return await self._database.write(work)

    async def beat(self, lease: ShardLease, done: int) -> None:
        """Say how far it is; `LostShardError` where somebody else has it, or its job was stopped."""
        change = update(_shards).where(held(lease), _wanted())

        def work(connection: Connection) -> bool:
            now = database_now(connection)
            values = {"heartbeat_at": now, "updated_at": now, "done": done}
            return connection.execute(change.values(values)).rowcount > 0

        if not await self._database.write(work):
            raise LostShardError(lease)

    async def finish(self, lease: ShardLease, end: ShardEnd, *, unanswered: int) -> None:
        """All its cells are stored; `LostShardError` where another process has it."""
        values = {"state": ShardState.DONE.value, "done": lease.plan.total, "unanswered": unanswered}
        over = {"ended": to_text(end), "owner": None, "updated_at": datetime.now(UTC)}
        if not await self._write(lease, {**values, **over}):
            raise LostShardError(lease)

    async def release(self, lease: ShardLease, done: int) -> None:
        """Give it back for others; nothing where another process has it already."""
        free = {"state": ShardState.QUEUED.value, "owner": None, "done": done, "updated_at": datetime.now(UTC)}
        await self._write(lease, free)

    async def fail(self, lease: ShardLease, error: str) -> None:
        """Say what fails the whole job; nothing where another process has the shard."""
        values = {"state": ShardState.FAILED.value, "owner": None, "error": error, "updated_at": datetime.now(UTC)}
        await self._write(lease, values)

    async def refuse(self, job_id: str, model: str, reason: str) -> None:
        """Say on the queued shards of a model why a worker leaves them to others."""
        mine = (_shards.c.job_id == job_id) & (_shards.c.model == model) & (_shards.c.state == ShardState.QUEUED.value)
        change = update(_shards).where(mine).values(error=reason)
        await self._database.write(lambda connection: connection.execute(change))

    async def ends(self, job_id: str) -> tuple[tuple[str, ShardEnd], ...]:
        """The model of each finished one and what it tells, in their order."""
        query = select(_shards.c.model, _shards.c.ended).where(_shards.c.job_id == job_id, _shards.c.ended.is_not(None))

        def work(connection: Connection) -> tuple[tuple[str, ShardEnd], ...]:
            found = connection.execute(query.order_by(_shards.c.number))
            return tuple((row.model, read_value(ShardEnd, row.ended, f"shards/{job_id}")) for row in found)

        return await self._database.read(work)

    async def tally(self, job_id: str) -> ShardTally:
        """How far they are."""
        mine = _shards.c.job_id == job_id
        columns = (_shards.c.state, func.count(), func.sum(_shards.c.done), func.sum(_shards.c.total))
        counts = select(*columns).where(mine).group_by(_shards.c.state)
        owners = select(func.count(distinct(_shards.c.owner))).where(mine, _shards.c.state == ShardState.RUNNING.value)
        said = select(_shards.c.state, _shards.c.error).where(mine, _shards.c.error.is_not(None)).distinct()

        def work(connection: Connection) -> ShardTally:
            rows = connection.execute(counts).all()
            errors = [(str(row[0]), str(row[1])) for row in connection.execute(said)]
            return ShardTally(
                states={ShardState(row[0]): row[1] for row in rows},
                done=sum(int(row[2]) for row in rows),
                total=sum(int(row[3]) for row in rows),
                workers=connection.execute(owners).scalar_one(),
                refusals=_said_in(ShardState.QUEUED, errors),
                failures=_said_in(ShardState.FAILED, errors),
            )

        return await self._database.read(work)

    async def waiting(self, *, stale_after: timedelta) -> tuple[WaitingShard, ...]:
        """Those that some worker should have, the oldest first, in the order of their jobs."""
        columns = (_shards.c.job_id, _shards.c.number, _shards.c.model)
        query = select(*columns).join(_jobs, _jobs.c.id == _shards.c.job_id).where(_wanted())
        ordered = query.order_by(_jobs.c.created_at, _shards.c.job_id, _shards.c.number)

        def work(connection: Connection) -> tuple[WaitingShard, ...]:
            silent = _shards.c.heartbeat_at < database_now(connection) - stale_after
            lost = and_(_shards.c.state == ShardState.RUNNING.value, silent)
            free = or_(_shards.c.state == ShardState.QUEUED.value, lost)
            return tuple(WaitingShard(*row) for row in connection.execute(ordered.where(free)))

        return await self._database.read(work)

    async def _write(self, lease: ShardLease, values: Mapping[str, object]) -> bool:
        change = update(_shards).where(held(lease)).values(dict(values))
        return await self._database.write(lambda connection: connection.execute(change).rowcount > 0)


def held(lease: ShardLease) -> ColumnElement[bool]:
    """Whether a lease still counts."""
    mine = (_shards.c.job_id == lease.job_id) & (_shards.c.number == lease.plan.number)
    return mine & (_shards.c.epoch == lease.epoch) & (_shards.c.state == ShardState.RUNNING.value)


def _said_in(state: ShardState, errors: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    return tuple(sorted(error for found, error in errors if found == state.value))


def _wanted() -> ColumnElement[bool]:
    states = [state.value for state in WANTED]
    job = (_jobs.c.id == _shards.c.job_id) & _jobs.c.state.in_(states) & _jobs.c.cancel_requested.is_(False)
    return select(_jobs.c.id).where(job).correlate(_shards).exists()


def is_free(row: RowMapping, now: datetime, stale_after: timedelta) -> bool:
    """Whether the shard of a row waits, or its holder is gone."""
    if row["state"] == ShardState.QUEUED.value:
        return True
    if row["state"] != ShardState.RUNNING.value:
        return False
    owner = Owner.model_validate({"mark": row["owner"], "host": row["owner_host"], "pid": row["owner_pid"]})
    heartbeat = row["heartbeat_at"]
    assert heartbeat is None or isinstance(heartbeat, datetime)
    # One of this process too, which it could not give back while the database was gone.
    silent = heartbeat is None or now - heartbeat > stale_after
    return silent or owner.gone(this_process(), heartbeat=heartbeat, now=now, stale_after=stale_after)


def _mine(now: datetime) -> dict[str, object]:
    owner = this_process()
    fields = {"owner": owner.mark, "owner_host": owner.host, "owner_pid": owner.pid}
    return {**fields, "heartbeat_at": now, "updated_at": now}
