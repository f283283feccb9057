"""Of the shards that want one answer at one moment, one asks; the others wait for it, and for nobody who is gone."""

from datetime import timedelta

import anyio
import pytest
from sqlalchemy import text

from doubles.postgres import Postgres
from doubles.store import engine_of
from plugineval.pccf.ledger import CallKey
from plugineval.server.store import Store
from plugineval.server.store.shard_notes import ShardLease, ShardPlan
from plugineval.server.store.shards import LostShardError
from plugineval.server.store.shared_journal import SharedJournal, Sharing

pytestmark = pytest.mark.anyio

LONG, NONE = timedelta(hours=1), timedelta(seconds=-1)
KEY = CallKey(stage="judge", model="j", case="")


class Asking:
    """A call that is answered when `answer` is set; the first `failing` ones fail."""

    def __init__(self, *, failing: int = 0) -> None:
        self.calls = 0
        self.begun, self.answer = anyio.Event(), anyio.Event()
        self._failing = failing

    async def __call__(self) -> str:
        """The answer, with its number."""
        self.calls += 1
        number = self.calls
        self.begun.set()
        await self.answer.wait()
        if number <= self._failing:
            raise ValueError
        return f'"{number}"'


@pytest.fixture
async def leases(store: Store) -> list[ShardLease]:
    """Two shards of one job, each held."""
    job = await store.jobs.create("evaluate", {"run_id": "run-a"}, engine="workers")
    await store.shards.plan(job.id, [ShardPlan(number, "m", number, number + 1, 1) for number in range(2)])
    found = [await store.shards.claim(job.id, number, stale_after=LONG) for number in range(2)]
    return [lease for lease in found if lease is not None]


async def _both(one: SharedJournal, other: SharedJournal, make: Asking) -> list[str]:
    said: list[str] = []

    async def ask(journal: SharedJournal) -> None:
        try:
            said.append(await journal.text(KEY, make))
        except ValueError:
            said.append("failed")

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask, one)
            await make.begun.wait()
            tasks.start_soon(ask, other)
            # Long enough for who does not wait to ask.
            await anyio.wait_all_tasks_blocked()
            make.answer.set()
    return said


async def test_a_call_that_another_shard_makes_is_waited_for(store: Store, leases: list[ShardLease]) -> None:
    journals, make = [SharedJournal(store, Sharing(lease, LONG)) for lease in leases], Asking()
    assert await _both(journals[0], journals[1], make) == ['"1"', '"1"']
    assert make.calls == 1
    assert [(each.made["judge"], each.replayed["judge"]) for each in journals] == [(1, 0), (0, 1)]


async def test_where_a_call_fails_the_next_shard_makes_its_own(store: Store, leases: list[ShardLease]) -> None:
    one, other = (SharedJournal(store, Sharing(lease, LONG)) for lease in leases)
    make = Asking(failing=1)
    assert await _both(one, other, make) == ["failed", '"2"']
    assert make.calls == 2


async def test_the_claim_of_a_shard_that_was_given_back_is_free(store: Store, leases: list[ShardLease]) -> None:
    assert await store.claims.take(leases[0], "k", stale_after=LONG)
    assert not await store.claims.take(leases[1], "k", stale_after=LONG)
    await store.shards.release(leases[0], 0)
    assert await store.claims.take(leases[1], "k", stale_after=LONG)
    # What is not its own any more, the other one cannot give back.
    await store.claims.release(leases[0], "k")
    assert await store.claims.count(leases[1].job_id) == 1


async def test_the_claim_of_a_silent_shard_is_free(store: Store, leases: list[ShardLease]) -> None:
    assert await store.claims.take(leases[0], "k", stale_after=LONG)
    assert not await store.claims.take(leases[1], "k", stale_after=LONG)
    assert await store.claims.take(leases[1], "k", stale_after=NONE)
    await store.claims.clear(leases[0].job_id)
    assert await store.claims.count(leases[0].job_id) == 0


async def test_who_lost_its_shard_pays_for_nothing_that_others_want(store: Store, leases: list[ShardLease]) -> None:
    await store.shards.release(leases[0], 0)
    make = Asking()
    with pytest.raises(LostShardError):
        await SharedJournal(store, Sharing(leases[0], LONG)).text(KEY, make)
    assert make.calls == 0


async def test_two_processes_that_want_the_same_many_calls_never_wait_for_each_other_in_turn(
    postgres: Postgres,
) -> None:
    url, keys, taken = postgres.create(), [f"k{number:03}" for number in range(200)], list[str]()
    async with Store.open(url) as one, Store.open(url) as other:
        job = await one.jobs.create("evaluate", {"run_id": "run-a"}, engine="workers")
        await one.shards.plan(job.id, [ShardPlan(number, "m", number, number + 1, 1) for number in range(2)])
        leases = [await one.shards.claim(job.id, number, stale_after=LONG) for number in range(2)]

        async def take(store: Store, lease: ShardLease, key: str) -> None:
            if await store.claims.take(lease, key, stale_after=LONG):
                taken.append(key)

        with anyio.fail_after(30):
            async with anyio.create_task_group() as tasks:
                for key, reverse in zip(keys, reversed(keys), strict=True):
                    for store, lease, wanted in ((one, leases[0], key), (other, leases[1], reverse)):
                        assert lease is not None
                        tasks.start_soon(take, store, lease, wanted)
    assert sorted(taken) == keys
    engine = engine_of(url)
    with engine.connect() as connection:
        query = "select deadlocks from pg_stat_database where datname = current_database()"
        assert connection.execute(text(query)).scalar_one() == 0
    engine.dispose()
