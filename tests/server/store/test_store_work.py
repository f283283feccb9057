"""Work for agents in the store: one holder at a time, sides kept apart, first answers kept, gone with its job."""

import re
from datetime import UTC, datetime, timedelta

import anyio
import pytest
from sqlalchemy import text

from doubles.store import engine_of
from plugineval.clients.agent.answers import Worker
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.server.store import JobChange, JobState, Store
from plugineval.server.store.work_notes import Steps, WorkQueueState, WorkWish

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("X2")]

ONE, OTHER = Worker(client="one", version="1"), Worker(client="other", version="1")


def question(kind: WorkKind = WorkKind.PROPOSE_INVOCATION, number: int = 0, subject: str = "s") -> WorkQuestion:
    return WorkQuestion(
        kind=kind,
        model="agent",
        instructions="Answer.",
        evidence=f"number {number}",
        answer_schema={"type": "object"},
        subject=subject,
    )


@pytest.fixture
async def job(store: Store) -> str:
    made = await store.jobs.create("work", {})
    await store.jobs.claim(made.id)
    return made.id


async def test_two_who_ask_at_once_never_get_the_same_item(store: Store, job: str, where: str) -> None:
    for number in range(40):
        await store.work.offer(job, question(number=number), apart=False)
    taken: list[str] = []

    async def take(shelf: Store, worker: Worker) -> None:
        while items := (await shelf.work.lease(worker, WorkWish(limit=3))).items:
            taken.extend(item.id for item in items)

    async with Store.open(where) as second, anyio.create_task_group() as group:
        for shelf, worker in ((store, ONE), (second, OTHER), (store, Worker(client="third"))):
            group.start_soon(take, shelf, worker)
    assert len(taken) == len(set(taken)) == 40


async def test_an_expired_lease_goes_back_to_the_queue_and_its_late_answer_is_refused(
    store: Store, job: str, where: str
) -> None:
    await store.work.offer(job, question(), apart=False)
    first = await store.work.lease(ONE, WorkWish())
    assert not (await store.work.lease(OTHER, WorkWish())).items
    _expire(where)
    (again,) = (await store.work.lease(OTHER, WorkWish())).items
    assert (again.id, again.attempt) == (first.items[0].id, 2)
    (late,) = await store.work.accept(first.lease_id, ONE, {again.id: {}})
    assert (late.status, late.stored) == ("refused", None)


async def test_a_late_answer_counts_while_nobody_else_has_taken_the_item(store: Store, job: str, where: str) -> None:
    await store.work.offer(job, question(), apart=False)
    lease = await store.work.lease(ONE, WorkWish())
    _expire(where)
    (taken,) = await store.work.accept(lease.lease_id, ONE, {lease.items[0].id: {"a": 1}})
    assert taken.status == "accepted"
    known = await store.work.offer(job, question(), apart=False)
    assert known is not None
    assert (known.answer, known.by) == ({"a": 1}, ONE)


@pytest.mark.requirement("P17")
@pytest.mark.parametrize("first", [WorkKind.PROPOSE_INVOCATION, WorkKind.JUDGE_ARGUMENTS])
async def test_kept_apart_items_never_meet_the_identity_of_the_other_side(
    store: Store, job: str, first: WorkKind
) -> None:
    second = {WorkKind.PROPOSE_INVOCATION, WorkKind.JUDGE_ARGUMENTS} - {first}
    await store.work.offer(job, question(first), apart=True)
    assert (await store.work.lease(ONE, WorkWish())).items
    await store.work.offer(job, question(second.pop()), apart=True)
    assert not (await store.work.lease(ONE, WorkWish())).items
    assert (await store.work.queue(ONE.identity, job)).kept_from_you == 1
    assert (await store.work.lease(OTHER, WorkWish())).items


async def test_one_lease_holds_one_side_of_a_subject(store: Store, job: str) -> None:
    for kind in (WorkKind.PROPOSE_INVOCATION, WorkKind.JUDGE_ARGUMENTS):
        await store.work.offer(job, question(kind), apart=False)
    held = (await store.work.lease(ONE, WorkWish())).items
    assert [item.question.kind for item in held] == [WorkKind.PROPOSE_INVOCATION]


async def test_gold_is_shown_when_nobody_answers_any_more_and_then_never_asked_of_who_saw_it(
    store: Store, job: str
) -> None:
    await store.work.offer(job, question(WorkKind.ANSWER_AS_MODEL), apart=False)
    await store.work.offer(job, question(WorkKind.JUDGE_GOLD), apart=False)
    judging = WorkWish(kinds=(WorkKind.JUDGE_GOLD,))
    assert not (await store.work.lease(ONE, judging)).items
    answering = await store.work.lease(ONE, WorkWish())
    await store.work.accept(answering.lease_id, ONE, {answering.items[0].id: {}})
    assert (await store.work.lease(ONE, judging)).items
    await store.work.offer(job, question(WorkKind.ANSWER_AS_MODEL, number=1), apart=False)
    assert not (await store.work.lease(ONE, WorkWish())).items
    assert (await store.work.lease(OTHER, WorkWish())).items


