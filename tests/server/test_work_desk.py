"""Where a job's roles wait for agents: woken by answers from this process and others, and by nothing else."""

from collections.abc import AsyncGenerator, Sequence
from pathlib import Path

import anyio
import pytest
from anyio import wait_all_tasks_blocked

from plugineval.clients.agent.answers import WorkAnswer, Worker
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.server.store import Store
from plugineval.server.store.work_notes import WorkCount, WorkWish
from plugineval.server.work.desk import WorkDesk
from plugineval.server.work.told import kinds_told, waiting_told

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X2")]

ME = Worker(client="me")


def question(number: int) -> WorkQuestion:
    return WorkQuestion(
        kind=WorkKind.VOTE_LEVEL, model="agent", instructions="i", evidence=str(number), answer_schema={}
    )


@pytest.fixture
async def store(tmp_path: Path) -> AsyncGenerator[Store]:
    async with Store.open(tmp_path / "plugineval.db") as opened:
        yield opened


async def _desk(store: Store) -> WorkDesk:
    job = await store.jobs.create("work", {})
    claimed = await store.jobs.claim(job.id)
    assert claimed is not None
    return WorkDesk(store.work, claimed)


async def _answer_all(store: Store) -> int:
    lease = await store.work.lease(ME, WorkWish(limit=8))
    answers = {item.id: {"number": item.question.evidence} for item in lease.items}
    await store.work.accept(lease.lease_id, ME, {key: dict(value) for key, value in answers.items()})
    return len(answers)


async def test_a_hundred_wait_at_once_and_each_gets_its_own_answer(store: Store) -> None:
    desk, found = await _desk(store), dict[int, WorkAnswer]()

    async def ask(number: int) -> None:
        found[number] = await desk.answer(question(number), apart=False)

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            for number in range(100):
                group.start_soon(ask, number)
            while len(found) < 100:
                await _answer_all(store)
                await anyio.lowlevel.checkpoint()
    assert {number: answer.answer for number, answer in found.items()} == {n: {"number": str(n)} for n in range(100)}
    assert desk.message == ""


async def test_an_answer_from_another_process_is_seen(store: Store, tmp_path: Path) -> None:
    desk = await _desk(store)
    async with Store.open(tmp_path / "plugineval.db") as elsewhere, anyio.create_task_group() as group:
        group.start_soon(_until_one, elsewhere)
        answer = await desk.answer(question(1), apart=False)
        assert answer.by == ME


async def _until_one(store: Store) -> None:
    while not await _answer_all(store):
        await anyio.sleep(0.05)


async def test_who_looks_for_all_may_be_cancelled_and_another_one_goes_on(store: Store) -> None:
    desk, told = await _desk(store), list[str]()

    async def ask(number: int) -> None:
        await desk.answer(question(number), apart=False)
        told.append(str(number))

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group, anyio.create_task_group() as first:
            first.start_soon(ask, 0)
            while not desk.message:
                await anyio.sleep(0.01)
            group.start_soon(ask, 1)
            while "2 vote_level" not in desk.message:
                await anyio.sleep(0.01)
            first.cancel_scope.cancel()
            group.start_soon(_until_one, store)
    assert told == ["1"]


async def test_what_was_answered_earlier_is_not_waited_for(store: Store) -> None:
    desk = await _desk(store)
    async with anyio.create_task_group() as group:
        group.start_soon(_until_one, store)
        await desk.answer(question(1), apart=False)
    with anyio.fail_after(5):
        assert (await desk.answer(question(1), apart=False)).answer == {"number": "1"}


def test_what_a_job_waits_for_is_told_by_kind_and_read_back() -> None:
    counts = [WorkCount(kind=WorkKind.VOTE_LEVEL, open=2), WorkCount(kind=WorkKind.JUDGE_GOLD, open=1, leased=3)]
    assert kinds_told(waiting_told(counts)) == {"vote_level", "judge_gold"}
    assert kinds_told(waiting_told([WorkCount(kind=WorkKind.JUDGE_GOLD, leased=3)])) == set()


async def test_a_look_that_is_cancelled_has_seen_nothing(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, looker, found = await _desk(store), anyio.CancelScope(), list[WorkAnswer]()
    read, cut_short = store.work.answers, list[int]()

    async def never_read(ids: Sequence[str]) -> dict[str, WorkAnswer]:
        monkeypatch.setattr(store.work, "answers", read)
        cut_short.append(len(ids))
        looker.cancel()
        await anyio.sleep_forever()
        return {}

    async def look_in_vain() -> None:
        with looker:
            await desk.answer(question(1), apart=False)

    async def ask() -> None:
        found.append(await desk.answer(question(1), apart=False))

    with anyio.fail_after(20):
        async with anyio.create_task_group() as group, Store.open(tmp_path / "plugineval.db") as elsewhere:
            group.start_soon(look_in_vain)
            await wait_all_tasks_blocked()
            group.start_soon(ask)
            while not desk.message:
                await anyio.sleep(0.01)
            await anyio.sleep(0.1)
            monkeypatch.setattr(store.work, "answers", never_read)
            assert await _answer_all(elsewhere) == 1
    assert cut_short == [1]
    assert found[0].answer == {"number": "1"}


async def test_questions_that_a_resumed_job_asks_in_other_words_are_withdrawn(store: Store) -> None:
    before = await _desk(store)
    with anyio.move_on_after(1):
        async with anyio.create_task_group() as group:
            for number in range(3):
                group.start_soon(_asked_in_vain, before, question(number))
    job = (await store.jobs.page()).items[0]
    after, same = WorkDesk(store.work, job), question(2)
    other_words, ids = same.model_copy(update={"instructions": "in other words"}), set[str]()
    with anyio.fail_after(20):
        async with anyio.create_task_group() as group:
            for asked in (same, other_words):
                group.start_soon(_asked_in_vain, after, asked)
            while after.message != "waiting for work: 2 vote_level; call work_next":
                await anyio.sleep(0.05)
            ids = {item.id for item in (await store.work.lease(ME, WorkWish(limit=8))).items}
            group.cancel_scope.cancel()
    assert ids == {same.id_in(job.id), other_words.id_in(job.id)}


async def _asked_in_vain(desk: WorkDesk, asked: WorkQuestion) -> None:
    await desk.answer(asked, apart=False)
