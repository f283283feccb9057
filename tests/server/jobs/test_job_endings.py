"""How a job ends, and what the store, the waiting and a later process are told of it."""

import gc
import weakref
from pathlib import Path

import anyio
import pytest

from doubles.scripted_jobs import Gate, engine_of, mistake, paid, raising
from plugineval.pccf.errors import IncompleteError, PluginEvalError, StoreError
from plugineval.pccf.values import Json
from plugineval.server.jobs import engine as engine_module
from plugineval.server.jobs.context import JobContext
from plugineval.server.store.states import JobState

pytestmark = pytest.mark.anyio


async def test_a_job_that_ends_well_is_completed_with_its_result(tmp_path: Path) -> None:
    async def run(context: JobContext) -> Json:
        context.progress(3, 3, "nearly")
        return {"params": context.params}

    async with engine_of(tmp_path, run) as engine:
        job = await engine.start("work", {"size": 3})
        assert job.state is JobState.RUNNING
        assert await engine.result(job.id) == {"params": {"size": 3}}
        ended = await (await engine.workspace.store()).jobs.get(job.id)
    assert (ended.state, ended.done, ended.total, ended.message) == (JobState.COMPLETED, 3, 3, "done")


async def test_a_mistake_fails_the_job_with_its_sentence(tmp_path: Path) -> None:
    async with engine_of(tmp_path, raising(mistake())) as engine:
        job = await engine.start("work", None)
        ended = await engine.wait(job.id)
        with pytest.raises(PluginEvalError, match="size: is too small"):
            await engine.result(job.id)
    assert ended.state is JobState.FAILED
    assert ended.error == "size: is too small. Allowed: 1, 2. Next: make it larger."


class Load:
    """What a job works on."""


async def test_a_server_does_not_keep_what_failed_jobs_held(tmp_path: Path) -> None:
    held: list[weakref.ref[Load]] = []

    async def run(context: JobContext) -> Json:
        load = Load()
        held.append(weakref.ref(load))
        try:
            raise KeyError(load)
        except KeyError as error:
            raise mistake() from error

    async with engine_of(tmp_path, run) as engine:
        job = await engine.start("work", None)
        await engine.wait(job.id)
        gc.collect()
        assert [each() for each in held] == [None]
        with pytest.raises(PluginEvalError, match="size: is too small"):
            await engine.result(job.id)


async def test_errors_of_old_jobs_are_told_from_the_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine_module, "MOST_ERRORS", 1)
    async with engine_of(tmp_path, raising(mistake())) as engine:
        first, second = [await engine.start("work", None) for _ in range(2)]
        for job in (first, second):
            await engine.wait(job.id)
        with pytest.raises(PluginEvalError, match="size: is too small") as old:
            await engine.result(first.id)
        with pytest.raises(PluginEvalError, match="size: is too small") as new:
            await engine.result(second.id)
    assert (old.value.field, new.value.field) == (None, "size")


