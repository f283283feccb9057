"""Cancelling a job, cancelling a wait, and two processes that both want a job."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from subprocess import Popen

import anyio
import anyio.lowlevel
import pytest

from doubles.scripted_jobs import Gate, engine_of
from doubles.store import start_script
from plugineval.pccf.errors import IncompleteError, StoreError
from plugineval.pccf.values import Json
from plugineval.server.jobs.context import JobContext
from plugineval.server.store.states import JobState
from plugineval.server.store.store import Store
from plugineval.server.store.summaries import Job, JobChange

pytestmark = pytest.mark.anyio

_SECOND = timedelta(seconds=1)
_RUNNING = """
import sys, anyio
from plugineval.server.store import JobChange, Store

async def main():
    store = Store.open(sys.argv[1])
    await store.jobs.claim(sys.argv[2])
    print("claimed", flush=True)
    while not (await store.jobs.update(sys.argv[2], JobChange(done=1))).cancel_requested:
        await anyio.sleep(0.05)
    await store.jobs.update(sys.argv[2], JobChange(state="cancelled"))
    store.close()

anyio.run(main)
"""


@pytest.fixture
def elsewhere() -> Iterator[list[Popen[str]]]:
    """Processes that a test started."""
    started: list[Popen[str]] = []
    yield started
    for process in started:
        process.kill()
        process.communicate()


async def test_a_cancelled_job_stops_and_is_not_resumed(tmp_path: Path) -> None:
    gate = Gate()
    async with engine_of(tmp_path, gate) as engine:
        job = await engine.start("work", None)
        await gate.entered.wait()
        stopped = await engine.cancel(job.id)
        again = await engine.resume(job.id)
        with pytest.raises(IncompleteError, match="was cancelled"):
            await engine.result(job.id)
    assert (stopped.state, stopped.done) == (JobState.CANCELLED, 1)
    assert (again.state, gate.runs) == (JobState.CANCELLED, 1)


async def test_cancelling_a_wait_leaves_the_job_running(tmp_path: Path) -> None:
    gate = Gate()
    async with engine_of(tmp_path, gate) as engine:
        job = await engine.start("work", None)
        await gate.entered.wait()
        async with anyio.create_task_group() as waiting:
            waiting.start_soon(engine.wait, job.id)
            waiting.cancel_scope.cancel()
        assert (await engine.wait(job.id, 0)).state is JobState.RUNNING
        gate.open.set()
        assert await engine.result(job.id) == "through"


async def test_a_wait_ends_in_time_with_the_progress_of_that_moment(tmp_path: Path) -> None:
    gate = Gate()
    heard: list[Job] = []

    async def hear(job: Job) -> None:
        heard.append(job)

    async with engine_of(tmp_path, gate) as engine:
        job = await engine.start("work", None)
        await gate.entered.wait()
        seen = await engine.wait(job.id, 0.01, hear)
        gate.open.set()
        await engine.result(job.id)
    assert (seen.state, seen.done, seen.total, seen.message) == (JobState.RUNNING, 1, 2, "at the gate")
    assert heard[0].done == 1


async def test_a_job_that_finishes_while_it_is_being_cancelled_is_completed(tmp_path: Path) -> None:
    entered, finish = anyio.Event(), anyio.Event()

    async def run(context: JobContext) -> Json:
        with anyio.CancelScope(shield=True):
            entered.set()
            await finish.wait()
        return "just in time"

    async with engine_of(tmp_path, run) as engine:
        job = await engine.start("work", None)
        await entered.wait()
        async with anyio.create_task_group() as group:
            group.start_soon(engine.cancel, job.id)
            group.start_soon(_set, finish)
        assert await engine.result(job.id) == "just in time"


async def test_a_cancelled_job_puts_away_what_it_holds(tmp_path: Path) -> None:
    entered = anyio.Event()

    async def run(context: JobContext) -> Json:
        entered.set()
        try:
            await anyio.sleep_forever()
        finally:
            with anyio.CancelScope(shield=True):
                await anyio.lowlevel.checkpoint()
            context.progress(7, None, "put away")
        return None

    async with engine_of(tmp_path, run) as engine:
        job = await engine.start("work", None)
        await entered.wait()
        stopped = await engine.cancel(job.id)
    assert (stopped.state, stopped.done) == (JobState.CANCELLED, 7)


async def test_a_wish_to_cancel_counts_although_stopping_fails(tmp_path: Path) -> None:
    entered = anyio.Event()

    async def run(context: JobContext) -> Json:
        entered.set()
        try:
            await anyio.sleep_forever()
        finally:
            raise ZeroDivisionError

    async with engine_of(tmp_path, run) as engine:
        job = await engine.start("work", None)
        await entered.wait()
        stopped = await engine.cancel(job.id)
    assert stopped.state is JobState.CANCELLED
    assert "ZeroDivisionError" in (stopped.error or "")


async def test_a_job_that_is_over_is_not_cancelled(tmp_path: Path) -> None:
    gate = Gate()
    gate.open.set()
    async with engine_of(tmp_path, gate) as engine:
        job = await engine.start("work", None)
        await engine.result(job.id)
        assert (await engine.cancel(job.id)).state is JobState.COMPLETED


async def test_a_job_that_runs_elsewhere_is_cancelled_there(tmp_path: Path, elsewhere: list[Popen[str]]) -> None:
    gate = Gate()
    async with engine_of(tmp_path, gate) as engine:
        job = await _claimed_elsewhere(await engine.workspace.store(), elsewhere)
        assert (await engine.resume(job.id)).state is JobState.RUNNING
        stopped = await engine.cancel(job.id)
    assert stopped.state is JobState.CANCELLED
    assert gate.runs == 0


async def test_who_waits_for_a_job_elsewhere_is_told_when_its_process_dies(
    tmp_path: Path, elsewhere: list[Popen[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plugineval.server.jobs.engine.LATE_AFTER", -_SECOND)
    gate = Gate()
    gate.open.set()
    async with engine_of(tmp_path, gate) as engine:
        job = await _claimed_elsewhere(await engine.workspace.store(), elsewhere)
        elsewhere[0].kill()
        elsewhere[0].wait()
        with anyio.fail_after(10):
            assert (await engine.wait(job.id)).state is JobState.INTERRUPTED
        await engine.resume(job.id)
        assert await engine.result(job.id) == "through"


async def test_two_engines_never_run_one_job_twice(tmp_path: Path) -> None:
    first, second = Gate("first"), Gate("second")
    async with engine_of(tmp_path, first) as one, engine_of(tmp_path, second) as other:
        store = await one.workspace.store()
        jobs = [await store.jobs.create("work", number) for number in range(8)]
        async with anyio.create_task_group() as group:
            for job in jobs:
                group.start_soon(one.resume, job.id)
                group.start_soon(other.resume, job.id)
        first.open.set()
        second.open.set()
        for job in jobs:
            assert await one.result(job.id) in ("first", "second")
    assert first.runs + second.runs == len(jobs)


async def test_a_job_that_was_taken_over_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("plugineval.server.jobs.running.HEARTBEAT_S", 0.01)
    gate, other = Gate(), Gate()
    other.open.set()
    async with engine_of(tmp_path, gate) as engine:
        store = await engine.workspace.store()
        job = await engine.start("work", None)
        await gate.entered.wait()
        refused = anyio.Event()

        async def lost(job_id: str, change: JobChange | None = None) -> Job:
            refused.set()
            raise IncompleteError("not run by this process")

        monkeypatch.setattr(store.jobs, "update", lost)
        await refused.wait()
        await engine.wait(job.id, 0.05)
        monkeypatch.undo()
        assert (await store.jobs.get(job.id)).state is JobState.RUNNING
        # The engine goes on serving.
        gate.open.set()
        assert await engine.result((await engine.start("work", None)).id) == "through"
    assert "took it over" in caplog.text


async def test_a_heartbeat_that_cannot_be_written_once_is_no_reason_to_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("plugineval.server.jobs.running.HEARTBEAT_S", 0.01)
    gate = Gate()
    async with engine_of(tmp_path, gate) as engine:
        store = await engine.workspace.store()
        write, failed = store.jobs.update, anyio.Event()

        async def locked(job_id: str, change: JobChange | None = None) -> Job:
            if not failed.is_set():
                failed.set()
                raise StoreError("is locked")
            return await write(job_id, change)

        monkeypatch.setattr(store.jobs, "update", locked)
        job = await engine.start("work", None)
        await failed.wait()
        gate.open.set()
        assert await engine.result(job.id) == "through"


async def _set(event: anyio.Event) -> None:
    event.set()


async def _claimed_elsewhere(store: Store, elsewhere: list[Popen[str]]) -> Job:
    job = await store.jobs.create("work", None)
    process = start_script(_RUNNING, store.place, job.id)
    elsewhere.append(process)
    assert process.stdout is not None
    assert await anyio.to_thread.run_sync(process.stdout.readline) == "claimed\n"
    return job
