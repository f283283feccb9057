"""Both engines keep the same promises: the one of this process, and the one whose jobs a worker takes off a queue."""

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Literal

import anyio
import pytest
from sqlalchemy import create_engine, text

from doubles.postgres import Postgres
from doubles.scripted_jobs import Gate, raising
from plugineval.clients.models.config import ModelConfig
from plugineval.pccf.errors import ConfigurationError, IncompleteError, PluginEvalError, UnknownNameError
from plugineval.pccf.values import Json
from plugineval.server.cli.session import untaken
from plugineval.server.jobs.context import Runner
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.engines import Engine
from plugineval.server.settings.loading import load_settings
from plugineval.server.settings.roles import Roles
from plugineval.server.settings.settings import Settings
from plugineval.server.settings.worker_options import WorkerOptions
from plugineval.server.store.shard_notes import WaitingShard
from plugineval.server.store.shards import ShardShelf
from plugineval.server.store.states import JobState
from plugineval.server.store.store import Store
from plugineval.server.store.summaries import Job
from plugineval.server.workers.casting import with_roles
from plugineval.server.workers.engine import QueueEngine
from plugineval.server.workers.fitness import needs_of, settings_for
from plugineval.server.workers.queue import Queue, require_server
from plugineval.server.workers.queue_schema import SCHEMA, ensure_queue
from plugineval.server.workers.worker import Worker
from plugineval.server.workspace import Workspace

pytestmark = pytest.mark.anyio

KIND: Literal["verify"] = "verify"
QUICK = WorkerOptions(jobs=(KIND,), heartbeat_s=0.1, stalled_after_s=5, grace_s=1)


def _settings(home: Path) -> Settings:
    home.mkdir(exist_ok=True)
    return load_settings(config=None, home=home, environ={}, cwd=home)


@asynccontextmanager
async def _queued(home: Path, database: str, runner: Runner) -> AsyncGenerator[Engine]:
    """An engine on a queue, with a worker that takes from it."""
    settings = _settings(home).model_copy(update={"database": database, "workers": QUICK})
    workspaces = [Workspace(settings, environ={}) for _ in range(2)]
    leave = anyio.Event()
    async with AsyncExitStack() as stack:
        engine = await stack.enter_async_context(QueueEngine.open(workspaces[0], {}))
        stack.push_async_callback(workspaces[1].aclose)
        store = await workspaces[1].store()
        queue = await stack.enter_async_context(Queue.open(settings))
        worker = Worker(workspaces[1], store, queue, {KIND: runner}, lambda event, sentence, **facts: None)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(worker.serve, leave)
            yield engine
            leave.set()


@pytest.fixture(params=["here", "workers"])
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Callable[[Runner], AbstractAsyncContextManager[Engine]]:
    """Open an engine whose jobs are done by a runner."""

    @asynccontextmanager
    async def here(runner: Runner) -> AsyncGenerator[Engine]:
        async with JobEngine.open(Workspace(_settings(tmp_path / "home"), environ={}), {KIND: runner}) as engine:
            yield engine

    if request.param == "here":
        return here
    server = request.getfixturevalue("postgres")
    assert isinstance(server, Postgres)
    database = server.create()
    return lambda runner: _queued(tmp_path / "home", database, runner)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """One of the worker's."""
    opened = Store.open(tmp_path / "store.db")
    yield opened
    opened.close()


Opened = Callable[[Runner], AbstractAsyncContextManager[Engine]]


async def test_a_job_runs_tells_how_far_it_is_and_gives_its_result(opened: Opened) -> None:
    gate = Gate()
    async with opened(gate) as engine:
        job = await engine.start(KIND, {})
        with anyio.fail_after(30):
            await gate.entered.wait()
            live = await engine.wait(job.id, until=lambda found: found.total == 2)
            assert (live.state, live.done, live.message) == (JobState.RUNNING, 1, "at the gate")
            gate.open.set()
            assert await engine.result(job.id) == "through"
        assert gate.runs == 1


async def test_a_job_that_fails_says_why(opened: Opened) -> None:
    async with opened(raising(PluginEvalError("no such thing"))) as engine:
        job = await engine.start(KIND, {})
        with anyio.fail_after(30), pytest.raises(PluginEvalError, match="no such thing"):
            await engine.result(job.id)


async def test_a_job_that_could_not_go_on_is_resumed(opened: Opened) -> None:
    tries: list[str] = []

    async def runner(context: object) -> str:
        tries.append("")
        if len(tries) == 1:
            raise IncompleteError("nobody there")
        return "done"

    async with opened(runner) as engine:
        job = await engine.start(KIND, {})
        with anyio.fail_after(30):
            with pytest.raises(IncompleteError, match="nobody there"):
                await engine.result(job.id)
            await engine.resume(job.id)
            assert await engine.result(job.id) == "done"