async def test_a_mistake_inside_task_groups_is_the_same_mistake(tmp_path: Path) -> None:
    async with engine_of(tmp_path, raising(ExceptionGroup("", [ExceptionGroup("", [mistake()])]))) as engine:
        ended = await engine.wait((await engine.start("work", None)).id)
    assert (ended.state, ended.error) == (JobState.FAILED, str(mistake()))


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (KeyError("/secret/path"), "KeyError"),
        (ExceptionGroup("", [mistake(), ZeroDivisionError("/secret/path")]), "ZeroDivisionError"),
    ],
)
async def test_a_bug_fails_the_job_and_shows_its_kind_alone(
    error: Exception, kind: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with engine_of(tmp_path, raising(error)) as engine:
        ended = await engine.wait((await engine.start("work", None)).id)
        again = await engine.wait((await engine.start("work", None)).id)
    assert ended.state is again.state is JobState.FAILED
    assert ended.error is not None
    assert ended.error.startswith(f"internal error: {kind}.")
    assert "/secret/path" not in ended.error
    assert "/secret/path" in caplog.text


async def test_a_job_of_an_unknown_kind_fails_with_a_next_step(tmp_path: Path) -> None:
    async with engine_of(tmp_path, Gate()) as engine:
        ended = await engine.wait((await engine.start("dance", None)).id)
    assert ended.state is JobState.FAILED
    assert "'dance'" in (ended.error or "")


@pytest.mark.parametrize("error", [IncompleteError("the writer is down"), StoreError("the disk is full")])
async def test_an_incomplete_job_is_interrupted_and_resumed_without_its_paid_calls(
    error: Exception, tmp_path: Path
) -> None:
    made: list[str] = []

    async def run(context: JobContext) -> Json:
        async def call() -> Json:
            made.append("first")
            return 1

        await paid(context, "first", call)
        if len(made) == 1 and context.journal.made.total() == 1:
            raise error
        return context.journal.replayed.total()

    async with engine_of(tmp_path, run) as engine:
        job = await engine.start("work", None)
        stopped = await engine.wait(job.id)
        with pytest.raises(type(error)):
            await engine.result(job.id)
        assert (stopped.state, stopped.error) == (JobState.INTERRUPTED, str(error))
        await engine.resume(job.id)
        assert await engine.result(job.id) == 1
    assert made == ["first"]


async def test_a_stopping_process_interrupts_its_jobs_and_the_next_one_goes_on(tmp_path: Path) -> None:
    gate = Gate()
    async with engine_of(tmp_path, gate) as engine:
        job = await engine.start("work", None)
        await gate.entered.wait()
    gate.open.set()
    async with engine_of(tmp_path, gate) as engine:
        left = await engine.wait(job.id, 0)
        assert (left.state, left.done, left.error) == (JobState.INTERRUPTED, 1, None)
        await engine.resume(job.id)
        assert await engine.result(job.id) == "through"
    assert gate.runs == 2


async def test_the_end_that_another_process_saw_is_told_to_who_asks_here(tmp_path: Path) -> None:
    async with engine_of(tmp_path, raising(mistake())) as engine:
        job = await engine.start("work", None)
        await engine.wait(job.id)
    async with engine_of(tmp_path, Gate()) as engine:
        with pytest.raises(PluginEvalError, match="size: is too small") as raised:
            await engine.result(job.id)
    assert not isinstance(raised.value, IncompleteError)


async def test_a_last_word_that_cannot_be_written_is_told_and_written_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    gate = Gate()
    async with engine_of(tmp_path, gate) as engine:
        store = await engine.workspace.store()
        write = store.jobs.update

        async def full(*arguments: object) -> object:
            raise StoreError("the disk is full")

        job = await engine.start("work", None)
        await gate.entered.wait()
        monkeypatch.setattr(store.jobs, "update", full)
        gate.open.set()
        told = await engine.wait(job.id)
        assert (told.state, told.result) == (JobState.COMPLETED, "through")
        assert (await store.jobs.get(job.id)).state is JobState.RUNNING
        monkeypatch.setattr(store.jobs, "update", write)
        assert (await engine.resume(job.id)).state is JobState.COMPLETED
        assert (await store.jobs.get(job.id)).result == "through"
    assert "could not be written" in caplog.text


async def test_a_failing_job_does_not_disturb_another_one(tmp_path: Path) -> None:
    gate = Gate()

    async def run(context: JobContext) -> Json:
        if context.params == "fail":
            raise ZeroDivisionError
        return await gate(context)

    async with engine_of(tmp_path, run) as engine:
        steady = await engine.start("work", "stay")
        await gate.entered.wait()
        assert (await engine.wait((await engine.start("work", "fail")).id)).state is JobState.FAILED
        gate.open.set()
        with anyio.fail_after(5):
            assert await engine.result(steady.id) == "through"
