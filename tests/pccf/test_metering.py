"""A hard limit is held whatever runs at once, restarts or is replayed; what was paid counts once."""

from collections.abc import Awaitable, Callable
from functools import partial

import anyio
import pytest

from plugineval.pccf.calling import in_order
from plugineval.pccf.config import BuildLimits
from plugineval.pccf.ledger import CallKey, Ledger, recorded
from plugineval.pccf.metering import CarriedOver, Meter
from plugineval.pccf.roles import Voted
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Json, Value

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P35")]

PRICED = Spent(calls=1, input_tokens=90, output_tokens=10, cost=0.25)


class Notebook:
    """A ledger that remembers in a dictionary, which outlives it."""

    def __init__(self, answers: dict[str, Json]) -> None:
        self.answers = answers

    async def call(self, key: CallKey, make: Callable[[], Awaitable[Json]]) -> Json:
        if key.digest not in self.answers:
            self.answers[key.digest] = await make()
        return self.answers[key.digest]


class Observed(Value):
    """An answer of a plugin: it names no price and cannot fail."""

    text: str = "ok"


class Asker:
    """Asks one metered question after the other, as the engine does."""

    def __init__(self, meter: Meter, answers: dict[str, Json] | None = None, *, spent: Spent | None = PRICED) -> None:
        self.meter = meter
        self.ledger: Ledger = meter.ledger(Notebook({} if answers is None else answers))
        self.limiter = anyio.CapacityLimiter(4)
        self.spent = spent
        self.made = 0
        self.answer = Voted()

    async def ask(self, number: int) -> Voted:
        key = CallKey(stage="vote", model="fast", case=str(number))
        return await recorded(self.ledger, key, Voted, self._make)

    async def _make(self) -> Voted:
        async with self.limiter:
            if refused := self.meter.refusal():
                return Voted(failure=refused)
            self.made += 1
            await anyio.lowlevel.checkpoint()
            return self.answer.model_copy(update={"spent": self.spent})


async def _all(asker: Asker, count: int) -> list[Voted]:
    return await in_order([partial(asker.ask, number) for number in range(count)])


async def test_calls_in_flight_never_overshoot_the_limit_of_calls() -> None:
    asker = Asker(Meter(BuildLimits(calls=10)))
    answers = await _all(asker, 60)
    assert asker.made == 10
    refused = [answer.failure for answer in answers if answer.failure is not None]
    assert len(refused) == 50
    assert {failure.kind for failure in refused} == {FailureKind.LIMIT_REACHED}
    assert refused[0].detail == "the limit of 10 calls is reached (limits.calls)"
    assert asker.meter.reached == "call_limit"
    assert asker.meter.spent.calls == 10


async def test_a_limit_that_is_just_enough_refuses_nothing() -> None:
    asker = Asker(Meter(BuildLimits(calls=60, tokens=6_000, cost=15.0)))
    await _all(asker, 60)
    assert (asker.made, asker.meter.reached) == (60, None)


@pytest.mark.parametrize(
    ("limits", "reason", "named"),
    [
        (BuildLimits(tokens=500), "token_limit", "500 tokens"),
        (BuildLimits(cost=1.25), "cost_limit", "1.25 dollars"),
    ],
)
async def test_tokens_and_money_are_overshot_by_the_calls_in_flight_at_most(
    limits: BuildLimits, reason: str, named: str
) -> None:
    asker = Asker(Meter(limits))
    answers = await _all(asker, 40)
    assert 5 <= asker.made <= 5 + 4
    assert asker.meter.reached == reason
    assert next(named in answer.failure.detail for answer in answers if answer.failure)


async def test_minutes_are_minutes_of_work_over_all_restarts() -> None:
    now = [1000.0]
    first = Meter(BuildLimits(minutes=2), clock=lambda: now[0])
    now[0] += 100
    assert first.refusal() is None
    second = Meter(BuildLimits(minutes=2), before=first.own, clock=lambda: now[0])
    now[0] += 19
    assert second.refusal() is None
    now[0] += 1
    refused = second.refusal()
    assert refused is not None
    assert "2 minutes" in refused.detail
    assert (second.reached, second.seconds) == ("time_limit", 120)


