"""Jobs: one process at a time runs a job, says how far it is, and may die; then the next one claims it.

Only the process that claimed a running job may change it: one that was taken for dead and wakes up is told so.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, or_, select, update

from plugineval.pccf.errors import ConfigurationError, IncompleteError, UnknownNameError
from plugineval.pccf.values import Json
from plugineval.server.store import tables
from plugineval.server.store.bodies import from_text, to_text
from plugineval.server.store.database import Database, inserted
from plugineval.server.store.ids import new_job_id
from plugineval.server.store.listing import Page
from plugineval.server.store.owners import Owner, this_process
from plugineval.server.store.pages import Rows, newest_first
from plugineval.server.store.run_states import end_run, take_up_run
from plugineval.server.store.states import CLAIMABLE, WANTED, Engine, JobState
from plugineval.server.store.summaries import Job, JobChange, PlannedJob
from plugineval.server.store.work import withdraw

_jobs = tables.table_of(tables.Jobs)

STALE_AFTER = timedelta(seconds=60)
"""A job whose owner cannot be looked up is dead after that long without a heartbeat."""


class JobShelf:
    """Jobs by their whole id: it is the key to the result, so no beginning of it is enough and none is ever offered."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(
        self, kind: str, params: Json, *, job_id: str | None = None, total: int | None = None, engine: Engine = "here"
    ) -> Job:
        """A queued job; the same id again gives the job that is there."""
        planned = PlannedJob(id=job_id or new_job_id(), kind=kind, params=params)

        def work(connection: Connection) -> Job:
            add_job(connection, planned, total=total, engine=engine)
            return _job(connection, planned.id)

        return await self._database.write(work)

    async def get(self, job_id: str) -> Job:
        """The job; `UnknownNameError` where there is none."""
        return await self._database.read(lambda connection: _job(connection, job_id))

    async def page(self, *, state: JobState | None = None, cursor: str | None = None, limit: int = 50) -> Page[Job]:
        """Newest first."""

        def work(connection: Connection) -> Page[Job]:
            query: Rows = select(_jobs) if state is None else select(_jobs).where(_jobs.c.state == state.value)
            rows, following = newest_first(connection, query, _jobs.c.created_at, cursor, limit)
            return Page(items=tuple(_read(row) for row in rows), next_cursor=following)

        return await self._database.read(work)

    async def changed(self, since: datetime, *, limit: int = 100) -> tuple[Job, ...]:
        """Jobs that changed after a moment, the earliest change first."""
        query = select(_jobs).where(_jobs.c.updated_at > since).order_by(_jobs.c.updated_at).limit(limit)

        def work(connection: Connection) -> tuple[Job, ...]:
            return tuple(_read(row) for row in connection.execute(query).mappings())

        return await self._database.read(work)

    async def claim(self, job_id: str, *, stale_after: timedelta = STALE_AFTER) -> Job | None:
        """Make it this process's running job; None if another process runs it, or it is over."""
        mine = _mine()
        # A server may go away after it committed and before it said so: what is done again finds itself.
        already = and_(_jobs.c.owner == mine["owner"], _jobs.c.heartbeat_at == mine["heartbeat_at"])

        def work(connection: Connection) -> Job | None:
            _release_dead(connection, stale_after, _jobs.c.id == job_id)
            free = or_(_jobs.c.state.in_([state.value for state in CLAIMABLE]), already)
            change = update(_jobs).where(_jobs.c.id == job_id, free).values(state=JobState.RUNNING.value, **mine)
            claimed = connection.execute(change).rowcount
            job = _job(connection, job_id)
            return job if claimed else None

        return await self._database.write(work)

    async def queue(self, job_id: str) -> Job:
        """Let workers have a job of theirs that was interrupted; any other is returned as it is."""
        return await self._change(job_id, (JobState.INTERRUPTED,), JobState.QUEUED, "waits for a worker")

    async def refuse(self, job_id: str, reason: str) -> None:
        """Say on a job that waits for workers why one leaves it to others."""
        waits = (_jobs.c.engine == "workers") & (_jobs.c.state == JobState.QUEUED.value)
        change = update(_jobs).where(_jobs.c.id == job_id, waits).values(message=reason)
        await self._database.write(lambda connection: connection.execute(change))

    async def hold(self, job_id: str) -> Job:
        """Take a job from the workers, wherever it runs: they stop at their next heartbeat. It can be resumed."""
        return await self._change(job_id, WANTED, JobState.INTERRUPTED, "stopped; resume it")

    async def _change(self, job_id: str, before: Sequence[JobState], after: JobState, message: str) -> Job:
        values = {"state": after.value, "message": message, "owner": None, "updated_at": datetime.now(UTC)}

        def work(connection: Connection) -> Job:
            mine = (_jobs.c.id == job_id) & (_jobs.c.engine == "workers")
            in_time = _jobs.c.state.in_([state.value for state in before])
            connection.execute(update(_jobs).where(mine, in_time).values(values))
            return _job(connection, job_id)

        return await self._database.write(work)

    async def on_queue(self) -> tuple[Job, ...]:
        """Jobs of workers that are not over and not stopped, the oldest first."""
        wanted = _jobs.c.state.in_([state.value for state in WANTED]) & (_jobs.c.engine == "workers")

        def work(connection: Connection) -> tuple[Job, ...]:
            rows = connection.execute(select(_jobs).where(wanted).order_by(_jobs.c.created_at, _jobs.c.id))
            return tuple(_read(row) for row in rows.mappings())

        return await self._database.read(work)

    async def release_lost(self, *, stale_after: timedelta) -> None:
        """Let another worker have the jobs of workers whose process is gone."""
        await self._database.write(
            lambda connection: _release_dead(connection, stale_after, _jobs.c.engine == "workers")
        )

    async def reopen(self, job_id: str) -> Job:
        """Let a job that completed or failed be claimed again: what was answered is in its journal, and is not lost."""

        def work(connection: Connection) -> Job:
            over = _jobs.c.state.in_([JobState.COMPLETED.value, JobState.FAILED.value])
            again = {"state": JobState.INTERRUPTED.value, "cancel_requested": False, "updated_at": datetime.now(UTC)}
            connection.execute(update(_jobs).where(_jobs.c.id == job_id, over).values(again))
            job = _job(connection, job_id)
            take_up_run(connection, job)
            return job

        return await self._database.write(work)

    async def replan(self, job_id: str, params: Json) -> Job:
        """Give a job that is queued, interrupted, failed or completed other parameters; a running one keeps its own."""

        def work(connection: Connection) -> Job:
            _release_dead(connection, STALE_AFTER, _jobs.c.id == job_id)
            idle = _jobs.c.state.notin_([JobState.RUNNING.value, JobState.CANCELLED.value])
            values = {"params": to_text(params), "updated_at": datetime.now(UTC)}
            if not connection.execute(update(_jobs).where(_jobs.c.id == job_id, idle).values(values)).rowcount:
                state = _job(connection, job_id).state.value
                raise ConfigurationError(
                    f"job {job_id} is {state}: what it was asked for cannot be changed now", field="job"
                )
            return _job(connection, job_id)

        return await self._database.write(work)

    async def update(self, job_id: str, change: JobChange | None = None) -> Job:
        """Write what this process knows and beat its heart; the answer says if somebody asked for a stop.

        `IncompleteError` if this process does not run the job any more.
        """
        values = _values(change or JobChange())

        def work(connection: Connection) -> Job:
            mine = (_jobs.c.id == job_id) & (_jobs.c.state == JobState.RUNNING.value)
            owned = mine & (_jobs.c.owner == this_process().mark)
            done = connection.execute(update(_jobs).where(owned).values({**values, **_mine()})).rowcount
            job = _job(connection, job_id)
            if not done:
                raise IncompleteError(
                    f"job {job_id} is {job.state.value} and not run by this process", next_step="leave it alone"
                )
            _settle(connection, job)
            return job

        return await self._database.write(work)

    async def request_cancel(self, job_id: str) -> Job:
        """Ask for a stop: at once where nobody runs the job, else its process is told at its next update."""

        def work(connection: Connection) -> Job:
            _release_dead(connection, STALE_AFTER, _jobs.c.id == job_id)
            now = datetime.now(UTC)
            idle = _jobs.c.state.in_([state.value for state in CLAIMABLE])
            stop = {"state": JobState.CANCELLED.value, "cancel_requested": True, "updated_at": now}
            connection.execute(update(_jobs).where(_jobs.c.id == job_id, idle).values(stop))
            running = (_jobs.c.id == job_id) & (_jobs.c.state == JobState.RUNNING.value)
            connection.execute(update(_jobs).where(running).values(cancel_requested=True, updated_at=now))
            job = _job(connection, job_id)
            _settle(connection, job)
            return job

        return await self._database.write(work)

    async def mark_interrupted(self, *, stale_after: timedelta = STALE_AFTER) -> tuple[Job, ...]:
        """The running jobs whose process is gone, now interrupted (or cancelled, where a stop had been asked for)."""

        def work(connection: Connection) -> tuple[Job, ...]:
            names = _release_dead(connection, stale_after)
            return tuple(_job(connection, name) for name in names)

        return await self._database.write(work)


