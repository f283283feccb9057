"""A role is called within bounds, once, and its faults are data."""

from functools import partial

import anyio
import anyio.lowlevel
import pytest

from doubles.construction import MemoryLedger, calling
from plugineval.pccf.calling import RoleCalls, in_order
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.routing import FailureKind, RouterReply

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("E3")]

KEY = CallKey(stage="calibrate", model="m", case="c")


def calls(*, slots: int = 1, timeout_s: float | None = None) -> RoleCalls:
    return RoleCalls(ledger=MemoryLedger(), limiter=anyio.CapacityLimiter(slots), timeout_s=timeout_s)


async def forever() -> RouterReply:
    await anyio.sleep_forever()
    return calling()


async def test_an_answer_that_never_comes_is_a_timeout_that_is_not_recorded() -> None:
    desk = calls(timeout_s=0.01)
    reply = await desk.ask(KEY, RouterReply, forever)
    assert reply.failure is not None
    assert (reply.failure.kind, reply.failure.detail) == (FailureKind.TIMEOUT, "no answer within 0.01 s")
    assert isinstance(desk.ledger, MemoryLedger)
    assert desk.ledger.answers == {}


async def test_an_adapter_that_raises_is_a_bad_response() -> None:
    async def raising() -> RouterReply:
        raise RuntimeError("boom")

    reply = await calls().ask(KEY, RouterReply, raising)
    assert reply.failure is not None
    assert (reply.failure.kind, reply.failure.detail) == (FailureKind.BAD_RESPONSE, "RuntimeError: boom")


async def test_a_mistake_of_a_person_passes_through() -> None:
    async def misconfigured() -> RouterReply:
        raise ConfigurationError("no key")

    with pytest.raises(ConfigurationError, match="no key"):
        await calls().ask(KEY, RouterReply, misconfigured)


async def test_no_more_calls_run_at_once_than_the_limiter_allows() -> None:
    desk, running, most = calls(slots=2), 0, 0

    async def busy() -> RouterReply:
        nonlocal running, most
        running += 1
        most = max(most, running)
        await anyio.lowlevel.checkpoint()
        running -= 1
        return calling()

    async def ask(repeat: int) -> RouterReply:
        return await desk.ask(KEY.model_copy(update={"repeat": repeat}), RouterReply, busy)

    await in_order([partial(ask, repeat) for repeat in range(6)])
    assert most == 2


async def test_results_come_in_the_order_of_the_calls_whichever_ends_first() -> None:
    second_done = anyio.Event()

    async def first() -> str:
        await second_done.wait()
        return "first"

    async def second() -> str:
        second_done.set()
        return "second"

    assert await in_order([first, second]) == ["first", "second"]
    assert await in_order([]) == []


async def test_the_first_error_is_raised_alone() -> None:
    async def broken() -> RouterReply:
        raise ConfigurationError("wrong")

    with pytest.raises(ConfigurationError, match="wrong"):
        await in_order([forever, broken])
