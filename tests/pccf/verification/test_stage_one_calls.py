"""How Stage I makes its calls: journaled, concurrent, bounded, unharmed by what its partners do, cancellable."""

from collections.abc import Callable
from dataclasses import replace
from typing import Never

import anyio
import pytest

from doubles.stage_one import OUT, WEATHER, Bench, MemoryLedger, call, observed, request
from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.errors import ConfigurationError, IncompleteError, PluginUnavailableError, StoreError
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation, Proposal
from plugineval.pccf.observations import ObservationKind
from plugineval.pccf.records import Assessment, Ineligible, VerificationRecord
from plugineval.pccf.roles import Assessed, ProposalTask, Proposed
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json
from plugineval.pccf.verification import StageOne

pytestmark = pytest.mark.anyio


def refining(task: ProposalTask, index: int) -> Proposal:
    return call(city="Oslo", days=10 * len(task.history) + index)


def told(record: VerificationRecord) -> Json:
    return record.model_dump(mode="json", exclude={"started_at", "finished_at"})


async def test_a_replay_makes_no_new_call_and_tells_the_same() -> None:
    ledger = MemoryLedger()
    config = VerificationConfig(generators=3, max_rounds=2)
    first = await Bench(refining, s_out=lambda o: 0.5, ledger=ledger).stage(config).verify(request())
    made = ledger.made
    again = Bench(refining, s_out=lambda o: 0.5, ledger=ledger)
    assert told(await again.stage(config).verify(request())) == told(first)
    assert again.calls == []
    assert ledger.made == made == 2 * 3 * 4


async def test_how_long_a_failed_call_took_does_not_make_the_next_round_another_one() -> None:
    def propose(task: ProposalTask, index: int) -> Proposal | Failure:
        return OUT.model_copy(update={"detail": f"request {len(bench.calls)}"}) if index else call(city="Oslo")

    ledger, config = MemoryLedger(), VerificationConfig(generators=2, max_rounds=2)
    bench = Bench(propose, s_out=lambda o: 0.5, ledger=ledger)
    await bench.stage(config).verify(request())
    bench.calls.clear()
    await bench.stage(config).verify(request())
    assert bench.calls == [("propose", "generator")] * 2


async def test_every_call_has_a_key_of_its_own() -> None:
    ledger = MemoryLedger()
    config = VerificationConfig(generators=3, max_rounds=2)
    await Bench(refining, s_out=lambda o: 0.5, ledger=ledger).stage(config).verify(request())
    assert {key.stage for key in ledger.keys} == {"propose", "assess_arguments", "execute", "assess_result"}
    assert {key.case for key in ledger.keys} == {"r1"}
    assert {key.repeat for key in ledger.keys if key.stage == "propose"} == set(range(6))
    assert len({key.digest for key in ledger.keys}) == len(ledger.keys)


async def test_another_query_or_another_tool_is_another_call() -> None:
    ledger = MemoryLedger()
    await Bench(ledger=ledger).stage().verify(request())
    changed = ToolSpec.model_validate({**WEATHER.model_dump(), "description": "Weather of the coming days."})
    await Bench(ledger=ledger).stage().verify(request(tool=changed))
    assert ledger.made == 8


async def test_only_outages_are_asked_for_again() -> None:
    ledger = MemoryLedger()
    died = await Bench(plugin=observed(ObservationKind.DIED), ledger=ledger).stage().verify(request())
    assert died.verdict == "undecided"
    healed = Bench(ledger=ledger)
    assert (await healed.stage().verify(request())).verdict == "accepted"
    assert [verb for verb, _ in healed.calls] == ["execute", "assess_result"]


async def test_a_refusal_is_asked_for_again_because_a_person_may_have_approved() -> None:
    ledger = MemoryLedger()
    await Bench(plugin=observed(ObservationKind.REFUSED), ledger=ledger).stage().verify(request())
    assert (await Bench(ledger=ledger).stage().verify(request())).verdict == "accepted"


async def test_a_timeout_of_the_plugin_is_an_answer_and_recorded() -> None:
    ledger = MemoryLedger()
    await Bench(plugin=observed(ObservationKind.TIMEOUT), ledger=ledger).stage().verify(request())
    again = Bench(ledger=ledger)
    assert (await again.stage().verify(request())).verdict == "rejected"
    assert again.calls == []


async def test_a_failed_generator_is_asked_again() -> None:
    ledger = MemoryLedger()
    await Bench(lambda task, index: OUT, ledger=ledger).stage().verify(request())
    assert (await Bench(ledger=ledger).stage().verify(request())).verdict == "accepted"


