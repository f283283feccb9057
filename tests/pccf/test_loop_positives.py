"""What an accepted call must still show: a second execution, and a depth that its writer did not tell."""

import pytest

from doubles.construction import DOWN, ScriptedDepth, ScriptedVerifier, World, scenario, shown, world, write_all
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.events import RecordVerified
from plugineval.pccf.construction.results import ConstructionResult
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import ValidInvocation
from plugineval.pccf.loop import construct
from plugineval.pccf.observations import ObservationKind
from plugineval.pccf.records import DepthVote, Repetition, VerificationRecord
from plugineval.pccf.roles import DepthVoted
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.verification import Repeated

pytestmark = pytest.mark.anyio

TRIGGER = scenario(ScenarioKind.TRIGGER, "weather")
BOTH = scenario(ScenarioKind.TRIGGER, "weather", 1).model_copy(update={"then": ("clock",), "ordered": True})


async def built(made: World) -> ConstructionResult:
    return await construct(made.plan, made.roles, made.hear)


def one(mix: tuple[float, float, float] = (0, 1, 0), *, repeat: bool = True) -> World:
    config = BuildConfig(size=1, negative_share=0, difficulty_mix=mix, max_loop_rounds=1, repeat_gold=repeat)
    return world(config, [TRIGGER])


def deep(*steps: str) -> ScriptedDepth:
    def script(query: Query, tool: ToolSpec, invocation: Invocation) -> DepthVoted:
        return DepthVoted(vote=DepthVote(steps=steps, annotator="scripted-depth"))

    return ScriptedDepth(script=script)


def the_record(made: World) -> VerificationRecord:
    return next(event.record for event in made.events if isinstance(event, RecordVerified))


@pytest.mark.requirement("P26")
async def test_the_second_roles_depth_counts_and_the_record_says_where_the_writer_differs() -> None:
    made = one()
    made.depth = deep("look it up", "convert it")
    result = await built(made)
    (example,) = result.surplus
    record = the_record(made)
    assert (example.target_difficulty, example.difficulty) == (Difficulty.MEDIUM, Difficulty.HARD)
    assert example.inference_steps == ("look it up", "convert it")
    assert (record.stated_steps, [vote.steps for vote in record.depth_votes]) == (
        ("one",),
        [("look it up", "convert it")],
    )
    told = "its writer states 1 inference steps (medium), who verified them 2 (hard)"
    assert record.reason == f"scripted; {told}"
    assert result.coverage.deficit == 1


@pytest.mark.requirement("P26")
async def test_a_depth_in_which_both_agree_needs_no_words() -> None:
    made = one()
    result = await built(made)
    assert [e.difficulty for e in result.benchmark.examples] == [Difficulty.MEDIUM]
    assert the_record(made).reason == "scripted"


@pytest.mark.requirement("E3")
@pytest.mark.parametrize("answer", [DepthVoted(failure=DOWN), DepthVoted()])
async def test_a_depth_that_cannot_be_had_leaves_the_candidate_undecided(answer: DepthVoted) -> None:
    made = one()
    made.depth = ScriptedDepth(script=lambda query, tool, invocation: answer)
    result = await built(made)
    record = the_record(made)
    assert (record.verdict, record.label, result.counts.undecided) == ("undecided", None, 1)
    assert record.reason.startswith("no depth vote, ")


async def test_the_gold_call_is_executed_again_and_what_moves_is_kept() -> None:
    made = one()
    made.verifier = ScriptedVerifier(
        again=lambda record: Repeated(repetition=Repetition(observation=shown(record), moving=("/now",)))
    )
    await built(made)
    record = the_record(made)
    assert made.verifier.repeated == [(record.id, "weather", 0)]
    assert record.repetition is not None
    assert (record.verdict, record.repetition.moving) == ("accepted", ("/now",))


async def test_gold_that_does_not_execute_again_is_no_gold() -> None:
    def gone(record: VerificationRecord) -> Repeated:
        failed = shown(record).model_copy(update={"kind": ObservationKind.EMPTY})
        return Repeated(repetition=Repetition(observation=failed), problem="it came back empty")

    made = one()
    made.verifier = ScriptedVerifier(again=gone)
    result = await built(made)
    record = the_record(made)
    assert (record.verdict, record.label, record.reason) == ("rejected", None, "it came back empty")
    assert record.repetition is not None
    assert (result.benchmark.examples, result.counts.rejected) == ((), 1)


@pytest.mark.requirement("E3")
async def test_an_outage_of_the_second_execution_decides_nothing() -> None:
    made = one()
    made.verifier = ScriptedVerifier(again=lambda record: Repeated(failure=DOWN))
    result = await built(made)
    assert the_record(made).reason == "no second execution, provider_error: down"
    assert result.counts.undecided == 1


async def test_nothing_is_executed_again_where_that_is_switched_off() -> None:
    made = one(repeat=False)
    await built(made)
    assert made.verifier.repeated == []
    assert the_record(made).repetition is None


@pytest.mark.requirement("P44")
async def test_a_request_of_several_calls_is_verified_repeated_and_gauged_call_by_call() -> None:
    made = world(BuildConfig(size=1, negative_share=0, difficulty_mix=(0, 0, 1), max_loop_rounds=1), [BOTH], write_all)
    made.depth = deep("one step")
    result = await built(made)
    (example,) = result.benchmark.examples
    assert isinstance(example.label, ValidInvocation)
    assert [call.tool for call in example.gold] == ["weather", "clock"]
    assert (example.ordered, example.difficulty, example.inference_steps) == (
        True,
        Difficulty.HARD,
        ("one step", "one step"),
    )
    assert [(name, after) for _, name, after in made.verifier.repeated] == [("weather", 0), ("clock", 1)]
    record = the_record(made)
    assert [len(record.depth_votes), len(record.further)] == [2, 1]
    assert record.further[0].repetition is not None
    assert [tool for _, tool in made.depth.asked] == ["weather", "clock"]
    assert [level for level, _ in made.annotator.asked] == [1, 2, 2]


@pytest.mark.requirement("P44")
async def test_calls_that_need_nothing_of_each_other_are_executed_again_as_apart_as_they_were_verified() -> None:
    apart = BOTH.model_copy(update={"ordered": False})
    made = world(BuildConfig(size=1, negative_share=0, difficulty_mix=(0, 0, 1), max_loop_rounds=1), [apart], write_all)
    await built(made)
    assert [(name, after) for _, name, after in made.verifier.repeated] == [("weather", 0), ("clock", 0)]