def add_job(connection: Connection, planned: PlannedJob, *, total: int | None = None, engine: Engine = "here") -> None:
    """Queue a job. One with its id stays as it is, but for its engine: whoever starts it says that."""
    now = datetime.now(UTC)
    row = {
        "id": planned.id,
        "kind": planned.kind,
        "params": to_text(planned.params),
        "state": JobState.QUEUED.value,
        "done": 0,
        "total": total,
        "message": "",
        "cancel_requested": False,
        "created_at": now,
        "updated_at": now,
        "engine": engine,
    }
    if not inserted(connection, _jobs, row):
        queued = (_jobs.c.id == planned.id) & (_jobs.c.state == JobState.QUEUED.value)
        connection.execute(update(_jobs).where(queued).values(engine=engine))


def _settle(connection: Connection, job: Job) -> None:
    """What ends with a job that is over: its questions to agents, and its run."""
    if job.state.final:
        withdraw(connection, job.id)
        end_run(connection, job)


def _mine() -> dict[str, object]:
    owner, now = this_process(), datetime.now(UTC)
    fields = {"owner": owner.mark, "owner_host": owner.host, "owner_pid": owner.pid}
    return {**fields, "heartbeat_at": now, "updated_at": now}


def _values(change: JobChange) -> dict[str, object]:
    values: dict[str, object] = {name: value for name, value in change if value is not None}
    for name in ("message", "error"):
        # Words from outside; some databases keep no NUL.
        if isinstance(said := values.get(name), str):
            values[name] = said.replace("\0", "\ufffd")
    if change.result is not None:
        values["result"] = to_text(change.result)
    if change.state is not None:
        values["state"] = change.state.value
    return values


