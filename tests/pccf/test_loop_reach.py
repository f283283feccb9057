"""What cannot be had is not asked for for ever: its budget moves, or stays as a deficit that is told."""

import pytest

from doubles.construction import (
    ScriptedRouter,
    ScriptedVerifier,
    Verdict,
    World,
    accept_as_meant,
    calling,
    scenario,
    world,
    write_all,
)
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.reach import ENOUGH, ENOUGH_ALIKE, ENOUGH_OF_KIND, Reach
from plugineval.pccf.construction.results import ConstructionResult, StopReason
from plugineval.pccf.coverage.catalog import Catalog, Refusal
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty, Example, Query, SampleType
from plugineval.pccf.labels import Label, TargetIrrelevant
from plugineval.pccf.loop import construct
from plugineval.pccf.roles import WritingTask, Written
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.verification import VerificationRequest

pytestmark = pytest.mark.anyio

ONE, OTHER = (scenario(ScenarioKind.TYPE_C, "weather", number) for number in range(2))
TRIGGER, CLOCK = scenario(ScenarioKind.TRIGGER, "weather"), scenario(ScenarioKind.TRIGGER, "clock")


async def built(made: World) -> ConstructionResult:
    return await construct(made.plan, made.roles, made.hear)


def negatives(size: int, level: Difficulty) -> BuildConfig:
    mix = (float(level is Difficulty.EASY), float(level is Difficulty.MEDIUM), float(level is Difficulty.HARD))
    return BuildConfig(size=size, negative_share=0.9, difficulty_mix=mix, calibration_runs=2, strengthening=0)


def unit(chosen: Scenario, level: Difficulty) -> CoverageUnit:
    return CoverageUnit(scenario=chosen.id, difficulty=level)


def negative(chosen: Scenario, p_k: float) -> Example:
    level = {0.0: Difficulty.HARD, 1.0: Difficulty.EASY}.get(p_k, Difficulty.MEDIUM)
    return Example(
        id="e",
        query=Query.of_text("q"),
        target=chosen.target,
        label=TargetIrrelevant(),
        sample_type=SampleType.TARGETED_NEGATIVE,
        scenario=chosen.id,
        target_difficulty=level,
        difficulty=level,
        p_k=p_k,
        record_id="r",
        gap="g",
    )


def missed(reach: Reach, wanted: CoverageUnit, count: int, p_k: float = 1.0) -> None:
    scenarios = {s.id: s for s in (ONE, OTHER)}
    for _ in range(count):
        reach.verified(wanted, negative(scenarios[wanted.scenario], p_k))
        reach.end_round()


@pytest.mark.requirement("P28")
def test_a_unit_is_out_of_reach_after_enough_misses_in_a_row_and_one_hit_takes_it_back() -> None:
    reach, wanted = Reach([ONE, OTHER]), unit(ONE, Difficulty.HARD)
    missed(reach, wanted, ENOUGH - 1)
    assert wanted in reach
    missed(reach, wanted, 1)
    assert wanted not in reach
    assert unit(OTHER, Difficulty.HARD) in reach
    missed(reach, unit(ONE, Difficulty.EASY), 1, p_k=0.0)
    assert wanted in reach


def test_misses_of_one_round_count_when_it_is_over_because_they_may_still_be_strengthened() -> None:
    reach, wanted = Reach([ONE]), unit(ONE, Difficulty.HARD)
    for _ in range(ENOUGH):
        reach.verified(wanted, negative(ONE, 1.0))
    assert wanted in reach
    reach.end_round()
    assert wanted not in reach


def test_a_difficulty_that_no_negative_of_a_kind_ever_shows_is_out_of_reach_for_the_whole_kind() -> None:
    many = [scenario(ScenarioKind.TYPE_C, "weather", number) for number in range(ENOUGH_OF_KIND + 1)]
    reach = Reach(many)
    for each in many[:-1]:
        assert unit(many[-1], Difficulty.HARD) in reach
        reach.verified(unit(each, Difficulty.HARD), negative(each, 1.0))
        reach.end_round()
    assert unit(many[-1], Difficulty.HARD) not in reach
    assert unit(many[-1], Difficulty.EASY) in reach


def test_a_router_that_answers_every_run_alike_shows_no_medium_negative() -> None:
    reach = Reach([ONE, OTHER])
    for number in range(ENOUGH_ALIKE):
        assert unit(OTHER, Difficulty.MEDIUM) in reach
        reach.verified(None, negative(ONE, float(number % 2)))
    assert unit(OTHER, Difficulty.MEDIUM) not in reach
    reach.verified(None, negative(ONE, 0.5))
    assert unit(OTHER, Difficulty.MEDIUM) in reach


@pytest.mark.requirement("P28", "P33", "X11")
async def test_what_no_router_run_ever_shows_is_left_as_a_deficit_after_few_calls() -> None:
    made = world(negatives(4, Difficulty.MEDIUM), [ONE, OTHER])
    made.router = ScriptedRouter(script=lambda query, seed: calling())
    result = await built(made)
    assert (result.stop_reason, result.coverage.deficit) == (StopReason.GAIN_BELOW_THRESHOLD, 4)
    assert len(result.rounds) <= 3
    assert result.counts.candidates <= ENOUGH_ALIKE
    assert {e.difficulty for e in result.surplus} == {Difficulty.EASY}


