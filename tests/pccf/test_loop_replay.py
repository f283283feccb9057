"""A construction is replayed from the top: no call twice, the same benchmark, whatever ends first."""

from collections import Counter

import anyio
import anyio.lowlevel
import pytest

from doubles.construction import (
    DOWN,
    ScriptedRouter,
    ScriptedVerifier,
    World,
    calling,
    scenario,
    world,
)
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.events import ConstructionEvent, RecordVerified
from plugineval.pccf.construction.results import ConstructionResult, StopReason
from plugineval.pccf.errors import StoreError
from plugineval.pccf.examples import Query
from plugineval.pccf.loop import construct
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.verification import VerificationRequest

pytestmark = pytest.mark.anyio

ALL = tuple(scenario(kind, "weather", lookalike="clock") for kind in ScenarioKind)
SIZE = 12


def fresh() -> World:
    made = world(BuildConfig(size=SIZE, negative_share=0.5, calibration_runs=3), ALL)
    made.router = ScriptedRouter(script=lambda query, seed: calling("weather") if seed == 2 else calling())
    return made


async def built(made: World) -> ConstructionResult:
    return await construct(made.plan, made.roles, made.hear)


async def test_a_second_construction_makes_no_call_and_gives_the_same_benchmark() -> None:
    first = fresh()
    once = await built(first)
    second = fresh()
    second.ledger = first.ledger
    made_before = len(first.ledger.made)
    twice = await built(second)
    assert (second.writer.derived, second.writer.tasks) == ([], [])
    assert (second.annotator.asked, second.router.asked) == ([], [])
    assert len(first.ledger.made) == made_before
    assert twice.benchmark.content_hash == once.benchmark.content_hash
    assert (twice.benchmark.id, twice.counts, twice.rounds) == (once.benchmark.id, once.counts, once.rounds)


async def test_every_role_call_goes_through_the_ledger() -> None:
    made = fresh()
    await built(made)
    assert Counter(made.ledger.made) == {
        "scenarios": 2,
        "write": len(made.writer.tasks),
        "vote": len(made.annotator.asked),
        "depth": len(made.depth.asked),
        "calibrate": len(made.router.asked),
        "strengthen": len(made.writer.strengthening),
    }


async def test_the_order_in_which_candidates_end_changes_nothing() -> None:
    calm = await built(fresh())
    gates = {"last": anyio.Event()}
    waiting: list[str] = []

    async def first_ends_last(request: VerificationRequest) -> None:
        waiting.append(request.record_id)
        if len(waiting) == 1:
            await gates["last"].wait()
        if len(waiting) == 6:
            gates["last"].set()

    hurried = fresh()
    hurried.verifier = ScriptedVerifier(pause=first_ends_last)
    result = await built(hurried)
    ended = [e.record.id for e in hurried.events if isinstance(e, RecordVerified) and e.record.id in waiting]
    assert ended[0] != waiting[0]
    assert result.benchmark.content_hash == calm.benchmark.content_hash
    assert result.rounds == calm.rounds


async def test_an_outage_in_the_middle_is_resumed_without_repeating_answered_calls() -> None:
    whole = await built(fresh())
    broken = fresh()

    def down_once(query: Query, seed: int) -> RouterReply:
        return RouterReply(failure=DOWN)

    broken.router = ScriptedRouter(script=down_once)
    interrupted = await built(broken)
    assert interrupted.counts.undecided > 0
    resumed = fresh()
    resumed.ledger = broken.ledger
    result = await built(resumed)
    assert resumed.writer.derived == []
    assert [task.attempt for task in resumed.writer.tasks if task.attempt == 0] == []
    assert result.benchmark.content_hash == whole.benchmark.content_hash


async def test_cancelling_stops_at_once_and_what_was_answered_is_kept() -> None:
    made = fresh()
    started = anyio.Event()

    async def stuck(request: VerificationRequest) -> None:
        started.set()
        await anyio.sleep_forever()

    made.verifier = ScriptedVerifier(pause=stuck)
    async with anyio.create_task_group() as group:
        group.start_soon(built, made)
        with anyio.fail_after(5):
            await started.wait()
        group.cancel_scope.cancel()
    resumed = fresh()
    resumed.ledger = made.ledger
    result = await built(resumed)
    assert resumed.writer.derived == []
    assert all(task.attempt > 0 for task in resumed.writer.tasks)
    assert result.benchmark.content_hash == (await built(fresh())).benchmark.content_hash


async def test_a_store_that_cannot_be_written_ends_the_construction_as_itself() -> None:
    async def full(event: ConstructionEvent) -> None:
        if isinstance(event, RecordVerified):
            raise StoreError("the disk is full")

    made = fresh()
    with pytest.raises(StoreError, match="the disk is full"):
        await construct(made.plan, made.roles, full)


async def test_events_are_told_one_at_a_time() -> None:
    inside: list[int] = []
    most = 0

    async def slow(event: ConstructionEvent) -> None:
        nonlocal most
        inside.append(1)
        most = max(most, len(inside))
        await anyio.lowlevel.checkpoint()
        inside.pop()

    made = fresh()
    result = await construct(made.plan, made.roles, slow)
    assert (most, result.stop_reason is not StopReason.BUDGETS_MET) == (1, True)


async def test_ids_are_the_same_in_every_construction_and_differ_between_queries() -> None:
    once, twice = await built(fresh()), await built(fresh())
    ids = [e.id for e in once.benchmark.examples]
    assert ids == [e.id for e in twice.benchmark.examples]
    assert len(set(ids)) == len(ids)