async def test_a_replayed_answer_counts_what_it_cost_when_it_was_made_and_once() -> None:
    answers: dict[str, Json] = {}
    first = Asker(Meter(), answers)
    await _all(first, 7)
    resumed = Asker(Meter(BuildLimits(calls=10)), answers)
    replayed = await _all(resumed, 7)
    await _all(resumed, 7)
    assert resumed.made == 0
    assert all(answer.failure is None for answer in replayed)
    assert resumed.meter.spent == first.meter.spent == Spent.total([PRICED] * 7)
    await _all(resumed, 20)
    assert (resumed.made, resumed.meter.spent.calls) == (3, 10)


async def test_recorded_answers_are_replayed_although_the_limit_is_spent() -> None:
    answers: dict[str, Json] = {}
    await _all(Asker(Meter(), answers), 7)
    resumed = Asker(Meter(BuildLimits(calls=3)), answers)
    assert all(answer.failure is None for answer in await _all(resumed, 7))
    assert resumed.meter.reached is None


async def test_failed_calls_count_too_and_are_carried_over_to_the_next_process() -> None:
    asker = Asker(Meter(BuildLimits(calls=4)))
    asker.answer = Voted(failure=Failure(kind=FailureKind.TRUNCATED, detail="cut"))
    await _all(asker, 9)
    assert asker.made == 4
    assert asker.meter.own.spent == Spent.total([PRICED] * 4)
    resumed = Asker(Meter(BuildLimits(calls=4), before=asker.meter.own))
    assert (await resumed.ask(1)).failure is not None
    assert resumed.made == 0


async def test_a_call_that_raises_gives_its_place_back() -> None:
    meter = Meter(BuildLimits(calls=1))
    ledger = meter.ledger(Notebook({}))

    async def broken() -> Voted:
        assert meter.refusal() is None
        raise RuntimeError("broken")

    for _ in range(3):
        with pytest.raises(RuntimeError):
            await recorded(ledger, CallKey(stage="vote", model="fast", case="1"), Voted, broken)
    assert meter.reached is None


async def test_answers_of_plugins_and_embedded_models_are_calls_that_cost_nothing() -> None:
    meter = Meter(BuildLimits(calls=2, cost=1.0, tokens=5))
    ledger = meter.ledger(Notebook({}))

    async def execute() -> Observed:
        return Observed()

    await recorded(ledger, CallKey(stage="execute", model="clock/now", case="1"), Observed, execute)
    asker = Asker(meter, spent=None)
    await asker.ask(1)
    assert meter.spent == Spent(calls=2)
    assert (await asker.ask(2)).failure is not None


@pytest.mark.parametrize(
    ("limits", "spent", "said"),
    [
        (BuildLimits(tokens=9_000), Spent(calls=1, cost=None), "fast answers without telling its tokens"),
        (BuildLimits(cost=9.0), Spent(calls=1, input_tokens=5, cost=None), "the cost of an answer of fast is unknown"),
    ],
)
async def test_a_limit_that_cannot_be_held_stops_instead_of_being_ignored(
    limits: BuildLimits, spent: Spent, said: str
) -> None:
    asker = Asker(Meter(limits), spent=spent)
    await asker.ask(1)
    refused = (await asker.ask(2)).failure
    assert refused is not None
    assert said in refused.detail


async def test_readings_of_several_processes_add_up() -> None:
    meter = Meter(before=CarriedOver(seconds=3.5, spent=PRICED) + CarriedOver(seconds=1.0, spent=PRICED))
    assert meter.spent == PRICED + PRICED
    assert meter.seconds >= 4.5
    assert meter.own.spent == Spent()
    assert CarriedOver.model_validate_json(meter.own.model_dump_json()).spent == Spent()