async def test_its_budget_moves_to_a_scenario_where_that_difficulty_can_be_had() -> None:
    made = world(negatives(2, Difficulty.HARD), [ONE, OTHER])
    made.router = ScriptedRouter(
        script=lambda query, seed: calling("weather") if OTHER.title in query.text else calling()
    )
    result = await built(made)
    assert result.stop_reason is StopReason.BUDGETS_MET
    assert {e.scenario for e in result.benchmark.examples} == {OTHER.id}
    moves = [move for done in result.rounds for move in done.moves]
    assert [(m.source, m.target) for m in moves] == [(unit(ONE, Difficulty.HARD), unit(OTHER, Difficulty.HARD))]


async def test_enough_are_still_written_to_stand_in_for_what_is_out_of_reach() -> None:
    made = world(negatives(4, Difficulty.MEDIUM), [ONE])
    made.router = ScriptedRouter(script=lambda query, seed: calling())
    made.stand_ins = True
    result = await built(made)
    assert len(result.benchmark.examples) == 4
    assert (len(result.stand_ins), result.coverage.deficit) == (4, 4)


async def test_a_scenario_that_is_rejected_again_and_again_gives_its_budget_away() -> None:
    def no_weather(request: VerificationRequest) -> tuple[Verdict, Label | None]:
        return ("rejected", None) if request.tool.offered_name == "weather" else accept_as_meant(request)

    made = world(BuildConfig(size=4, negative_share=0, difficulty_mix=(1, 0, 0), patience=5), [TRIGGER, CLOCK])
    made.verifier = ScriptedVerifier(script=no_weather)
    result = await built(made)
    assert (result.stop_reason, {e.target for e in result.benchmark.examples}) == (StopReason.BUDGETS_MET, {"clock"})
    assert result.counts.rejected == 6


@pytest.mark.requirement("P64")
async def test_in_one_shot_everything_is_written_once_and_nothing_is_looked_at_again() -> None:
    config = negatives(4, Difficulty.HARD).model_copy(update={"closed_loop": False, "strengthening": 2})
    made = world(config, [ONE, OTHER])
    result = await built(made)
    assert (result.stop_reason, len(result.rounds)) == (StopReason.SINGLE_SHOT, 1)
    assert (result.counts.candidates, result.rounds[0].moves, made.writer.strengthening) == (4, (), [])


@pytest.mark.requirement("P21")
async def test_a_given_catalog_is_checked_and_nothing_is_derived() -> None:
    astray = TRIGGER.model_copy(update={"id": "astray", "target": "nowhere"})
    made = world(BuildConfig(size=1, negative_share=0, difficulty_mix=(1, 0, 0)), [CLOCK], write_all)
    made.catalog = Catalog(scenarios=(TRIGGER, astray))
    result = await built(made)
    assert made.writer.derived == []
    assert [e.scenario for e in result.benchmark.examples] == [TRIGGER.id]
    assert [(r.scenario.id, r.reason) for r in result.refused] == [("astray", Refusal.OTHER_TARGET)]


@pytest.mark.requirement("P28")
async def test_a_unit_that_a_budget_moved_to_is_asked_for_no_more_than_it_misses_at_first() -> None:
    made = world(BuildConfig(size=1, negative_share=0, difficulty_mix=(0, 0, 1)), [TRIGGER, CLOCK])
    made.writer.script = lambda task: write_all(task) if task.scenario == CLOCK else Written()
    await built(made)
    asked = [(task.attempt, task.scenario.target, task.count) for task in made.writer.tasks]
    assert asked == [(0, "weather", 1), (1, "clock", 1)]


@pytest.mark.requirement("D2", "P28")
async def test_a_gap_for_which_nothing_can_be_written_is_filled_at_another_tool() -> None:
    def weather_only_easy(task: WritingTask) -> Written:
        unwritable = task.scenario == TRIGGER and task.difficulty is Difficulty.HARD
        return Written() if unwritable else write_all(task)

    config = BuildConfig(size=2, negative_share=0, difficulty_mix=(0.0, 0.0, 1.0))
    made = world(config, [TRIGGER, CLOCK], weather_only_easy)
    result = await built(made)
    hard = {s.id: CoverageUnit(scenario=s.id, difficulty=Difficulty.HARD) for s in (TRIGGER, CLOCK)}
    assert [(m.source, m.target, m.count) for m in result.rounds[0].moves] == [(hard[TRIGGER.id], hard[CLOCK.id], 1)]
    assert [e.scenario for e in result.benchmark.examples] == [CLOCK.id, CLOCK.id]
    assert {r.unit: (r.budget, r.deficit) for r in result.coverage.rows} == {
        hard[TRIGGER.id]: (0, 0),
        hard[CLOCK.id]: (2, 0),
    }
    assert (result.stop_reason, [r.gain for r in result.rounds]) == (StopReason.BUDGETS_MET, [1, 1])