@pytest.mark.parametrize("state", [JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED])
async def test_a_job_that_is_over_takes_its_items_along(store: Store, job: str, state: JobState) -> None:
    await store.work.offer(job, question(), apart=False)
    lease = await store.work.lease(ONE, WorkWish())
    await store.work.offer(job, question(number=1), apart=False)
    await store.jobs.update(job, JobChange(state=state))
    assert not (await store.work.lease(OTHER, WorkWish())).items
    (taken,) = await store.work.accept(lease.lease_id, ONE, {lease.items[0].id: {}})
    assert taken.status == "refused"
    assert "job is over" in taken.reason


async def test_a_job_that_goes_on_asks_again_what_was_withdrawn(store: Store, job: str) -> None:
    await store.work.offer(job, question(), apart=False)
    await store.jobs.update(job, JobChange(state=JobState.FAILED))
    await store.jobs.reopen(job)
    await store.jobs.claim(job)
    assert await store.work.offer(job, question(), apart=False) is None
    assert (await store.work.lease(ONE, WorkWish())).items


async def test_items_of_a_job_that_nobody_runs_wait_and_say_which_job(store: Store, job: str) -> None:
    await store.work.offer(job, question(), apart=False)
    await store.jobs.update(job, JobChange(state=JobState.INTERRUPTED))
    assert not (await store.work.lease(ONE, WorkWish())).items
    assert job in (await store.work.queue(ONE.identity, None)).why_nothing()


async def test_who_gets_nothing_is_told_whether_to_answer_to_wait_or_to_go_on(store: Store, job: str) -> None:
    await store.work.offer(job, question(), apart=False)
    lease = await store.work.lease(ONE, WorkWish())
    assert "you hold 1 items" in (await store.work.queue(ONE.identity, None)).why_nothing()
    assert "other agents hold the 1 items" in (await store.work.queue(OTHER.identity, None)).why_nothing()
    await store.work.accept(lease.lease_id, ONE, {lease.items[0].id: {}})
    assert f"job {job} goes on" in (await store.work.queue(ONE.identity, None)).why_nothing()
    await store.jobs.update(job, JobChange(state=JobState.COMPLETED))
    assert "nothing waits; " in (await store.work.queue(ONE.identity, None)).why_nothing()


async def test_what_a_job_held_that_nobody_runs_any_more_keeps_nobody_waiting(store: Store, job: str) -> None:
    await store.work.offer(job, question(), apart=False)
    await store.work.lease(ONE, WorkWish())
    await store.jobs.update(job, JobChange(state=JobState.INTERRUPTED))
    assert f"job_resume with job_id {job}" in (await store.work.queue(OTHER.identity, None)).why_nothing()


async def test_the_same_question_of_another_job_is_another_item(store: Store, job: str) -> None:
    other = await store.jobs.create("work", {})
    assert question().id_in(job) != question().id_in(other.id)
    assert question().id_in(job) == question().id_in(job)


def _expire(where: str) -> None:
    """As if every lease had been given long ago."""
    past = (datetime.now(UTC) - timedelta(days=3)).strftime("%Y-%m-%d %H:%M:%S.%f")
    engine = engine_of(where)
    with engine.begin() as connection:
        connection.execute(text("UPDATE workitems SET lease_expires_at = :past"), {"past": past})
    engine.dispose()


async def test_what_is_not_asked_any_more_is_handed_out_no_more_and_an_answer_on_its_way_is_kept(
    store: Store, job: str
) -> None:
    for number in range(3):
        await store.work.offer(job, question(number=number), apart=False)
    held = await store.work.lease(ONE, WorkWish(limit=1))
    kept = question(number=2)
    await store.work.retire(job, before=datetime.now(UTC), but={kept.id_in(job)})
    (left,) = (await store.work.lease(OTHER, WorkWish(limit=8))).items
    assert left.id == kept.id_in(job)
    assert [(count.open, count.leased) for count in await store.work.counts(job)] == [(0, 1)]
    (taken,) = await store.work.accept(held.lease_id, ONE, {held.items[0].id: {"late": True}})
    assert taken.status == "accepted"
    answered = await store.work.offer(job, held.items[0].question, apart=False)
    assert answered is not None
    assert await store.work.offer(job, question(number=1), apart=False) is None
    assert (await store.work.lease(OTHER, WorkWish())).items


def test_at_a_command_line_no_step_is_a_tool_of_the_server() -> None:
    steps = Steps(ask="run next", hand_in="run submit", look="look at runs", resume="run resume {}".format)
    states = [
        WorkQueueState(kept_from_you=1),
        WorkQueueState(waiting={"answer_as_model": 1}),
        WorkQueueState(yours=1),
        WorkQueueState(held=1),
        WorkQueueState(busy=("job-1",)),
        WorkQueueState(interrupted=("job-1",)),
        WorkQueueState(),
    ]
    told = [state.why_nothing(steps) for state in states]
    assert [each for each in told if re.search("work_|job_", each)] == []
    assert told[-2].startswith("run resume job-1, which waits")