def _release_dead(connection: Connection, stale_after: timedelta, *where: ColumnElement[bool]) -> list[str]:
    me, now = this_process(), datetime.now(UTC)
    running = select(_jobs).where(_jobs.c.state == JobState.RUNNING.value, *where)
    released: list[str] = []
    for row in connection.execute(running).all():
        owner = Owner(mark=row.owner, host=row.owner_host, pid=row.owner_pid)
        if owner.gone(me, heartbeat=row.heartbeat_at, now=now, stale_after=stale_after):
            state = _after_loss(row.cancel_requested, row.engine)
            # Unless another process has claimed it meanwhile.
            same = (_jobs.c.id == row.id) & (_jobs.c.owner == row.owner) & (_jobs.c.state == JobState.RUNNING.value)
            change = update(_jobs).where(same).values(state=state.value, updated_at=now)
            if connection.execute(change).rowcount:
                released.append(row.id)
                _settle(connection, _job(connection, row.id))
    return released


def _after_loss(cancelled: bool, engine: str) -> JobState:
    """A job of workers waits for the next one; nobody has to resume it."""
    if cancelled:
        return JobState.CANCELLED
    return JobState.QUEUED if engine == "workers" else JobState.INTERRUPTED


def _job(connection: Connection, job_id: str) -> Job:
    row = connection.execute(select(_jobs).where(_jobs.c.id == job_id)).mappings().first()
    if row is None:
        raise UnknownNameError("job", job_id, (), next_step="list the jobs there are")
    return _read(row)


def _read(row: RowMapping) -> Job:
    fields = {name: row[name] for name in Job.model_fields}
    result = row["result"]
    return Job.model_validate(
        {**fields, "params": from_text(row["params"]), "result": None if result is None else from_text(result)}
    )
