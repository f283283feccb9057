"""Several annotators vote by themselves: only where all agree is anything settled, and every vote is kept."""

from dataclasses import replace

import pytest

from doubles.construction import ScriptedAnnotator, World, scenario, vote_as_meant, world
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.events import RecordVerified
from plugineval.pccf.construction.results import ConstructionResult
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Query
from plugineval.pccf.loop import construct
from plugineval.pccf.records import LevelVote, VerificationRecord
from plugineval.pccf.roles import Voted
from plugineval.pccf.scenarios import Scenario, ScenarioKind

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P1", "P2")]

TRIGGER, TYPE_A, TYPE_B = (
    scenario(kind, "weather", lookalike="clock")
    for kind in (ScenarioKind.TRIGGER, ScenarioKind.TYPE_A, ScenarioKind.TYPE_B)
)


async def built(made: World) -> ConstructionResult:
    return await construct(made.plan, made.roles, made.hear)


def one(chosen: Scenario) -> World:
    share = 0.0 if chosen.kind.positive else 0.9
    config = BuildConfig(size=1, negative_share=share, difficulty_mix=(1, 0, 0), max_loop_rounds=1, strengthening=0)
    return world(config, [chosen])


def against(level: int) -> ScriptedAnnotator:
    """Votes as meant except at one level."""

    def script(at: int, query: Query) -> Voted:
        meant = vote_as_meant(2 if at == 2 else 1, query)
        assert meant.vote is not None
        flipped = meant.vote.model_copy(update={"positive": not meant.vote.positive, "reason": "I differ"})
        return Voted(vote=(flipped if at == level else meant.vote).model_copy(update={"annotator": "second"}))

    return ScriptedAnnotator(script=script, id="second")


def the_record(made: World) -> VerificationRecord:
    return next(event.record for event in made.events if isinstance(event, RecordVerified))


def shown(votes: tuple[LevelVote, ...]) -> list[tuple[int, str, bool]]:
    return [(vote.level, vote.annotator, vote.positive) for vote in votes]


async def test_votes_that_agree_settle_as_one_would_and_are_all_kept() -> None:
    made = one(TRIGGER)
    made.second_annotator = against(0)
    result = await built(made)
    assert (result.counts.accepted, result.counts.disputed) == (1, 0)
    first = "scripted-annotator"
    assert shown(the_record(made).votes) == [
        (1, first, True),
        (1, "second", True),
        (2, first, True),
        (2, "second", True),
    ]
    assert result.benchmark.roles["annotator"] == "scripted-annotator, second"


@pytest.mark.requirement("P20")
@pytest.mark.parametrize(
    ("chosen", "level", "asked"), [(TRIGGER, 1, 2), (TRIGGER, 2, 4), (TYPE_A, 1, 2), (TYPE_B, 2, 4)]
)
async def test_a_split_vote_rejects_with_every_vote_and_is_counted_apart(
    chosen: Scenario, level: int, asked: int
) -> None:
    made = one(chosen)
    made.second_annotator = against(level)
    result = await built(made)
    record = the_record(made)
    assert (record.verdict, record.label, len(record.votes)) == ("rejected", None, asked)
    assert record.reason.startswith(f"the annotators disagree at level {level}: scripted-annotator says ")
    assert "(I differ)" in record.reason
    assert (result.counts.rejected, result.counts.disputed, result.rounds[0].disputed) == (1, 1, 1)
    assert (made.verifier.requests, made.router.asked) == ([], [])


async def test_annotators_that_agree_against_the_writer_dispute_nothing() -> None:
    made = one(TYPE_B)
    made.annotator, made.second_annotator = against(2), against(2)
    result = await built(made)
    assert the_record(made).reason == "annotated (1, 1) where type_b expects (1, 0): I differ"
    assert (result.counts.rejected, result.counts.disputed) == (1, 0)


async def test_one_model_that_votes_twice_is_asked_twice() -> None:
    made = one(TRIGGER)
    made.second_annotator = ScriptedAnnotator()
    await built(made)
    assert [len(made.annotator.asked), len(made.second_annotator.asked)] == [2, 2]
    assert made.ledger.made.count("vote") == 4


@pytest.mark.requirement("P17")
async def test_a_writer_that_votes_on_its_own_queries_is_a_bias_warning_in_negatives_too() -> None:
    made = one(TYPE_A)
    made.annotator.id = made.writer.id
    await built(made)
    assert the_record(made).bias_warnings == ("scripted-writer is query writer and level annotator at once",)


def test_a_construction_without_annotators_is_refused() -> None:
    roles = one(TRIGGER).roles
    with pytest.raises(ConfigurationError, match="at least one annotator"):
        replace(roles, annotators=())
