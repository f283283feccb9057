"""The gates of Stage I, their order, and what each of them leaves in the trace."""

import pytest

from doubles.stage_one import OUT, Bench, call, observed, request
from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.invocations import Abstention, Invocation, Proposal, Unreadable
from plugineval.pccf.labels import Underspecified, ValidInvocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Ineligible, ProposalTrace
from plugineval.pccf.routing import Failure

pytestmark = pytest.mark.anyio
K = ObservationKind


async def only_trace(bench: Bench) -> ProposalTrace:
    record = await bench.stage().verify(request())
    return record.rounds[0].traces[0]


@pytest.mark.requirement("P12")
async def test_an_executable_proposal_meets_the_gates_in_the_papers_order() -> None:
    bench = Bench()
    await bench.stage().verify(request())
    assert [verb for verb, _ in bench.calls] == ["propose", "assess_arguments", "execute", "assess_result"]


@pytest.mark.requirement("P12", "P14")
@pytest.mark.parametrize(
    ("proposal", "cause"),
    [
        (Unreadable(raw="{city: Oslo", problem="not JSON"), Ineligible.UNREADABLE),
        (Invocation(tool="forecast", arguments={"city": 3}), Ineligible.WRONG_TOOL),
        (call(city="Oslo", days="5"), Ineligible.SCHEMA_VIOLATION),
        (call(), Ineligible.SCHEMA_VIOLATION),
    ],
)
async def test_a_proposal_stopped_before_judgement_reaches_no_evaluator_and_no_plugin(
    proposal: Proposal, cause: Ineligible
) -> None:
    bench = Bench(lambda task, index: proposal)
    trace = await only_trace(bench)
    assert trace.ineligible is cause
    assert not trace.eligible
    assert [verb for verb, _ in bench.calls] == ["propose"]


async def test_a_wrong_tool_is_no_schema_violation() -> None:
    trace = await only_trace(Bench(lambda task, index: Invocation(tool="forecast", arguments={"city": 3})))
    assert trace.schema_violations == ()


@pytest.mark.requirement("E2")
async def test_an_argument_outside_the_schema_is_reported_even_where_it_is_allowed() -> None:
    trace = await only_trace(Bench(lambda task, index: call(city="Oslo", units="metric")))
    assert trace.unknown_arguments == ("/units",)
    assert trace.eligible


async def test_a_number_given_as_text_names_its_place_and_rule() -> None:
    trace = await only_trace(Bench(lambda task, index: call(city="Oslo", days="25")))
    assert [(found.path, found.keyword) for found in trace.schema_violations] == [("/days", "type")]


@pytest.mark.requirement("P14")
@pytest.mark.parametrize(
    ("kind", "cause"),
    [
        (K.TOOL_ERROR, Ineligible.EXECUTION_ERROR),
        (K.RPC_ERROR, Ineligible.EXECUTION_ERROR),
        (K.OUTPUT_SCHEMA, Ineligible.EXECUTION_ERROR),
        (K.TOO_LARGE, Ineligible.EXECUTION_ERROR),
        (K.GARBAGE, Ineligible.EXECUTION_ERROR),
        (K.TIMEOUT, Ineligible.TIMEOUT),
        (K.EMPTY, Ineligible.EMPTY_RESPONSE),
        (K.REFUSED, Ineligible.NOT_EXECUTED),
        (K.DIED, Ineligible.OUTAGE),
        (K.UNCONFIRMED, Ineligible.OUTAGE),
    ],
)
async def test_what_is_no_valid_response_is_ineligible_and_never_judged(kind: K, cause: Ineligible) -> None:
    bench = Bench(plugin=observed(kind))
    record = await bench.stage().verify(request())
    trace = record.rounds[0].traces[0]
    assert record.verdict != "accepted"
    assert trace.ineligible is cause
    assert trace.score is None
    assert trace.observation is not None
    assert trace.observation.kind is kind
    assert trace.argument_assessment is not None
    assert bench.results.seen == []


@pytest.mark.parametrize(("kind", "verdict"), [(K.UNCONFIRMED, "undecided"), (K.REFUSED, "rejected")])
async def test_nothing_more_is_proposed_where_a_person_stands_in_the_way(kind: K, verdict: str) -> None:
    bench = Bench(plugin=observed(kind))
    record = await bench.stage().verify(request())
    assert (record.verdict, len(record.rounds)) == (verdict, 1)


