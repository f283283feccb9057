"""A negative that the router saw through is made harder with the evidence of its runs, and calibrated again (P32)."""

import re

import pytest

from doubles.construction import (
    DOWN,
    MemoryLedger,
    ScriptedRouter,
    World,
    calling,
    kind_of,
    scenario,
    world,
)
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.events import RecordVerified
from plugineval.pccf.construction.results import ConstructionResult
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.loop import construct
from plugineval.pccf.roles import Candidate, StrengtheningTask, Written
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.scenarios import ScenarioKind

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P32", "P34")]

TYPE_C = scenario(ScenarioKind.TYPE_C, "weather")
HARD = (0.0, 0.0, 1.0)


async def built(made: World) -> ConstructionResult:
    return await construct(made.plan, made.roles, made.hear)


def config(size: int = 1, *, strengthening: int = 2, per_example: int = 10) -> BuildConfig:
    return BuildConfig(
        size=size,
        negative_share=0.9,
        difficulty_mix=HARD,
        calibration_runs=3,
        max_loop_rounds=1,
        strengthening=strengthening,
        candidates_per_example=per_example,
    )


def strength(query: Query) -> int:
    found = re.search(r"harder (\d+)", query.text)
    return int(found.group(1)) if found else 0


def harder(task: StrengtheningTask) -> Written:
    text = f"{task.query.text.partition(', harder')[0]}, harder {strength(task.query) + 1}"
    query = Query.of_text(text, origin="synthetic")
    return Written(candidates=(Candidate(query=query, scenario=task.scenario.id, difficulty=task.difficulty),))


def fooled_by(strong: int) -> ScriptedRouter:
    """Calls the forbidden tool in as many of three runs as the query is strong, in all from `strong` on."""

    def script(query: Query, seed: int) -> RouterReply:
        taken_in = strength(query) >= strong or seed < strength(query)
        return calling("weather") if taken_in else calling("clock")

    return ScriptedRouter(script=script)


def a_world(config: BuildConfig, *, strong: int) -> World:
    made = world(config, [TYPE_C])
    made.writer.harder = harder
    made.router = fooled_by(strong)
    return made


async def test_what_proved_too_easy_is_strengthened_until_it_is_hard_enough() -> None:
    made = a_world(config(), strong=2)
    result = await built(made)
    (example,) = result.benchmark.examples
    assert (strength(example.query), example.difficulty, example.target_difficulty) == (
        2,
        Difficulty.HARD,
        Difficulty.HARD,
    )
    assert [(e.difficulty, e.p_k) for e in result.surplus] == [(Difficulty.EASY, 1.0), (Difficulty.MEDIUM, 2 / 3)]
    only = result.rounds[0]
    assert (only.strengthened, only.harder, only.candidates, only.accepted, only.deficit_after) == (2, 2, 3, 3, 0)
    records = [e.record for e in made.events if isinstance(e, RecordVerified)]
    assert [record.strengthens for record in records] == [None, records[0].id, records[1].id]


async def test_the_writer_sees_what_the_router_answered_and_which_answers_saw_through() -> None:
    made = a_world(config(), strong=2)
    await built(made)
    first, second = made.writer.strengthening
    assert (first.attempt, first.observed, first.difficulty) == (1, Difficulty.EASY, Difficulty.HARD)
    assert first.evidence == ("runs 0, 1, 2: the router saw that weather must not be called: it called clock({})",)
    assert (second.attempt, second.observed, strength(second.query)) == (2, Difficulty.MEDIUM, 1)
    assert second.evidence == (
        "run 0: the router was taken in: it called weather({})",
        "runs 1, 2: the router saw that weather must not be called: it called clock({})",
    )
    assert second.avoid == (first.query.text, second.query.text)


async def test_it_is_given_up_after_the_configured_number_of_times() -> None:
    made = a_world(config(), strong=9)
    result = await built(made)
    assert [task.attempt for task in made.writer.strengthening] == [1, 2]
    assert (result.benchmark.examples, len(result.surplus), result.rounds[0].harder) == ((), 3, 2)
    untouched = a_world(config(strengthening=0), strong=1)
    await built(untouched)
    assert untouched.writer.strengthening == []


async def test_as_many_are_strengthened_as_their_unit_misses() -> None:
    made = a_world(config(3), strong=1)
    made.writer.harder = lambda task: harder(task) if "0.1" not in task.query.text else Written()
    result = await built(made)
    assert len(made.writer.strengthening) == 4
    assert (result.rounds[0].strengthened, len(result.benchmark.examples)) == (2, 2)


async def test_a_harder_wording_that_is_not_verified_leaves_the_older_one_to_be_tried_again() -> None:
    def off_kind(task: StrengtheningTask) -> Written:
        made = harder(task)
        if task.attempt > 1:
            return made
        text = made.candidates[0].query.text.replace("type_c:", "trigger:", 1)
        return Written(
            candidates=(made.candidates[0].model_copy(update={"query": Query.of_text(text, origin="synthetic")}),)
        )

    made = a_world(config(), strong=1)
    made.writer.harder = off_kind
    result = await built(made)
    again = made.writer.strengthening
    assert again[0].query == again[1].query
    assert (result.counts.rejected, result.counts.strengthened, result.counts.harder) == (1, 2, 1)


async def test_harder_wordings_are_charged_to_the_synthesis_budget() -> None:
    made = a_world(config(per_example=2), strong=9)
    result = await built(made)
    assert (result.counts.candidates, len(made.writer.strengthening)) == (2, 1)


async def test_a_writer_that_is_down_while_it_strengthens_is_listed() -> None:
    made = a_world(config(), strong=1)
    made.writer.harder = lambda task: Written(failure=DOWN)
    result = await built(made)
    assert (result.rounds[0].failures, result.rounds[0].strengthened) == ((DOWN, DOWN), 0)


@pytest.mark.requirement("X3")
async def test_a_replay_strengthens_nothing_again_and_ends_the_same() -> None:
    first = a_world(config(4), strong=2)
    once = await built(first)
    ledger: MemoryLedger = first.ledger
    made_before = len(ledger.made)
    second = a_world(config(4), strong=2)
    second.ledger = ledger
    twice = await built(second)
    assert (len(ledger.made), second.writer.strengthening) == (made_before, [])
    assert twice.benchmark.content_hash == once.benchmark.content_hash
    assert twice.rounds == once.rounds


async def test_a_negative_as_hard_as_its_unit_asks_or_harder_is_left_alone() -> None:
    made = world(config().model_copy(update={"difficulty_mix": (0.0, 1.0, 0.0)}), [TYPE_C])
    made.router = ScriptedRouter(script=lambda query, seed: calling("weather"))
    await built(made)
    assert {kind_of(Query.of_text(text)) for text, _ in made.router.asked} == {TYPE_C.kind}
    assert made.writer.strengthening == []