class Rendezvous:
    """Generators that answer only once all of them have been asked."""

    id = "rendezvous"

    def __init__(self, parties: int) -> None:
        self._waiting = parties
        self._all = anyio.Event()

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        self._waiting -= 1
        if not self._waiting:
            self._all.set()
        await self._all.wait()
        return Proposed(proposal=call(city=f"city {index}"))


@pytest.mark.requirement("P9")
async def test_the_proposals_of_a_round_are_asked_for_at_once_and_kept_in_order() -> None:
    bench = Bench()
    together = replace(bench.roles(VerificationConfig(generators=3, max_rounds=1)), generators=(Rendezvous(3),))
    with anyio.fail_after(5):
        record = await StageOne(together).verify(request())
    assert [trace.proposal for trace in record.rounds[0].traces] == [call(city=f"city {m}") for m in range(3)]


class Hanging:
    """Plays any role and never answers."""

    id = "hanging"

    def __init__(self) -> None:
        self.asked = anyio.Event()

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        self.asked.set()
        await anyio.sleep_forever()
        raise AssertionError


async def test_a_role_that_never_answers_is_bounded_and_an_outage() -> None:
    roles = replace(Bench().roles(), generators=(Hanging(),), call_timeout_s=0.01)
    record = await StageOne(roles).verify(request())
    failure = record.rounds[0].traces[0].failure
    assert failure is not None
    assert (record.verdict, failure.kind) == ("undecided", FailureKind.TIMEOUT)


async def test_being_cancelled_is_never_swallowed() -> None:
    hanging = Hanging()
    ended: list[VerificationRecord] = []

    async def verify() -> None:
        ended.append(await StageOne(replace(Bench().roles(), generators=(hanging,))).verify(request()))

    with anyio.fail_after(5):
        async with anyio.create_task_group() as group:
            group.start_soon(verify)
            await hanging.asked.wait()
            group.cancel_scope.cancel()
    assert ended == []


async def test_the_limiter_bounds_the_calls_in_flight_and_is_free_afterwards() -> None:
    limiter = anyio.CapacityLimiter(1)
    most = 0

    def propose(task: ProposalTask, index: int) -> Proposal:
        nonlocal most
        most = max(most, limiter.statistics().borrowed_tokens)
        return call(city=f"city {index}")

    roles = replace(Bench(propose).roles(VerificationConfig(max_rounds=1)), limiter=limiter)
    await StageOne(roles).verify(request())
    assert (most, limiter.statistics().borrowed_tokens) == (1, 0)


def raising(error: Exception) -> Callable[..., Never]:
    def script(*_: object) -> Never:
        raise error

    return script


@pytest.mark.parametrize("error", [ValueError("broken adapter"), PluginUnavailableError("gone"), TimeoutError()])
@pytest.mark.parametrize("where", ["propose", "s_arg", "s_out", "plugin"])
async def test_whatever_a_partner_raises_is_an_outage_in_the_record(error: Exception, where: str) -> None:
    script = raising(error)
    benches = {
        "propose": Bench(script),
        "s_arg": Bench(s_arg=script),
        "s_out": Bench(s_out=script),
        "plugin": Bench(plugin=script),
    }
    record = await benches[where].stage().verify(request())
    assert record.verdict == "undecided"
    assert record.rounds[0].traces[0].ineligible is Ineligible.OUTAGE


@pytest.mark.parametrize(
    "error", [StoreError("disk is full"), IncompleteError("stopped"), ConfigurationError("no key")]
)
async def test_what_a_person_must_mend_passes_through_as_itself(error: Exception) -> None:
    bench = Bench(raising(error))
    with pytest.raises(type(error)) as caught:
        await bench.stage(VerificationConfig()).verify(request())
    assert caught.value is error


class Silent:
    """Answers every question with neither an answer nor a failure."""

    id = "silent"

    async def propose(self, task: ProposalTask, *, index: int) -> Proposed:
        return Proposed()

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        return Assessed()


async def test_an_empty_answer_of_a_role_is_an_outage() -> None:
    for roles in (replace(Bench().roles(), generators=(Silent(),)), replace(Bench().roles(), arguments=Silent())):
        record = await StageOne(roles).verify(request())
        trace = record.rounds[0].traces[0]
        assert trace.failure is not None
        assert (record.verdict, trace.failure.kind) == ("undecided", FailureKind.BAD_RESPONSE)


class Overconfident:
    """Scores beyond the range by going around validation."""

    id = "overconfident"

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        beyond = Assessment.model_construct(score=90.0, reason="sure", evaluator=self.id)
        return Assessed.model_construct(assessment=beyond, failure=None)


@pytest.mark.requirement("P13")
async def test_a_score_out_of_range_is_no_score() -> None:
    record = await StageOne(replace(Bench().roles(), arguments=Overconfident())).verify(request())
    assert record.verdict == "undecided"
    assert record.rounds[0].traces[0].argument_assessment is None