def test_every_kind_of_observation_is_in_one_of_the_tests_here() -> None:
    ineligible = {K.TOOL_ERROR, K.RPC_ERROR, K.OUTPUT_SCHEMA, K.TOO_LARGE, K.GARBAGE, K.TIMEOUT, K.EMPTY, K.REFUSED}
    assert set(K) == ineligible | {K.DIED, K.UNCONFIRMED, K.RETURNED, K.SUSPECT}


@pytest.mark.parametrize(("s_out", "verdict"), [(1.0, "accepted"), (0.0, "rejected")])
async def test_a_result_that_looks_like_an_error_is_decided_by_the_result_evaluator(s_out: float, verdict: str) -> None:
    bench = Bench(plugin=observed(K.SUSPECT), s_out=lambda shown: s_out)
    record = await bench.stage().verify(request())
    assert record.verdict == verdict
    assert [shown.detail for shown in bench.results.seen] == ["scripted suspect"]


async def test_a_hopeless_argument_score_still_shows_what_execution_does() -> None:
    bench = Bench(s_arg=lambda proposal: 0.0)
    trace = await only_trace(bench)
    assert trace.observation is not None
    assert trace.score == 0.5


@pytest.mark.requirement("P3", "P15", "P16")
@pytest.mark.parametrize(
    ("s_arg", "eligible", "verdict"),
    [(1.0, True, "accepted"), (0.8, True, "accepted"), (0.6, True, "rejected"), (0.4, False, "rejected")],
)
async def test_an_abstention_is_never_executed_and_stands_on_its_argument_score(
    s_arg: float, eligible: bool, verdict: str
) -> None:
    bench = Bench(lambda task, index: Abstention(reason="which city?", missing=("city",)), s_arg=lambda p: s_arg)
    record = await bench.stage().verify(request())
    trace = record.rounds[0].traces[0]
    assert bench.session.executed == []
    assert bench.results.seen == []
    assert (trace.eligible, trace.score, record.verdict) == (eligible, s_arg, verdict)
    assert trace.ineligible is (None if eligible else Ineligible.UNJUSTIFIED_ABSTENTION)


async def test_below_even_odds_tau_alone_decides_on_an_abstention() -> None:
    bench = Bench(lambda task, index: Abstention(), s_arg=lambda p: 0.3)
    record = await bench.stage(VerificationConfig(generators=1, max_rounds=1, tau=0.3)).verify(request())
    assert record.verdict == "accepted"


@pytest.mark.requirement("P5", "P6")
async def test_the_accepted_proposal_becomes_the_label() -> None:
    called = await Bench().stage().verify(request())
    assert called.label == ValidInvocation(gold=call(city="Oslo"))
    abstained = await Bench(lambda task, index: Abstention(missing=("city",))).stage().verify(request())
    assert abstained.label == Underspecified(missing=("city",))


@pytest.mark.parametrize("gate", ["s_arg", "s_out"])
async def test_an_evaluator_that_is_out_gives_no_verdict(gate: str) -> None:
    bench = Bench(s_arg=lambda p: OUT) if gate == "s_arg" else Bench(s_out=lambda shown: OUT)
    record = await bench.stage().verify(request())
    trace = record.rounds[0].traces[0]
    assert record.verdict == "undecided"
    assert (trace.ineligible, trace.failure) == (Ineligible.OUTAGE, OUT)
    assert bool(bench.session.executed) == (gate == "s_out")


@pytest.mark.parametrize("value", [float("nan"), float("inf"), "\ud800"])
async def test_a_proposal_that_is_not_json_is_unreadable(value: float | str) -> None:
    bench = Bench(lambda task, index: call(city=value))
    trace = await only_trace(bench)
    assert trace.ineligible is Ineligible.UNREADABLE
    assert isinstance(trace.proposal, Unreadable)
    assert bench.session.executed == []


@pytest.mark.parametrize("value", [float("nan"), "\ud800"])
async def test_an_observation_that_is_not_json_is_garbage(value: float | str) -> None:
    bench = Bench(plugin=lambda a: Observation(kind=K.RETURNED, tool="weather", arguments=a, structured=value))
    trace = await only_trace(bench)
    assert trace.observation is not None
    assert trace.observation.kind is K.GARBAGE
    assert trace.ineligible is Ineligible.EXECUTION_ERROR


async def test_an_outage_of_the_plugin_says_so() -> None:
    trace = await only_trace(Bench(plugin=observed(K.DIED)))
    assert isinstance(trace.failure, Failure)
    assert "scripted died" in trace.failure.detail