async def test_a_job_is_cancelled_wherever_it_runs(opened: Opened) -> None:
    gate = Gate()
    async with opened(gate) as engine:
        job = await engine.start(KIND, {})
        with anyio.fail_after(30):
            await gate.entered.wait()
            assert (await engine.cancel(job.id, wait_s=20)).state is JobState.CANCELLED
            assert (await engine.resume(job.id)).state is JobState.CANCELLED
        assert gate.runs == 1


def test_the_queue_is_made_once_by_processes_that_come_together(postgres: Postgres) -> None:
    database = postgres.create()
    made: list[bool] = []
    threads = [Thread(target=lambda: made.append(ensure_queue(require_server(database)))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [False, False, False, True]
    engine = create_engine(database)
    with engine.connect() as connection:
        where = "select distinct table_schema from information_schema.tables where table_name like 'procrastinate%'"
        assert list(connection.scalars(text(where))) == [SCHEMA]
    engine.dispose()


async def test_a_worker_outlives_shards_of_a_job_that_it_has_not_seen_yet(
    postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: list[int] = []

    async def waiting(shelf: ShardShelf, *, stale_after: timedelta) -> tuple[WaitingShard, ...]:
        looked.append(0)
        return (WaitingShard("job-of-a-moment-ago", 0, "m"),)

    monkeypatch.setattr(ShardShelf, "waiting", waiting)
    gate = Gate()
    gate.open.set()
    async with _queued(tmp_path / "home", postgres.create(), gate) as engine:
        with anyio.fail_after(30):
            while len(looked) < 2:
                await anyio.sleep(QUICK.heartbeat_s)
            job = await engine.start(KIND, {})
            assert await engine.result(job.id) == "through"


async def test_a_worker_without_a_plugin_leaves_the_job_that_needs_it_to_others(
    postgres: Postgres, tmp_path: Path
) -> None:
    gate = Gate()
    gate.open.set()
    async with _queued(tmp_path / "home", postgres.create(), gate) as engine:
        needy, modest = await engine.start(KIND, {"plugins": ["nowhere"]}), await engine.start(KIND, {})
        with anyio.fail_after(30):
            assert await engine.result(modest.id) == "through"
            left = await engine.wait(needy.id, until=lambda found: "nowhere" in found.message)
        assert (left.state, gate.runs) == (JobState.QUEUED, 1)
        assert untaken(left).startswith("no worker takes it; ")


async def test_roles_of_a_whole_job_are_those_of_whoever_started_it(store: Store, tmp_path: Path) -> None:
    mine, worker = Roles(generators=("fast",)), _settings(tmp_path / "home")
    planned = _job(with_roles("build", {"plugins": []}, mine))
    needs = await needs_of(store, planned)
    with pytest.raises(UnknownNameError, match="fast"):
        settings_for(worker, {}, needs)
    fast = ModelConfig(id="fast", base_url="http://127.0.0.1:1/v1", model="m", api_key_env="FAST_KEY")
    able = worker.model_copy(update={"models": {"fast": fast}})
    with pytest.raises(ConfigurationError, match="FAST_KEY is not set"):
        settings_for(able, {}, needs)
    assert settings_for(able, {"FAST_KEY": "k"}, needs).roles == mine
    # What another process planned is not decided again, and other kinds know no roles.
    assert with_roles("build", planned.params, Roles()) == planned.params
    assert settings_for(worker, {}, await needs_of(store, _job(with_roles(KIND, {}, mine)))) == worker


@pytest.mark.parametrize(
    ("kind", "params"),
    [
        ("recalibrate", {"benchmark_id": "b", "router": "fast", "runs": 1}),
        ("regrade", {"of_run": "r", "grading_id": "g", "at": "2026-01-01T00:00:00Z", "grading": {"judge": "fast"}}),
    ],
)
async def test_a_worker_without_the_key_of_a_router_or_a_judge_leaves_the_job_to_others(
    kind: str, params: Json, store: Store, tmp_path: Path
) -> None:
    fast = ModelConfig(id="fast", base_url="http://127.0.0.1:1/v1", model="m", api_key_env="FAST_KEY")
    worker = _settings(tmp_path / "home").model_copy(update={"models": {"fast": fast}})
    needs = await needs_of(store, _job(params, kind=kind))
    with pytest.raises(ConfigurationError, match="FAST_KEY is not set"):
        settings_for(worker, {}, needs)
    assert settings_for(worker, {"FAST_KEY": "k"}, needs) == worker


def _job(params: Json, *, kind: str = "build") -> Job:
    now = datetime.now(UTC)
    none: dict[str, object] = {"result": None, "error": None, "owner_pid": None, "heartbeat_at": None, "total": None}
    made: dict[str, object] = {"id": "j", "kind": kind, "params": params, "state": JobState.QUEUED, "done": 0}
    at: dict[str, object] = {"created_at": now, "updated_at": now, "message": "", "cancel_requested": False}
    return Job.model_validate({**none, **made, **at})
