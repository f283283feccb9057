"""What models of one endpoint share: places, rates a minute, and a pause that one refusal begins for all of them."""

from collections.abc import Awaitable, Callable

import anyio
import pytest

from plugineval.clients.models.config import ModelConfig
from plugineval.clients.models.failures import TryFailed
from plugineval.clients.models.load import RECOVERY, SCOUTS, WINDOW, Load
from plugineval.clients.models.rates import BURST_S, Rate

pytestmark = pytest.mark.anyio


class Clock:
    """Time that passes only where somebody sleeps it away."""

    def __init__(self) -> None:
        self.time = 1000.0
        self.slept: list[float] = []

    def now(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.time += seconds
        await anyio.lowlevel.checkpoint()

    def load(self, **values: object) -> Load:
        config = ModelConfig.model_validate({"id": "m", "model": "m", **values})
        return Load(config, sleep=self.sleep, clock=self.now)


async def never(seconds: float) -> None:
    await anyio.sleep_forever()


async def exchange(load: Load, *, refused_s: float | None = None) -> None:
    turn = await load.begin(0, patience_s=1e9)
    if refused_s is None:
        load.answered(turn, None)
    else:
        load.refused(refused_s)
    load.end(turn)


async def test_a_refusal_pauses_every_call_of_the_endpoint_and_scouts_alone_may_try_it() -> None:
    clock = Clock()
    load = Load(ModelConfig(id="m", model="m", concurrency=9), sleep=never, clock=clock.now)
    await exchange(load, refused_s=30)
    sent = 0

    async def caller() -> None:
        nonlocal sent
        turn = await load.begin(0, patience_s=60)
        sent += 1
        load.refused(30)
        load.end(turn)

    async with anyio.create_task_group() as group:
        for _ in range(40):
            group.start_soon(caller)
        await anyio.wait_all_tasks_blocked()
        assert sent == SCOUTS
        assert load.state.startswith("the endpoint asks to wait another 30 s")
        group.cancel_scope.cancel()
    assert (load.counts.refused, load.counts.pauses) == (1 + SCOUTS, 1)


async def test_an_answer_to_a_scout_ends_the_pause_for_all() -> None:
    clock = Clock()
    load = Load(ModelConfig(id="m", model="m", concurrency=64), sleep=never, clock=clock.now)
    await exchange(load, refused_s=30)
    async with anyio.create_task_group() as group:
        for _ in range(40):
            group.start_soon(exchange, load)
    assert (load.counts.tries, load.counts.refused, load.state) == (41, 1, "")


async def test_a_pause_is_sat_out_and_counted() -> None:
    clock = Clock()
    load = clock.load()
    for _ in range(1 + SCOUTS):
        await exchange(load, refused_s=2)
    await exchange(load)
    assert clock.slept == [2]
    assert load.counts.paused_s == 2


async def test_a_pause_that_is_longer_than_an_answer_may_take_is_not_waited_for() -> None:
    load = Clock().load()
    for _ in range(1 + SCOUTS):
        await exchange(load, refused_s=3600)
    with pytest.raises(TryFailed, match="another 3600 s") as caught:
        await load.begin(0, patience_s=300)
    assert (caught.value.asked, caught.value.retryable) == (False, False)


async def test_places_are_halved_while_half_of_the_answers_are_refusals_and_come_back_one_by_one() -> None:
    load = Clock().load(concurrency=WINDOW)
    for number in range(WINDOW):
        await exchange(load, refused_s=0 if number % 2 else None)
    assert load.counts.lowest_concurrency == WINDOW // 2
    for _ in range(RECOVERY):
        await exchange(load)
    assert load.state == f"{WINDOW // 2 + 1} of {WINDOW} calls at a time"
    for _ in range(RECOVERY * WINDOW):
        await exchange(load)
    assert load.state == ""


async def test_there_is_always_one_place() -> None:
    load = Clock().load(concurrency=4)
    for _ in range(WINDOW * 5):
        await exchange(load, refused_s=0)
    assert load.counts.lowest_concurrency == 1
    await exchange(load)


async def test_a_refusal_now_and_then_takes_no_place() -> None:
    load = Clock().load(concurrency=32)
    for number in range(400):
        await exchange(load, refused_s=0 if number % 4 == 0 else None)
    assert load.counts.lowest_concurrency == 32


async def test_places_stay_as_configured_where_nothing_adapts() -> None:
    load = Clock().load(concurrency=4, adaptive=False)
    for _ in range(WINDOW * 2):
        await exchange(load, refused_s=0)
    assert load.counts.lowest_concurrency == 4


@pytest.mark.parametrize(
    ("limits", "calls", "minutes"),
    [({"requests_per_minute": 60}, 121, 2.0), ({"tokens_per_minute": 6000}, 121, 2.0), ({}, 121, 0.0)],
)
async def test_calls_are_spread_over_the_configured_rates(
    limits: dict[str, object], calls: int, minutes: float
) -> None:
    clock = Clock()
    load = clock.load(**limits)
    for _ in range(calls):
        turn = await load.begin(100, patience_s=1)
        load.answered(turn, 100)
        load.end(turn)
    assert (clock.time - 1000) / 60 == pytest.approx(minutes, abs=BURST_S / 60 + 0.01)


async def test_tokens_that_were_used_count_and_not_those_that_were_thought_of() -> None:
    clock = Clock()
    load = clock.load(tokens_per_minute=6000)
    for _ in range(10):
        turn = await load.begin(10_000, patience_s=1)
        load.answered(turn, 100)
        load.end(turn)
    assert clock.time - 1000 <= 10


async def test_a_turn_that_is_not_waited_for_is_given_back() -> None:
    rate = Rate(60, clock=lambda: 1000.0)
    assert [rate.reserve() for _ in range(3)] == [0, 0, 1]
    rate.correct(-1)
    assert rate.reserve() == 1


@pytest.mark.parametrize("sleeper", [anyio.sleep, never])
async def test_a_call_that_waits_is_cancelled_at_once_and_holds_nothing(
    sleeper: Callable[[float], Awaitable[None]],
) -> None:
    load = Load(ModelConfig(id="m", model="m", concurrency=1, requests_per_minute=60), sleep=sleeper)
    for _ in range(2):
        await exchange(load)
    with anyio.CancelScope() as scope:
        async with anyio.create_task_group() as group:
            group.start_soon(exchange, load)
            await anyio.wait_all_tasks_blocked()
            scope.cancel()
    assert (scope.cancelled_caught, load.counts.tries) == (True, 2)


async def test_the_strictest_limits_of_an_endpoint_s_models_count_for_all() -> None:
    load = Clock().load(concurrency=8, requests_per_minute=600)
    load.share(ModelConfig(id="n", model="n", concurrency=2, requests_per_minute=60, adaptive=False))
    assert (load.counts.concurrency, load.counts.lowest_concurrency) == (2, 2)
