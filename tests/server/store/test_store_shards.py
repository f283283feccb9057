"""Shards of a run: one holder at a time, and nothing is written under an older hold than the newest."""

import time
from collections.abc import Awaitable, Callable
from datetime import timedelta

import pytest
from sqlalchemy import make_url, text
from sqlalchemy.exc import DBAPIError

from doubles.postgres import Postgres
from doubles.store import a_case, a_row, a_run, an_attempt
from plugineval.pccf.ledger import CallKey
from plugineval.server.store import JobState, Store
from plugineval.server.store.postgres import open_engines, passes
from plugineval.server.store.shard_notes import ShardEnd, ShardLease, ShardPlan
from plugineval.server.store.shards import LostShardError
from plugineval.server.store.shared_journal import SharedJournal, Sharing
from plugineval.server.store.states import ShardState

pytestmark = pytest.mark.anyio

LONG, NONE = timedelta(hours=1), timedelta(seconds=-1)
PLANS = [ShardPlan(number, "m", number * 2, number * 2 + 2, 2) for number in range(3)]
END = ShardEnd(prompt_hash="p", made=2, replayed=0, worker="here")


@pytest.fixture
async def job_id(store: Store) -> str:
    """A job of workers with three shards."""
    job = await store.jobs.create("evaluate", {"run_id": "run-a"}, engine="workers")
    await store.shards.plan(job.id, PLANS)
    return job.id


async def _held(store: Store, job_id: str, number: int = 0, stale_after: timedelta = LONG) -> ShardLease:
    lease = await store.shards.claim(job_id, number, stale_after=stale_after)
    assert lease is not None
    return lease


async def test_a_shard_has_one_holder_until_it_is_given_back(store: Store, job_id: str) -> None:
    lease = await _held(store, job_id)
    assert await store.shards.claim(job_id, 0, stale_after=LONG) is None
    await store.shards.release(lease, 1)
    again = await _held(store, job_id)
    assert (again.epoch, again.plan) == (lease.epoch + 1, lease.plan)


async def test_who_lost_a_shard_writes_nothing_any_more(store: Store, job_id: str) -> None:
    await store.runs.create(a_run("run-a"), cases=[a_case(0)])
    lost = await _held(store, job_id)
    await store.shards.release(lost, 0)
    holder = await _held(store, job_id)
    with pytest.raises(LostShardError):
        await store.held_log("run-a", lost).append(an_attempt(0), a_row(0))
    with pytest.raises(LostShardError):
        await store.shards.beat(lost, 1)
    with pytest.raises(LostShardError):
        await store.shards.finish(lost, END, unanswered=0)
    await store.shards.release(lost, 0)
    assert list(await store.attempts.stream("run-a")) == []
    await store.held_log("run-a", holder).append(an_attempt(0), a_row(0))
    await store.shards.finish(holder, END, unanswered=0)
    assert len(list(await store.attempts.stream("run-a"))) == 1


@pytest.mark.parametrize("stop", ["cancel", "hold"])
async def test_a_stopped_job_has_no_shards_to_take_and_holders_hear_of_it(store: Store, job_id: str, stop: str) -> None:
    lease = await _held(store, job_id)
    job = await (store.jobs.request_cancel(job_id) if stop == "cancel" else store.jobs.hold(job_id))
    assert job.state is (JobState.CANCELLED if stop == "cancel" else JobState.INTERRUPTED)
    assert await store.shards.waiting(stale_after=LONG) == ()
    assert await store.shards.claim(job_id, 1, stale_after=LONG) is None
    with pytest.raises(LostShardError):
        await store.shards.beat(lease, 1)


async def test_the_tally_counts_all_shards_and_a_new_plan_opens_what_was_not_answered(
    store: Store, job_id: str
) -> None:
    for number, unanswered in ((0, 0), (1, 1)):
        await store.shards.finish(await _held(store, job_id, number), END, unanswered=unanswered)
    await store.shards.fail(await _held(store, job_id, 2), "no such tool")
    tally = await store.shards.tally(job_id)
    assert (tally.done, tally.total, tally.left, tally.failures) == (4, 6, 1, ("no such tool",))
    await store.shards.plan(job_id, PLANS)
    tally = await store.shards.tally(job_id)
    assert tally.states == {ShardState.DONE: 1, ShardState.QUEUED: 2}
    assert [shard.number for shard in await store.shards.waiting(stale_after=LONG)] == [1, 2]


async def test_a_silent_holder_is_waited_for_no_longer_than_it_may_be(store: Store, job_id: str) -> None:
    await _held(store, job_id)
    assert [shard.number for shard in await store.shards.waiting(stale_after=LONG)] == [1, 2]
    assert [shard.number for shard in await store.shards.waiting(stale_after=NONE)] == [0, 1, 2]


def test_a_process_that_is_stopped_in_mid_transaction_loses_its_locks(postgres: Postgres) -> None:
    engines = open_engines(make_url(postgres.create()), 0.1)
    with engines[1].connect() as connection:
        connection.execute(text("SELECT 1"))
        time.sleep(0.5)
        with pytest.raises(DBAPIError) as raised:
            connection.execute(text("SELECT 1"))
    assert passes(raised.value)
    for engine in engines:
        engine.dispose()


async def test_processes_pay_once_for_what_both_ask(store: Store, job_id: str) -> None:
    key = CallKey(stage="judge", model="m", case="c")
    asked: list[str] = []

    def answering(text: str) -> Callable[[], Awaitable[str]]:
        async def make() -> str:
            asked.append(text)
            return f'"{text}"'

        return make

    leases = [await _held(store, job_id, number) for number in (0, 1)]
    one, other = (SharedJournal(store, Sharing(lease, LONG)) for lease in leases)
    assert await one.text(key, answering("first")) == '"first"'
    assert await other.text(key, answering("second")) == '"first"'
    # Who is sure that nobody has asked pays, and is given the answer that was there.
    sure = SharedJournal(store, Sharing(leases[1], LONG, own=frozenset({"judge"})))
    assert await sure.text(key, answering("third")) == '"first"'
    assert asked == ["first", "third"]
    assert (one.made["judge"], other.replayed["judge"]) == (1, 1)
