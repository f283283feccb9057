"""Jobs: one owner at a time, taken over when it is dead, told when it is not the owner any more."""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import anyio
import psutil
import pytest

from doubles.store import a_run, start_script
from plugineval.pccf.errors import IncompleteError, UnknownNameError
from plugineval.server.store import Job, JobChange, JobState, RunState, Store, new_id, new_job_id
from plugineval.server.store.owners import Owner, this_process

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X3")]

NOW = datetime(2026, 11, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)

_CLAIMING = """
import sys, anyio
from plugineval.server.store import Store

async def main():
    store = Store.open(sys.argv[1])
    for job in sys.argv[2:]:
        claimed = await store.jobs.claim(job)
        print("claimed" if claimed else "refused", flush=True)
    sys.stdin.read(1)
    store.close()

anyio.run(main)
"""


class _OtherProcess:
    """A process that claims jobs and then stays until it is killed."""

    def __init__(self, where: str, *jobs: str) -> None:
        self._process = start_script(_CLAIMING, where, *jobs)
        assert self._process.stdout is not None
        self.said = [self._process.stdout.readline().strip() for _ in jobs]

    def kill(self) -> None:
        self._process.kill()
        self._process.communicate()


@pytest.fixture
def others() -> Iterator[list[_OtherProcess]]:
    started: list[_OtherProcess] = []
    yield started
    for process in started:
        process.kill()


async def _claimed_elsewhere(others: list[_OtherProcess], where: str, *jobs: Job) -> _OtherProcess:
    process = await anyio.to_thread.run_sync(lambda: _OtherProcess(where, *(job.id for job in jobs)))
    others.append(process)
    assert process.said == ["claimed"] * len(jobs)
    return process


async def test_a_job_goes_from_queued_to_completed_and_keeps_what_it_said(store: Store) -> None:
    job = await store.jobs.create("build", {"size": 24}, total=24)
    assert (job.state, job.params, job.done, job.total) == (JobState.QUEUED, {"size": 24}, 0, 24)
    claimed = await store.jobs.claim(job.id)
    assert claimed is not None
    assert claimed.state is JobState.RUNNING
    halfway = await store.jobs.update(job.id, JobChange(done=12, message="round 2"))
    assert (halfway.done, halfway.total, halfway.message) == (12, 24, "round 2")
    await store.jobs.update(job.id, JobChange(state=JobState.COMPLETED, result={"benchmark_id": "b"}))
    ended = await store.jobs.get(job.id)
    assert (ended.state, ended.result, ended.done) == (JobState.COMPLETED, {"benchmark_id": "b"}, 12)
    assert ended.updated_at >= ended.created_at


async def test_creating_the_same_job_again_gives_the_job_that_is_there(store: Store) -> None:
    first = await store.jobs.create("build", {"size": 1}, job_id="j")
    await store.jobs.claim("j")
    again = await store.jobs.create("build", {"size": 2}, job_id="j")
    assert (again.params, again.state, again.created_at) == ({"size": 1}, JobState.RUNNING, first.created_at)


async def test_a_job_is_claimed_by_one_process_only(store: Store, where: str, others: list[_OtherProcess]) -> None:
    job = await store.jobs.create("build", {})
    await _claimed_elsewhere(others, where, job)
    assert await store.jobs.claim(job.id) is None
    assert await store.jobs.mark_interrupted() == ()
    with pytest.raises(IncompleteError, match="not run by this process"):
        await store.jobs.update(job.id, JobChange(done=1))


async def test_a_running_job_is_not_claimed_twice_by_the_same_process(store: Store) -> None:
    job = await store.jobs.create("build", {})
    assert await store.jobs.claim(job.id) is not None
    assert await store.jobs.claim(job.id) is None


async def test_a_job_whose_process_was_killed_is_interrupted_and_can_be_claimed(
    store: Store, where: str, others: list[_OtherProcess]
) -> None:
    lost, stopped = await store.jobs.create("build", {}), await store.jobs.create("evaluate", {})
    process = await _claimed_elsewhere(others, where, lost, stopped)
    assert (await store.jobs.request_cancel(stopped.id)).state is JobState.RUNNING
    process.kill()
    states = {job.id: job.state for job in await store.jobs.mark_interrupted()}
    assert states == {lost.id: JobState.INTERRUPTED, stopped.id: JobState.CANCELLED}
    assert await store.jobs.claim(lost.id) is not None
    assert await store.jobs.claim(stopped.id) is None


async def test_claiming_a_job_of_a_dead_process_needs_no_other_step(
    store: Store, where: str, others: list[_OtherProcess]
) -> None:
    job = await store.jobs.create("build", {})
    (await _claimed_elsewhere(others, where, job)).kill()
    assert await store.jobs.claim(job.id) is not None


async def test_a_stop_is_immediate_where_nobody_runs_the_job_and_told_to_whoever_does(store: Store) -> None:
    queued, running = await store.jobs.create("build", {}), await store.jobs.create("build", {})
    await store.jobs.claim(running.id)
    assert (await store.jobs.request_cancel(queued.id)).state is JobState.CANCELLED
    asked = await store.jobs.request_cancel(running.id)
    assert (asked.state, asked.cancel_requested) == (JobState.RUNNING, True)
    assert (await store.jobs.update(running.id)).cancel_requested


