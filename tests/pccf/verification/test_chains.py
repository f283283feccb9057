"""Requests of several calls: verified one by one, each on what it may know, accepted only as a whole."""

import json

import pytest

from doubles.stage_one import OUT, WEATHER, Bench, MemoryLedger, call, observed, request, returned, vote
from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation, Proposal
from plugineval.pccf.labels import ValidInvocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.roles import ProposalTask
from plugineval.pccf.routing import Failure
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments
from plugineval.pccf.verification import ChainVerifier
from plugineval.pccf.verification.parts import part_of, results_in

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P44")]
TRAIN = ToolSpec(
    plugin="rail",
    name="train",
    description="Train to a city.",
    input_schema={"type": "object", "properties": {"to": {"type": "string"}}, "required": ["to"]},
)


def each_its_own(task: ProposalTask, index: int) -> Proposal:
    return call(city="Oslo") if task.tool == WEATHER else Invocation(tool="train", arguments={"to": "Oslo"})


async def verified(bench: Bench, *, ordered: bool = False, then: tuple[ToolSpec, ...] = (TRAIN,)) -> VerificationRecord:
    return await ChainVerifier(bench.stage()).verify(request(votes=(vote(1, positive=True),)), then, ordered)


def seen(bench: Bench) -> list[Query]:
    return [task.query for task in bench.generator.tasks]


async def test_a_chain_is_accepted_with_a_record_for_every_call() -> None:
    record = await verified(Bench(each_its_own))
    assert (record.verdict, [each.verdict for each in record.further]) == ("accepted", ["accepted"])
    assert isinstance(record.label, ValidInvocation)
    assert record.label.gold.tool == "weather"
    assert [(each.id, each.target) for each in record.further] == [("r1-call-2", "train")]
    assert record.query == request().query
    assert len(record.votes) == 1
    assert record.further[0].votes == ()


async def test_a_request_of_one_call_is_verified_as_ever() -> None:
    bench = Bench()
    record = await verified(bench, then=())
    assert (record.verdict, record.further, seen(bench)) == ("accepted", (), [request().query])


async def test_independent_calls_are_proposed_without_each_others_results_and_on_a_fresh_state() -> None:
    bench = Bench(each_its_own)
    await verified(bench)
    assert [results_in(query) for query in seen(bench)] == [(), ()]
    assert [part.number for query in seen(bench) if (part := part_of(query))] == [1, 2]
    assert bench.session.after == [[], []]


async def test_in_an_ordered_chain_the_later_call_sees_the_earlier_result_and_comes_after_it() -> None:
    bench = Bench(each_its_own)
    record = await verified(bench, ordered=True)
    assert [results_in(query) for query in seen(bench)] == [(), ("sunny",)]
    assert bench.session.after == [[], [call(city="Oslo")]]
    roles = [message.role for message in record.further[0].query.messages]
    assert roles == ["system", "user", "assistant", "tool"]
    assert all(json.loads(message.content) for message in record.further[0].query.messages if message.role != "user")


@pytest.mark.parametrize("ordered", [True, False])
async def test_the_last_result_is_judged_beside_all_others(ordered: bool) -> None:
    bench = Bench(each_its_own)
    await verified(bench, ordered=ordered)
    first, last = bench.results.queries
    assert (results_in(first), results_in(last)) == ((), ("sunny",))
    assert [part.last for query in (first, last) if (part := part_of(query))] == [False, True]


async def test_what_is_left_open_after_the_last_call_rejects_the_whole() -> None:
    def only_first(observation: Observation) -> float:
        return 1.0 if len(bench.results.seen) == 1 else 0.0

    bench = Bench(each_its_own, s_out=only_first)
    record = await verified(bench)
    assert (record.verdict, record.label) == ("rejected", None)
    assert record.reason.startswith("call 2 of 2, train: the best score 0.5")


@pytest.mark.parametrize(
    ("step", "where"), [(0, "call 1 of 2, weather"), (1, "call 2 of 2, train")], ids=["first", "second"]
)
async def test_a_step_that_fails_rejects_the_whole_and_is_named(step: int, where: str) -> None:
    def broken(arguments: Arguments) -> Observation:
        shown = observed(ObservationKind.TOOL_ERROR) if len(bench.session.executed) == step + 1 else returned
        return shown(arguments)

    bench = Bench(each_its_own, plugin=broken)
    record = await verified(bench)
    assert record.verdict == "rejected"
    assert record.reason.startswith(where)
    assert len(record.further) == step


async def test_an_outage_at_any_step_leaves_the_whole_undecided() -> None:
    def out(task: ProposalTask, index: int) -> Proposal | Failure:
        return OUT if task.tool == TRAIN else call(city="Oslo")

    record = await verified(Bench(out))
    assert (record.verdict, record.label, len(record.further)) == ("undecided", None, 1)


async def test_a_justified_abstention_is_no_call() -> None:
    def gives_up(task: ProposalTask, index: int) -> Proposal:
        return Abstention(missing=("to",)) if task.tool == TRAIN else call(city="Oslo")

    record = await verified(Bench(gives_up))
    assert record.verdict == "rejected"
    assert "where a call is required" in record.reason


async def test_a_tool_that_is_called_twice_sees_its_own_first_call_and_must_not_repeat_it() -> None:
    bench = Bench()
    record = await verified(bench, then=(WEATHER,))
    assert results_in(seen(bench)[1]) == ("sunny",)
    assert record.reason == "call 2 of 2, weather: it is the same call as one before it"
    assert record.verdict == "rejected"


@pytest.mark.parametrize("ordered", [True, False])
async def test_a_chain_goes_on_where_it_stopped_and_repeats_no_call(ordered: bool) -> None:
    ledger = MemoryLedger()

    def out(task: ProposalTask, index: int) -> Proposal | Failure:
        return OUT if task.tool == TRAIN else call(city="Oslo")

    await verified(Bench(out, ledger=ledger), ordered=ordered)
    again = Bench(each_its_own, ledger=ledger)
    resumed = await verified(again, ordered=ordered)
    assert resumed.verdict == "accepted"
    assert [who for verb, who in again.calls if verb == "execute"] == ["rail/train"]
    assert len(again.generator.tasks) == 1
    once_more = Bench(each_its_own, ledger=ledger)
    assert (await verified(once_more, ordered=ordered)).further[0].rounds == resumed.further[0].rounds
    assert once_more.calls == []


async def test_one_round_of_ablation_asks_no_evaluator_of_any_call() -> None:
    bench = Bench(each_its_own)
    config = VerificationConfig(generators=1, max_rounds=1, content_validation=False)
    record = await ChainVerifier(bench.stage(config)).verify(request(), (TRAIN,), ordered=True)
    assert record.verdict == "accepted"
    assert {verb for verb, _ in bench.calls} == {"propose", "execute"}


async def test_a_huge_result_is_cut_before_others_are_shown_it() -> None:
    def huge(arguments: Arguments) -> Observation:
        return returned(arguments).model_copy(update={"text": "x" * 50_000, "structured": {"rows": ["y" * 50_000]}})

    record = await verified(Bench(each_its_own, plugin=huge), ordered=True)
    shown = record.further[0].query.messages[-1].content
    assert record.verdict == "accepted"
    assert len(shown) < 20_000
    assert shown.count("(cut)") == 2
