"""What a writer learns from the rounds before: what the server said, what it holds, how hard a query proved."""

from collections.abc import Callable

import pytest

from doubles.construction import NOW, ScriptedVerifier, Verdict, World, accept_as_meant, kind_of, scenario, tool, world
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.lessons import LOOK_KEPT, looked_at, turned_down
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation, Proposal
from plugineval.pccf.labels import Label
from plugineval.pccf.loop import construct
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Assessment, DepthVote, ProposalTrace, Round, VerificationRecord
from plugineval.pccf.roles import DepthVoted
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import ToolHints
from plugineval.pccf.verification import VerificationRequest

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P34")]

CALL = Invocation(tool="weather", arguments={"place": "Oslo"})


def record(*traces: ProposalTrace, accepted: bool = False) -> VerificationRecord:
    best = 0 if accepted else None
    return VerificationRecord(
        id="r",
        query=Query.of_text("q"),
        target="weather",
        scenario="s",
        gap="g",
        rounds=(Round(number=1, traces=traces, best=best, accepted=accepted),),
        verdict="accepted" if accepted else "rejected",
        reason="nothing was eligible",
        lambda_arg=0.5,
        lambda_out=0.5,
        tau=0.8,
        started_at=NOW,
        finished_at=NOW,
    )


def trace(
    proposal: Proposal = CALL, kind: ObservationKind | None = None, text: str = "", said: str = ""
) -> ProposalTrace:
    shown = Observation(kind=kind, tool="weather", arguments={}, text=text) if kind else None
    assessment = Assessment(score=0.4, reason=said, evaluator="e") if said else None
    return ProposalTrace(
        round=1, generator="g", index=0, proposal=proposal, observation=shown, argument_assessment=assessment
    )


def test_a_rejection_tells_once_what_the_server_said_to_the_calls_that_failed() -> None:
    failed = trace(kind=ObservationKind.TOOL_ERROR, text="no place\nnamed Oslo", said="well argued")
    told = turned_down("Oslo?", record(failed, failed, trace(Abstention(reason="none"))))
    assert told == "'Oslo?': nothing was eligible; the server answered 'no place named Oslo'"


def test_where_nothing_failed_a_rejection_tells_what_was_said_of_the_best_call_and_not_of_abstentions() -> None:
    abstained = trace(Abstention(reason="none"), said="it should have called")
    told = turned_down("Oslo?", record(abstained, trace(kind=ObservationKind.RETURNED, said="the place is wrong")))
    assert told == "'Oslo?': nothing was eligible; an evaluator said of the best proposal 'the place is wrong'"


def test_a_rejection_at_the_levels_has_nothing_but_its_reason() -> None:
    bare = record().model_copy(update={"rounds": ()})
    assert turned_down("Oslo?", bare) == "'Oslo?': nothing was eligible"


@pytest.mark.parametrize(
    ("hints", "shown"),
    [
        (ToolHints(), True),
        (ToolHints(read_only=True), True),
        (ToolHints(read_only=False), False),
        (ToolHints(destructive=True), False),
    ],
)
def test_only_what_changes_nothing_is_a_look_at_the_server(hints: ToolHints, shown: bool) -> None:
    weather = tool("weather").model_copy(update={"hints": hints})
    verified = record(trace(kind=ObservationKind.RETURNED, text="sunny " * 200), accepted=True)
    looks = dict(looked_at(verified, (weather,)))
    assert bool(looks) is shown
    if shown:
        assert looks["weather"].startswith('weather {"place":"Oslo"} returned: sunny sunny')
        assert len(looks["weather"]) < LOOK_KEPT + 60


@pytest.mark.parametrize("verdict", ["accepted", "rejected"])
async def test_the_next_round_is_written_with_the_lessons_of_this_one(verdict: Verdict) -> None:
    made = built_world(lambda query: verdict)
    await construct(made.plan, made.roles, made.hear)
    first, later = made.writer.tasks[0], made.writer.tasks[-1]
    assert (first.evidence, first.missed, first.returned) == ((), (), ())
    if verdict == "rejected":
        assert later.evidence[0].endswith("scripted")
        assert not later.returned
    else:
        assert later.returned == ('weather {"place":"Oslo"} returned: sunny',)
        assert later.missed[0].endswith("verified, but easy: it takes 0 inference steps")


async def test_the_looks_at_one_server_are_not_shown_for_the_tools_of_another() -> None:
    made = built_world(lambda query: "rejected" if "clock" in query.text else "accepted", targets=("weather", "clock"))
    await construct(made.plan, made.roles, made.hear)
    later = {task.tool.offered_name: task.returned for task in made.writer.tasks if task.attempt == 1}
    assert later == {"weather": ('weather {"place":"Oslo"} returned: sunny',), "clock": ()}


def built_world(verdict_of: Callable[[Query], Verdict], targets: tuple[str, ...] = ("weather",)) -> World:
    """Triggers of medium difficulty that prove to be easy."""

    def verify(request: VerificationRequest) -> tuple[Verdict, Label | None]:
        assert kind_of(request.query) is ScenarioKind.TRIGGER
        verdict = verdict_of(request.query)
        return verdict, accept_as_meant(request)[1] if verdict == "accepted" else None

    config = BuildConfig(size=2, negative_share=0, difficulty_mix=(0, 1, 0), patience=2)
    made = world(config, [scenario(ScenarioKind.TRIGGER, target) for target in targets])
    made.verifier = ScriptedVerifier(script=verify)
    made.depth.script = lambda query, target, invocation: DepthVoted(vote=DepthVote(annotator="scripted-depth"))
    return made