@pytest.mark.parametrize("state", [JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED])
async def test_a_job_that_is_over_stays_over(store: Store, state: JobState) -> None:
    job = await store.jobs.create("build", {})
    await store.jobs.claim(job.id)
    await store.jobs.update(job.id, JobChange(state=state, error="why"))
    assert await store.jobs.claim(job.id) is None
    assert (await store.jobs.request_cancel(job.id)).state is state
    with pytest.raises(IncompleteError):
        await store.jobs.update(job.id, JobChange(state=JobState.RUNNING))
    assert await store.jobs.mark_interrupted() == ()


async def test_a_job_is_never_found_by_a_part_of_its_id_nor_are_ids_offered(store: Store) -> None:
    job = await store.jobs.create("build", {})
    with pytest.raises(UnknownNameError) as caught:
        await store.jobs.get(job.id[:-1])
    assert job.id not in str(caught.value)


async def test_jobs_are_listed_newest_first_and_by_state(store: Store) -> None:
    jobs = [await store.jobs.create("build", {}) for _ in range(3)]
    await store.jobs.claim(jobs[1].id)
    page = await store.jobs.page(limit=2)
    rest = await store.jobs.page(limit=2, cursor=page.next_cursor)
    assert [job.id for job in (*page.items, *rest.items)] == [job.id for job in jobs[::-1]]
    assert [job.id for job in (await store.jobs.page(state=JobState.RUNNING)).items] == [jobs[1].id]


def _gone(owner: Owner, heartbeat: datetime | None) -> bool:
    return owner.gone(this_process(), heartbeat=heartbeat, now=NOW, stale_after=MINUTE)


def test_an_owner_on_another_host_lives_by_its_heartbeat() -> None:
    far = Owner(mark="x", host="elsewhere", pid=this_process().pid)
    assert not _gone(far, NOW - MINUTE / 2)
    assert _gone(far, NOW - MINUTE * 2)
    assert _gone(far, None)


def test_a_process_is_never_dead_to_itself_and_an_earlier_one_with_its_number_always_is() -> None:
    me = this_process()
    assert not _gone(me, None)
    assert _gone(Owner(mark="earlier", host=me.host, pid=me.pid), NOW)


def test_a_process_that_ended_and_was_not_waited_for_is_gone_at_once() -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, ended.pid, os.WEXITED | os.WNOWAIT)
    assert psutil.Process(ended.pid).status() == psutil.STATUS_ZOMBIE
    owner = Owner(mark="x", host=this_process().host, pid=ended.pid)
    assert owner.gone(this_process(), heartbeat=datetime.now(UTC), now=datetime.now(UTC), stale_after=MINUTE)
    ended.wait()


def test_a_number_that_went_to_a_process_born_after_the_last_heartbeat_is_another_process() -> None:
    parent, now = os.getppid(), datetime.now(UTC)
    born = datetime.fromtimestamp(psutil.Process(parent).create_time(), UTC)
    owner = Owner(mark="x", host=this_process().host, pid=parent)
    assert owner.gone(this_process(), heartbeat=born - MINUTE / 2, now=born, stale_after=MINUTE)
    assert not owner.gone(this_process(), heartbeat=now, now=now, stale_after=MINUTE)


async def _evaluating(store: Store) -> Job:
    await store.runs.create(a_run("run-a"), cases=[])
    job = await store.jobs.create("evaluate", {"run_id": "run-a"})
    await store.jobs.claim(job.id)
    return job


async def _run_state(store: Store) -> RunState:
    return (await store.runs.summary("run-a")).state


@pytest.mark.parametrize("state", [JobState.CANCELLED, JobState.FAILED])
async def test_the_run_of_a_job_that_is_over_is_not_running(store: Store, state: JobState) -> None:
    job = await _evaluating(store)
    await store.jobs.update(job.id, JobChange(state=state))
    assert (await _run_state(store)).value == state.value


async def test_the_run_of_a_job_that_is_cancelled_after_its_process_died_is_not_running(
    store: Store, where: str, others: list[_OtherProcess]
) -> None:
    await store.runs.create(a_run("run-a"), cases=[])
    job = await store.jobs.create("evaluate", {"run_id": "run-a"})
    (await _claimed_elsewhere(others, where, job)).kill()
    assert (await store.jobs.request_cancel(job.id)).state is JobState.CANCELLED
    assert await _run_state(store) is RunState.CANCELLED


async def test_the_run_of_a_failed_job_that_goes_on_is_running_again_and_a_completed_one_stays(store: Store) -> None:
    job = await _evaluating(store)
    await store.jobs.update(job.id, JobChange(state=JobState.FAILED))
    await store.jobs.reopen(job.id)
    assert await _run_state(store) is RunState.RUNNING
    await store.jobs.claim(job.id)
    await store.runs.finish(a_run("run-a"))
    await store.jobs.update(job.id, JobChange(state=JobState.FAILED))
    assert await _run_state(store) is RunState.COMPLETED


async def test_words_that_no_database_keeps_do_not_keep_a_job_from_ending(store: Store) -> None:
    job = await store.jobs.create("build", {})
    await store.jobs.claim(job.id)
    ended = await store.jobs.update(job.id, JobChange(state=JobState.FAILED, error="it said \0", message="\0"))
    assert (ended.error, ended.message) == ("it said \ufffd", "\ufffd")


def test_ids_say_what_they_are_and_job_ids_only_that_they_are_secret() -> None:
    assert re.fullmatch(r"run-\d{8}-[0-9a-z]{8}", new_id("run"))
    ids = {new_job_id() for _ in range(500)}
    assert len(ids) == 500
    assert all(re.fullmatch(r"[A-Za-z0-9_][A-Za-z0-9_-]{31}", job) for job in ids)
