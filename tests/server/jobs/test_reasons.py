"""Why candidates are not in a benchmark: counted once each, under the model and the gate, with an example."""

from datetime import UTC, datetime
from typing import Literal

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Ineligible, LevelVote, ProposalTrace, Repetition, Round, VerificationRecord
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.server.jobs.outages import Outages
from plugineval.server.jobs.outcomes import stand_ins_told
from plugineval.server.jobs.reasons import Reasons, told
from plugineval.server.jobs.stop_reasons import stopped_because

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
DOWN = Failure(kind=FailureKind.TIMEOUT, detail="no answer within 60 s")


def a_record(
    name: str,
    *traces: ProposalTrace,
    verdict: Literal["accepted", "rejected", "undecided"] = "rejected",
    votes: tuple[LevelVote, ...] = (),
    reason: str = "because",
) -> VerificationRecord:
    return VerificationRecord(
        id=name,
        query=Query.of_text("q"),
        target="add",
        scenario="add/trigger",
        gap="add/trigger|easy@1",
        votes=votes,
        rounds=(Round(number=1, traces=traces),) if traces else (),
        verdict=verdict,
        reason=reason,
        lambda_arg=0.5,
        lambda_out=0.5,
        tau=0.8,
        started_at=NOON,
        finished_at=NOON,
    )


def wrong_tool(generator: str) -> ProposalTrace:
    proposal = Invocation(tool="plus", arguments={})
    return ProposalTrace(round=1, generator=generator, index=0, proposal=proposal, ineligible=Ineligible.WRONG_TOOL)


def test_proposals_are_counted_by_generator_and_gate_and_a_record_that_comes_again_once() -> None:
    reasons = Reasons()
    first = a_record("a", wrong_tool("fast"), wrong_tool("slow"))
    for record in (first, a_record("b", wrong_tool("fast")), first, a_record("c", wrong_tool("x"), verdict="accepted")):
        reasons.add(record)
    assert told(reasons.listed()) == [
        "fast: 2 proposals called another tool (called plus, not add)",
        "slow: 1 proposal called another tool (called plus, not add)",
    ]


def test_a_call_that_failed_is_shown_with_what_the_tool_said() -> None:
    said = Observation(
        arguments={},
        kind=ObservationKind.TOOL_ERROR,
        tool="add",
        text="EISDIR: illegal\n operation",
        detail="the tool reports an error",
    )
    trace = ProposalTrace(
        round=1,
        generator="fast",
        index=0,
        proposal=Invocation(tool="add", arguments={}),
        observation=said,
        ineligible=Ineligible.EXECUTION_ERROR,
    )
    reasons = Reasons()
    reasons.add(a_record("a", trace))
    assert told(reasons.listed()) == [
        "fast: 1 proposal failed when executed (the tool reports an error: EISDIR: illegal operation)"
    ]


def test_a_vote_against_a_candidate_is_the_annotators() -> None:
    reasons = Reasons()
    vote = LevelVote(level=1, positive=False, reason="no", annotator="judge")
    reasons.add(a_record("a", votes=(vote,), reason="annotated (0, 0)"))
    (found,) = reasons.listed()
    assert (found.kind, found.by, found.unit, found.count) == ("dissent", "judge", "candidate", 1)


def test_an_outage_names_the_role_by_what_is_missing() -> None:
    outages = Outages({"argument_evaluator": "judge", "router": "r", "annotator": "a"})
    proposal = Invocation(tool="add", arguments={})
    silent = ProposalTrace(round=1, generator="g", index=0, ineligible=Ineligible.OUTAGE, failure=DOWN)
    unjudged = silent.model_copy(update={"proposal": proposal})
    outages.of_record(a_record("a", silent, unjudged, verdict="undecided"))
    assert outages.sentence == (
        "generator g: timeout: no answer within 60 s; argument evaluator judge: timeout: no answer within 60 s"
    )
    outages.of_record(a_record("b", verdict="undecided", reason="no vote, timeout: gone"))
    assert outages.sentence.endswith("; and 1 more")


def test_a_router_that_is_down_is_named_with_its_failure() -> None:
    outages = Outages({"router": "r"})
    replies = ({"seed": 0, "agrees": None, "failure": DOWN.model_dump(mode="json")},)
    record = a_record("a", verdict="undecided").model_copy(update={"router_replies": replies})
    outages.of_record(record)
    assert outages.sentence == "router r: timeout: no answer within 60 s"


def test_why_a_construction_stopped_and_what_stands_in_is_told_in_words() -> None:
    assert stopped_because("gain_below_threshold", BuildConfig(patience=3)).startswith("gain_below_threshold: 3 rounds")
    assert stopped_because("incomplete", None) == "incomplete"
    assert stand_ins_told(0, 0) == ""
    assert stand_ins_told(2, 1).endswith("fill 1 of 2")
    assert stand_ins_told(1, 0).startswith("1 place got no example")


def test_annotators_that_disagree_are_a_reason_of_their_own() -> None:
    votes = tuple(
        LevelVote(level=1, positive=positive, reason="so", annotator=name)
        for positive, name in ((True, "a"), (False, "b"))
    )
    reasons = Reasons()
    reasons.add(a_record("a", votes=votes))
    assert told(reasons.listed()) == ["1 candidate split the annotators (because)"]


def test_a_gold_call_that_failed_the_second_time_and_one_of_several_calls_are_told_apart() -> None:
    gold = Invocation(tool="add", arguments={})
    accepted = ProposalTrace(round=1, generator="fast", index=0, proposal=gold, score=1.0)
    failed = Observation(kind=ObservationKind.EMPTY, tool="add", arguments={})
    once = a_record("a", accepted).model_copy(
        update={
            "rounds": (Round(number=1, traces=(accepted,), best=0, accepted=True),),
            "repetition": Repetition(observation=failed),
        }
    )
    chained = once.model_copy(
        update={"id": "b", "repetition": None, "further": (a_record("b-call-2", wrong_tool("fast")),)}
    )
    reasons = Reasons()
    for record in (once, chained):
        reasons.add(record)
    assert {reason.kind for reason in reasons.listed()} == {"not_repeated", "wrong_tool"}
