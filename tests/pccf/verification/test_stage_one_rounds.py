"""Rounds of Stage I: M proposals, selection, refinement with evidence, stopping, verdicts."""

import pytest

from doubles.stage_one import OUT, START, Bench, ScriptedGenerator, call, observed, request, returned, vote
from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation, Proposal, Unreadable
from plugineval.pccf.labels import TargetIrrelevant, ToolUnnecessary
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.roles import ProposalTask
from plugineval.pccf.routing import Failure
from plugineval.pccf.values import Arguments
from plugineval.pccf.verification import StageOne, StageOneRoles

pytestmark = pytest.mark.anyio

CITIES = ("Oslo", "Rome", "Bonn")


def by_city(**scores: float) -> dict[str, float]:
    return {city: scores.get(city, 0.0) for city in CITIES}


def city_of(proposal: Invocation | Abstention) -> str:
    return str(proposal.arguments["city"]) if isinstance(proposal, Invocation) else ""


def one_round(**numbers: float) -> VerificationConfig:
    return VerificationConfig.model_validate({"max_rounds": 1, **numbers})


@pytest.mark.requirement("P9", "P10", "P11")
async def test_every_generator_proposes_a_whole_call_and_keeps_its_own_trace() -> None:
    bench = Bench(lambda task, index: call(city=CITIES[index], days=index + 1))
    record = await bench.stage(one_round()).verify(request())
    proposals = [trace.proposal for trace in record.rounds[0].traces]
    assert proposals == [call(city=city, days=day) for day, city in enumerate(CITIES, 1)]
    assert [trace.index for trace in record.rounds[0].traces] == [0, 1, 2]


async def test_two_generators_take_turns_as_three() -> None:
    one, other = (ScriptedGenerator(lambda task, index: call(city=CITIES[index]), name=name) for name in "ab")
    bench = Bench()
    roles = StageOneRoles(
        generators=(one, other),
        arguments=bench.arguments,
        results=bench.results,
        session=bench.session,
        ledger=bench.ledger,
        config=one_round(),
    )
    record = await StageOne(roles).verify(request())
    assert [trace.generator for trace in record.rounds[0].traces] == ["a", "b", "a"]


async def test_alike_proposals_share_one_execution_but_not_one_trace() -> None:
    bench = Bench()
    record = await bench.stage(one_round()).verify(request())
    assert len(bench.session.executed) == 1
    assert [trace.index for trace in record.rounds[0].traces] == [0, 1, 2]
    assert all(trace.score == 1.0 for trace in record.rounds[0].traces)


@pytest.mark.requirement("P18")
async def test_the_highest_score_is_selected_wherever_it_stands() -> None:
    scores = by_city(Oslo=0.8, Rome=1.0, Bonn=0.9)
    bench = Bench(lambda task, index: call(city=CITIES[index]), s_arg=lambda p: scores[city_of(p)])
    record = await bench.stage(one_round()).verify(request())
    assert record.rounds[0].best == 1


@pytest.mark.requirement("D8")
async def test_equal_scores_go_to_the_higher_argument_score_then_the_lower_index() -> None:
    s_arg, s_out = by_city(Oslo=0.8, Rome=1.0, Bonn=1.0), by_city(Oslo=1.0, Rome=0.8, Bonn=0.8)
    bench = Bench(
        lambda task, index: call(city=CITIES[index]),
        s_arg=lambda p: s_arg[city_of(p)],
        s_out=lambda shown: s_out[str(shown.arguments["city"])],
    )
    record = await bench.stage(one_round()).verify(request())
    assert {trace.score for trace in record.rounds[0].traces} == {0.9}
    assert record.rounds[0].best == 1


@pytest.mark.requirement("P13", "D1")
@pytest.mark.parametrize(
    ("lambda_arg", "s_arg", "s_out", "score"), [(0.5, 1.0, 0.6, 0.8), (0.25, 1.0, 0.6, 0.7), (1.0, 0.9, 0.0, 0.9)]
)
async def test_the_score_is_the_weighted_sum(lambda_arg: float, s_arg: float, s_out: float, score: float) -> None:
    config = one_round(generators=1, lambda_arg=lambda_arg, lambda_out=1 - lambda_arg)
    record = await Bench(s_arg=lambda p: s_arg, s_out=lambda o: s_out).stage(config).verify(request())
    assert record.rounds[0].traces[0].score == score
    assert (record.lambda_arg, record.lambda_out, record.tau) == (lambda_arg, 1 - lambda_arg, 0.8)


@pytest.mark.requirement("P18")
@pytest.mark.parametrize("lambda_arg", [0.1, 0.3, 0.5, 0.7, 0.9])
async def test_a_score_of_exactly_tau_is_accepted_under_any_weights(lambda_arg: float) -> None:
    config = one_round(generators=1, lambda_arg=lambda_arg, lambda_out=1 - lambda_arg)
    record = await Bench(s_arg=lambda p: 0.8, s_out=lambda o: 0.8).stage(config).verify(request())
    assert record.verdict == "accepted"


async def test_just_below_tau_is_rejected() -> None:
    record = await Bench(s_arg=lambda p: 0.799, s_out=lambda o: 0.8).stage(one_round(generators=1)).verify(request())
    assert record.verdict == "rejected"
    assert record.label is None
    assert "tau 0.8" in record.reason


