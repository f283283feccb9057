"""The queue: what Procrastinate delivers to workers, and delivers again when a worker falls silent.

It holds names alone. What is to be done, by whom it is held and how far it is stands in our own tables, so that a
delivery may be lost or come twice: a shard that somebody holds, and a job that is over, are not begun again.
"""

from collections.abc import AsyncGenerator, Iterable, Sequence
from contextlib import asynccontextmanager, contextmanager, suppress
from typing import TYPE_CHECKING, NamedTuple

import anyio

from plugineval.pccf.errors import ConfigurationError, StoreError
from plugineval.pccf.values import content_hash

if TYPE_CHECKING:
    from collections.abc import Generator

    from procrastinate import App, PsycopgConnector
    from procrastinate.types import JSONValue

    from plugineval.server.settings.settings import Settings

SERVER_URL = "postgresql://USER:PASSWORD@HOST/NAME"
JOBS = "jobs"
"""The queue of whole jobs, and of what watches over the shards of a run."""
ABANDONED_S = 0.5
"""How long connections are waited for that are being made to a server that is gone."""
JOB_TASK, SHARD_TASK = "plugineval.job", "plugineval.shard"


class Delivery(NamedTuple):
    """A whole job, or a shard of one model of it."""

    job_id: str
    number: int | None = None
    model: str = ""

    @property
    def name(self) -> str:
        """What it is known by: it waits at most once."""
        return self.job_id if self.number is None else f"{self.job_id}/{self.number}"

    @property
    def queue(self) -> str:
        """Shards of one model have a queue of their own, which only workers that can ask the model look at."""
        return JOBS if self.number is None else shard_queue(self.job_id, self.model)

    @property
    def arguments(self) -> "dict[str, JSONValue]":
        """What its task is called with."""
        if self.number is None:
            return {"job_id": self.job_id}
        return {"job_id": self.job_id, "number": self.number, "model": self.model}


def shard_queue(job_id: str, model: str) -> str:
    """The queue of the shards of a model in a job."""
    return f"shards/{content_hash([job_id, model])[:24]}"


def require_server(database: str) -> str:
    """What psycopg connects to; `ConfigurationError` for a database that cannot be shared by machines."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        url = make_url(database)
    except ArgumentError as error:
        raise ConfigurationError("is not a database URL", field="database", allowed=(SERVER_URL,)) from error
    if url.get_backend_name() != "postgresql":
        raise ConfigurationError(
            "workers share their work through PostgreSQL, and this database is a SQLite file",
            field="database",
            allowed=(SERVER_URL,),
            next_step="name a PostgreSQL database in [store] url or with --database, or leave out the workers",
        )
    return url.set(drivername="postgresql").render_as_string(hide_password=False)


class Queue:
    """An open queue."""

    def __init__(self, app: "App", connector: "PsycopgConnector") -> None:
        self.app = app
        self._connector = connector

    @classmethod
    @asynccontextmanager
    async def open(cls, settings: "Settings") -> "AsyncGenerator[Queue]":
        """Connect to the database of the settings, and make the tables where they are missing."""
        conninfo = require_server(settings.database)
        try:
            from procrastinate import App, PsycopgConnector

            from plugineval.server.workers.queue_schema import connection_options, ensure_queue
        except ImportError as error:
            raise ConfigurationError(
                f"{error.name} is not installed", field="workers", next_step="run `pip install 'plugineval[postgres]'`"
            ) from error
        with spoken():
            await anyio.to_thread.run_sync(ensure_queue, conninfo)
        options = {"options": connection_options(settings.store.idle_transaction_s)}
        connector = PsycopgConnector(conninfo=conninfo, kwargs=options, min_size=1, max_size=4)
        app = App(connector=connector)
        with spoken():
            await app.open_async()
        try:
            yield cls(app, connector)
        finally:
            with anyio.CancelScope(shield=True):
                await app.close_async()

    async def abandon(self) -> None:
        """Let nobody wait for the server any more: it is gone, and this process is about to end."""
        await self._connector.pool.close(timeout=ABANDONED_S)

    async def deliver(self, deliveries: Iterable[Delivery]) -> None:
        """Put on the queue what does not wait there already."""
        wanted = {each.name: each for each in deliveries}
        waiting = await self._names({each.queue for each in wanted.values()})
        fresh = {name: each for name, each in wanted.items() if name not in waiting}
        if not fresh:
            return
        from procrastinate.exceptions import AlreadyEnqueued

        with spoken():
            try:
                await self._defer([*fresh.values()])
            except AlreadyEnqueued:
                # Somebody else is putting them there at this moment.
                for each in fresh.values():
                    with suppress(AlreadyEnqueued):
                        await self._defer([each])

    async def put_back(self, delivery: Delivery) -> None:
        """Let others have at once what was delivered to this process."""
        from procrastinate.exceptions import AlreadyEnqueued

        with spoken(), suppress(AlreadyEnqueued):
            await self._defer([delivery])

    async def _names(self, queues: Iterable[str]) -> set[str]:
        """Of all that waits on these queues or is with a worker."""
        manager = self.app.job_manager
        with spoken():
            found = [
                await manager.list_jobs_async(queue=queue, status=status)
                for queue in queues
                for status in ("todo", "doing")
            ]
        return {str(job.queueing_lock) for jobs in found for job in jobs}

    async def retry_stalled(self, after_s: float) -> None:
        """Deliver again what is with workers that have been silent for so long."""
        from procrastinate.exceptions import ConnectorException

        with spoken():
            stalled = await self.app.job_manager.get_stalled_jobs(seconds_since_heartbeat=after_s)
        for job in stalled:
            # Another worker may have done it a moment ago, and a name waits only once.
            with suppress(ConnectorException):
                await self.app.job_manager.retry_job(job)

    async def _defer(self, deliveries: Sequence[Delivery]) -> None:
        from procrastinate.jobs import Job

        jobs = [
            Job(
                id=None,
                queue=each.queue,
                lock=None,
                queueing_lock=each.name,
                task_name=JOB_TASK if each.number is None else SHARD_TASK,
                task_kwargs=each.arguments,
            )
            for each in deliveries
        ]
        await self.app.job_manager.batch_defer_jobs_async(jobs)


@contextmanager
def spoken() -> "Generator[None]":
    """What goes wrong with the server, as an error of the store."""
    import psycopg
    from procrastinate.exceptions import AlreadyEnqueued, ConnectorException
    from psycopg_pool import PoolTimeout

    try:
        yield
    except AlreadyEnqueued:
        raise
    except (ConnectorException, psycopg.Error, PoolTimeout) as error:
        raise StoreError(
            f"the queue cannot be reached ({type(error).__name__})",
            field="workers",
            next_step="start the database server or check [store] url",
        ) from error
