"""A load that shares its endpoint: what it is granted it keeps to, and most calls ask nobody."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import pytest

from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.load import Load
from plugineval.clients.models.membership import FRESH_S, Membership
from plugineval.clients.models.pace import Granted, PaceLimits, Told
from plugineval.clients.models.rates import Rate

pytestmark = pytest.mark.anyio


class Others:
    """A shared pace whose answer is `granted`, with turns that follow one another."""

    def __init__(self, clock: "Clock", *, places: int | None = None, pause_s: float = 0.0) -> None:
        self.granted = Granted(places=places, members=1, pause_s=pause_s)
        self.told: list[Told] = []
        self.left = 0
        self._clock = clock
        self._rate: Rate | None = None

    async def meet(self, endpoint: str, member: str, limits: PaceLimits, told: Told) -> Granted:
        self.told.append(told)
        await anyio.lowlevel.checkpoint()
        if limits.requests_per_minute is None or not told.requests:
            return self.granted
        self._rate = self._rate or Rate(limits.requests_per_minute, clock=self._clock.now)
        return self.granted._replace(requests_wait_s=self._rate.reserve(told.requests))

    async def leave(self, endpoint: str, member: str) -> None:
        self.left += 1


class Clock:
    """Time that passes only where somebody sleeps it away."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.stands = False

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        if self.stands and seconds:
            await anyio.sleep_forever()
        self.time += seconds
        await anyio.lowlevel.checkpoint()


@asynccontextmanager
async def shared(others: Others, clock: Clock, **values: object) -> AsyncGenerator[Load]:
    """A load that keeps its membership meanwhile."""
    load = Load(ModelConfig.model_validate({"id": "m", "model": "m", **values}), sleep=clock.sleep, clock=clock.now)
    load.places_shared = "concurrency" in values
    member = Membership(others, "http://h", load, sleep=clock.sleep, clock=clock.now)
    load.join(member)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(member.keep)
        yield load
        tasks.cancel_scope.cancel()


async def call(load: Load) -> None:
    load.end(await load.begin(10, patience_s=60))


async def test_no_call_begins_before_there_is_a_place() -> None:
    clock = Clock()
    others = Others(clock, places=2)
    async with shared(others, clock, concurrency=9) as load:
        assert load.standing.places == 0
        turns = [await load.begin(0, patience_s=60) for _ in range(2)]
        with anyio.move_on_after(0.01) as waited:
            await load.begin(0, patience_s=60)
        assert waited.cancelled_caught
        for turn in turns:
            load.end(turn)
        await call(load)
    assert others.told[0].places == 0
    assert others.left == 1


async def test_a_hundred_calls_of_an_endpoint_without_rates_ask_the_others_once() -> None:
    clock = Clock()
    others = Others(clock)
    async with shared(others, clock) as load:
        await anyio.wait_all_tasks_blocked()
        for _ in range(100):
            await call(load)
        assert len(others.told) == 1


async def test_turns_are_asked_for_by_the_slice_and_each_is_used_in_its_moment() -> None:
    clock = Clock()
    others = Others(clock)
    async with shared(others, clock, requests_per_minute=2400) as load:
        began = clock.time
        for _ in range(400):
            await call(load)
        # 40 turns a second, ten of them at a time; a second's worth is there at the beginning.
        assert clock.time - began == pytest.approx(9, abs=0.3)
        assert sum(told.requests > 0 for told in others.told) == pytest.approx(40, abs=2)


async def test_who_was_not_met_for_long_meets_before_the_next_call() -> None:
    clock = Clock()
    others = Others(clock)
    async with shared(others, clock) as load:
        await call(load)
        met = len(others.told)
        clock.time += FRESH_S
        await call(load)
        await call(load)
    assert len(others.told) == met + 1


async def test_a_refusal_is_told_at_once_and_so_is_the_answer_that_ends_the_pause() -> None:
    clock = Clock()
    others = Others(clock)
    async with shared(others, clock) as load:
        turn = await load.begin(0, patience_s=60)
        load.refused(30)
        load.end(turn)
        others.granted = others.granted._replace(pause_s=30)
        await anyio.wait_all_tasks_blocked()
        assert others.told[-1].pause_s == 30
        scout = await load.begin(0, patience_s=60)
        load.answered(scout, None)
        load.end(scout)
        others.granted = others.granted._replace(pause_s=0)
        await anyio.wait_all_tasks_blocked()
        assert others.told[-1].pause_over
        assert (load.state, load.counts.pauses) == ("", 1)


async def test_a_pause_of_another_process_is_kept_without_scouts() -> None:
    clock = Clock()
    others = Others(clock, pause_s=20)
    async with shared(others, clock) as load:
        await anyio.wait_all_tasks_blocked()
        assert load.state == "the endpoint asks to wait another 20 s"
        others.granted = others.granted._replace(pause_s=0)
        await call(load)
        assert clock.time == 1020


async def test_a_call_that_is_given_up_leaves_its_place_and_its_turn() -> None:
    clock = Clock()
    others = Others(clock, places=1)
    async with shared(others, clock, concurrency=1, requests_per_minute=60) as load:
        await call(load)
        await call(load)
        clock.stands = True
        with anyio.move_on_after(0.01) as waited:
            await call(load)
        assert waited.cancelled_caught
        assert load.standing.in_flight == 0