@pytest.mark.requirement("P19", "P20")
async def test_every_generator_sees_all_evidence_of_all_rounds_and_acceptance_stops() -> None:
    def propose(task: ProposalTask, index: int) -> Proposal:
        rounds: tuple[Proposal, ...] = (call(city=3), call(city="Atlantis"), call(city="Oslo"))
        return rounds[len(task.history)]

    def plugin(arguments: Arguments) -> Observation:
        wrong = arguments["city"] == "Atlantis"
        return observed(ObservationKind.TOOL_ERROR)(arguments) if wrong else returned(arguments)

    bench = Bench(propose, plugin=plugin, s_arg=lambda p: 0.9)
    record = await bench.stage(VerificationConfig(generators=2, max_rounds=5)).verify(request())
    assert record.verdict == "accepted"
    assert [round_.accepted for round_ in record.rounds] == [False, False, True]
    last = [task.history for task in bench.generator.tasks if len(task.history) == 2]
    assert len(last) == 2
    assert last[0] == last[1] == record.rounds[:2]
    assert last[0][0].traces[1].schema_violations[0].path == "/city"
    second = last[0][1].traces[0]
    assert second.argument_assessment is not None
    assert second.observation is not None
    assert second.observation.kind is ObservationKind.TOOL_ERROR


@pytest.mark.requirement("P20")
async def test_running_out_of_rounds_never_accepts_and_keeps_the_history() -> None:
    bench = Bench(s_out=lambda o: 0.5)
    record = await bench.stage(VerificationConfig(generators=2, max_rounds=3)).verify(request())
    assert record.verdict == "rejected"
    assert [round_.number for round_ in record.rounds] == [1, 2, 3]
    assert all(len(round_.traces) == 2 for round_ in record.rounds)


@pytest.mark.requirement("P14")
async def test_an_unknown_city_is_never_kept_as_a_success() -> None:
    bench = Bench(lambda task, index: call(city="Atlantis"), plugin=observed(ObservationKind.TOOL_ERROR))
    record = await bench.stage().verify(request())
    assert record.verdict == "rejected"
    assert "execution_error" in record.reason


async def test_a_query_whose_proposals_all_met_an_outage_is_undecided() -> None:
    record = await Bench(lambda task, index: OUT).stage(VerificationConfig()).verify(request())
    assert record.verdict == "undecided"
    assert "scripted outage" in record.reason
    assert len(record.rounds) == 3


async def test_an_outage_beside_a_judged_proposal_does_not_hide_the_judgement() -> None:
    def propose(task: ProposalTask, index: int) -> Proposal | Failure:
        return OUT if index else call(city="Oslo")

    record = await Bench(propose, s_out=lambda o: 0.0).stage(one_round()).verify(request())
    assert record.verdict == "rejected"


async def test_unreadable_answers_beside_a_dead_evaluator_stay_undecided() -> None:
    def propose(task: ProposalTask, index: int) -> Proposal:
        return Unreadable(raw="{", problem="not JSON") if index else call(city="Oslo")

    record = await Bench(propose, s_arg=lambda p: OUT).stage(one_round()).verify(request())
    assert record.verdict == "undecided"


async def test_the_reason_of_a_rejection_names_the_most_frequent_cause() -> None:
    def propose(task: ProposalTask, index: int) -> Proposal:
        return call(city="Oslo", days="x") if index else Unreadable(raw="{", problem="not JSON")

    record = await Bench(propose).stage(VerificationConfig()).verify(request())
    assert "schema_violation (6 of 9)" in record.reason


@pytest.mark.requirement("P17")
async def test_a_model_that_generates_and_evaluates_is_a_warning_or_refused() -> None:
    bench = Bench()
    bench.arguments.id = bench.generator.id
    record = await bench.stage().verify(request())
    assert record.bias_warnings == ("generator is generator and argument evaluator at once",)
    with pytest.raises(ConfigurationError, match="allow_self_judged"):
        bench.stage(VerificationConfig(allow_self_judged=False))


async def test_separate_models_carry_no_warning() -> None:
    record = await Bench().stage(VerificationConfig(allow_self_judged=False)).verify(request())
    assert record.bias_warnings == ()


@pytest.mark.requirement("P1", "P2", "P7", "P9")
@pytest.mark.parametrize(
    ("votes", "verdict", "label"),
    [
        ((vote(1, positive=False), vote(2, positive=True)), "accepted", ToolUnnecessary()),
        ((vote(1, positive=True), vote(2, positive=False)), "accepted", TargetIrrelevant()),
        ((vote(1, positive=True), vote(1, positive=False)), "rejected", None),
    ],
)
async def test_a_query_that_is_not_positive_at_both_levels_gets_no_proposals(
    votes: tuple[object, ...], verdict: str, label: object
) -> None:
    bench = Bench()
    record = await bench.stage().verify(request().model_copy(update={"votes": votes}))
    assert (record.verdict, record.label, record.rounds) == (verdict, label, ())
    assert bench.calls == []


async def test_a_query_positive_at_both_levels_gets_proposals() -> None:
    votes = (vote(1, positive=True), vote(2, positive=True))
    record: VerificationRecord = await Bench().stage().verify(request(votes=votes))
    assert (record.verdict, record.votes, len(record.rounds)) == ("accepted", votes, 1)


async def test_a_tool_with_an_unusable_schema_is_rejected_without_a_call() -> None:
    bench = Bench()
    broken = request().tool.model_copy(update={"input_schema": {"$ref": "http://127.0.0.1:9/schema"}})
    record = await bench.stage().verify(request(tool=broken))
    assert record.verdict == "rejected"
    assert "never fetched" in record.reason
    assert bench.calls == []


async def test_a_request_that_is_not_json_is_rejected_without_a_call() -> None:
    bench = Bench()
    record = await bench.stage().verify(request().model_copy(update={"query": Query.of_text("half \ud800")}))
    assert (record.verdict, bench.calls) == ("rejected", [])
    assert "not JSON" in record.reason


async def test_a_record_is_dated_by_the_given_clock() -> None:
    record = await Bench().stage().verify(request())
    assert record.started_at == START
    assert (record.finished_at - record.started_at).total_seconds() == 1
