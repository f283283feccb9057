"""`plugineval worker`: take part in what is on the queue of a PostgreSQL database, beside any other workers."""

import logging
import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from plugineval.pccf.values import Json
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.stopping import stopping
from plugineval.server.cli.terminal import echo_json, say_line
from plugineval.server.jobs.collecting import rare_collections
from plugineval.server.jobs.kinds import RUNNERS
from plugineval.server.schedules.starting import keep_schedules
from plugineval.server.settings.settings import Settings
from plugineval.server.workers.engine import QueueEngine
from plugineval.server.workers.queue import Queue, require_server
from plugineval.server.workers.telling import Event
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store
    from plugineval.server.workers.worker import Worker


@with_shared_options
def worker_command(
    database: Annotated[str | None, typer.Option(help="URL of the PostgreSQL database; else [store] url.")] = None,
    concurrency: Annotated[
        int | None, typer.Option(min=1, help="Calls in flight at most, for each model of a run; else that of the run.")
    ] = None,
    *,
    shared: SharedOptions,
) -> None:
    """Measure shards of runs and do whole jobs, until SIGTERM or Ctrl-C: calls in flight then finish, the rest is left.

    It needs the models of the runs in its own plugineval.toml, and their keys in its own environment; what it cannot
    ask it leaves to other workers. A second signal ends it at once. With --json, one object a line.
    """
    from plugineval.server.app.arenas import steady_memory

    steady_memory()
    with rare_collections():
        run(lambda: _work(database, concurrency, shared), as_json=shared.as_json, many_calls=True)


async def _work(database: str | None, concurrency: int | None, shared: SharedOptions) -> None:
    from plugineval.server.workers.worker import Worker

    settings = read_settings(shared)
    if database is not None:
        settings = settings.model_copy(update={"database": database})
    require_server(settings.database)
    # Who takes over from a worker that was stopped in the middle of a commit must not wait for its locks as well.
    idle = min(settings.store.idle_transaction_s, settings.workers.stalled_after_s)
    options = settings.store.model_copy(update={"idle_transaction_s": idle})
    settings = settings.model_copy(update={"store": options})
    _quiet()
    workspace = Workspace(settings, environ=os.environ)
    try:
        store = await workspace.store()
        async with Queue.open(settings) as queue:
            said = _Said(as_json=shared.as_json)
            worker = Worker(workspace, store, queue, RUNNERS, said)
            worker.concurrency = concurrency
            said("serving", _what(worker, store, settings), worker=worker.name, models=[*sorted(settings.models)])
            async with _schedules(workspace):
                await _until_told(worker)
    finally:
        await workspace.aclose()


@asynccontextmanager
async def _schedules(workspace: Workspace) -> AsyncGenerator[None]:
    """What is due goes on the queue, for any worker."""
    settings = workspace.settings
    on_queue = settings.model_copy(update={"run": settings.run.model_copy(update={"engine": "workers"})})
    async with anyio.create_task_group() as tasks:
        if settings.schedules:
            tasks.start_soon(keep_schedules, QueueEngine(workspace.under(on_queue), RUNNERS, tasks))
        yield
        tasks.cancel_scope.cancel()


async def _until_told(worker: "Worker") -> None:
    leave = anyio.Event()

    async def listen() -> None:
        async with stopping():
            await anyio.sleep_forever()
        # The next signal does what signals do.
        leave.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(listen)
        await worker.serve(leave)


def _what(worker: "Worker", store: "Store", settings: Settings) -> str:
    models = ", ".join(sorted(settings.models)) or "none registered"
    at_once = settings.workers.shards_at_once
    return f"worker {worker.name} serves {store.place}: {at_once} shards at a time; models: {models}"


class _Said:
    """`Tell`: lines on stderr, or objects on stdout."""

    def __init__(self, *, as_json: bool) -> None:
        self._as_json = as_json

    def __call__(self, event: Event, sentence: str, **facts: Json) -> None:
        """One line."""
        if self._as_json:
            echo_json({"event": event, "message": sentence, **facts})
        else:
            say_line(sentence)


def _quiet() -> None:
    """What the libraries of the queue would log is told by us, in one line; an entry that was taken over in the
    meantime is no news, nor is one of a queue that is gone.
    """
    for name in ("procrastinate", "psycopg.pool", "psycopg"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    logging.getLogger("asyncio").addFilter(_is_news)


def _is_news(record: logging.LogRecord) -> bool:
    error = record.exc_info[1] if record.exc_info else None
    return type(error).__name__ not in ("ConnectorException", "AppNotOpen", "CancelledError")
