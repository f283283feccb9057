"""Reviews wait for independent people: an identity gets one seat of a subject, whatever it asks for and when."""

import pytest
from sqlalchemy import text

from doubles.store import engine_of
from plugineval.clients.agent.answers import Worker
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.server.store import Store
from plugineval.server.store.work_notes import WorkWish

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P60", "X2")]

ADA, BOB = Worker(client="c", model="ada"), Worker(client="c", model="bob")


def seat(number: int, subject: str = "case") -> WorkQuestion:
    return WorkQuestion(
        kind=WorkKind.REVIEW,
        model="agent",
        instructions="Review.",
        evidence=subject,
        answer_schema={"type": "object"},
        subject=subject,
        seat=number,
    )


@pytest.fixture
async def job(store: Store) -> str:
    made = await store.jobs.create("audit_reference", {})
    await store.jobs.claim(made.id)
    for subject in ("case", "other"):
        for number in (1, 2, 3):
            await store.work.offer(made.id, seat(number, subject), apart=False)
    return made.id


async def test_one_lease_holds_one_seat_of_each_subject(store: Store, job: str) -> None:
    lease = await store.work.lease(ADA, WorkWish(limit=8))
    assert sorted(item.question.subject for item in lease.items) == ["case", "other"]


async def test_whoever_has_a_seat_gets_no_other_of_the_same_subject_before_and_after_answering(
    store: Store, job: str
) -> None:
    lease = await store.work.lease(ADA, WorkWish(limit=8))
    assert not (await store.work.lease(ADA, WorkWish(limit=8))).items
    await store.work.accept(lease.lease_id, ADA, {item.id: {} for item in lease.items})
    assert not (await store.work.lease(ADA, WorkWish(limit=8))).items
    state = await store.work.queue(ADA.identity, job)
    assert state.kept_from_you == 4
    assert "has reviewed them" in state.why_nothing()
    assert len((await store.work.lease(BOB, WorkWish(limit=8))).items) == 2


async def test_a_seat_that_lapsed_may_be_taken_again_and_a_second_one_only_once_the_first_is_anothers(
    store: Store, job: str, where: str
) -> None:
    first = await store.work.lease(ADA, WorkWish(limit=8))
    _expire(where)
    again = await store.work.lease(ADA, WorkWish(limit=8))
    assert {item.id for item in again.items} == {item.id for item in first.items}
    _expire(where)
    taken = await store.work.lease(BOB, WorkWish(limit=8))
    assert {item.id for item in taken.items} == {item.id for item in first.items}
    assert len((await store.work.lease(ADA, WorkWish(limit=8))).items) == 2


def _expire(where: str) -> None:
    engine = engine_of(where)
    with engine.begin() as connection:
        connection.execute(text("update workitems set lease_expires_at = '2020-01-01 00:00:00' where state = 'leased'"))
    engine.dispose()
