"""Why a construction ends: three reasons of its own, a guard, and outages that decide nothing."""

from typing import Literal

import pytest

from doubles.construction import (
    DOWN,
    ScriptedAnnotator,
    ScriptedRouter,
    ScriptedVerifier,
    ScriptedWriter,
    Verdict,
    World,
    accept_as_meant,
    kind_of,
    scenario,
    vote_as_meant,
    world,
    write_all,
)
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.events import RecordVerified
from plugineval.pccf.construction.results import ConstructionResult, Incomplete, StopReason
from plugineval.pccf.construction.rounds import ConstructionRound
from plugineval.pccf.construction.stopping import GRACE, Drought, Stopping, drought_of
from plugineval.pccf.coverage.deficits import CoverageTable
from plugineval.pccf.coverage.moving import BudgetMove
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.errors import IncompleteError
from plugineval.pccf.examples import Difficulty, Query
from plugineval.pccf.labels import Label
from plugineval.pccf.loop import construct
from plugineval.pccf.roles import DerivedScenarios, ScenarioTask, Voted, WritingTask, Written
from plugineval.pccf.routing import RouterReply
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.verification import VerificationRequest

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P35")]

TRIGGER, TYPE_A = scenario(ScenarioKind.TRIGGER, "weather"), scenario(ScenarioKind.TYPE_A, "weather")


def config(size: int, *, patience: int = 2, per_example: int = 10, rounds: int = 50) -> BuildConfig:
    return BuildConfig(
        size=size,
        negative_share=0,
        difficulty_mix=(1, 0, 0),
        patience=patience,
        candidates_per_example=per_example,
        max_loop_rounds=rounds,
    )


async def built(made: World) -> ConstructionResult:
    return await construct(made.plan, made.roles, made.hear)


def reject(request: VerificationRequest) -> tuple[Verdict, Label | None]:
    return "rejected", None


def undecided(request: VerificationRequest) -> tuple[Verdict, Label | None]:
    return "undecided", None


async def test_the_loop_stops_when_all_budgets_are_met() -> None:
    result = await built(world(config(2), [TRIGGER]))
    assert (result.stop_reason, len(result.rounds), result.coverage.deficit) == (StopReason.BUDGETS_MET, 1, 0)


async def test_the_loop_stops_after_the_configured_number_of_rounds_without_gain() -> None:
    made = world(config(2, patience=3), [TRIGGER])
    made.verifier = ScriptedVerifier(script=reject)
    result = await built(made)
    assert (result.stop_reason, len(result.rounds)) == (StopReason.GAIN_BELOW_THRESHOLD, 3)
    assert (result.counts.rejected, result.counts.candidates) == (10, 10)


async def test_a_writer_with_nothing_new_ends_as_gain_below_threshold() -> None:
    result = await built(world(config(2), [TRIGGER], lambda task: Written()))
    assert (result.stop_reason, len(result.rounds)) == (StopReason.GAIN_BELOW_THRESHOLD, 2)
    assert (result.counts.candidates, result.incomplete) == (0, None)


async def test_the_synthesis_budget_bounds_what_is_asked_for_and_ends_the_loop() -> None:
    made = world(config(3, patience=9, per_example=4), [TRIGGER])
    made.verifier = ScriptedVerifier(script=reject)
    result = await built(made)
    assert [task.count for task in made.writer.tasks] == [3, 6, 3]
    assert (result.stop_reason, result.counts.candidates) == (StopReason.SYNTHESIS_BUDGET_EXHAUSTED, 12)


async def test_the_round_limit_is_named_as_such() -> None:
    made = world(config(3, patience=9, rounds=2), [TRIGGER])
    made.verifier = ScriptedVerifier(script=reject)
    result = await built(made)
    assert (result.stop_reason, len(result.rounds)) == (StopReason.ROUND_LIMIT, 2)


def gaining(number: int, gain: int, *, undecided: int = 0) -> ConstructionRound:
    return ConstructionRound(
        number=number,
        deficit_before=300,
        deficit_after=300 - gain,
        candidates=9,
        accepted=5,
        rejected=0,
        undecided=undecided,
        coverage=CoverageTable(),
    )


def test_the_threshold_is_a_share_of_the_size_and_rounds_below_it_must_be_consecutive() -> None:
    stopping = Stopping(config(300))
    gains = [2, 3, 2, 2]
    assert [stopping.after(gaining(i, g), exhausted=False) for i, g in enumerate(gains, 1)] == [
        None,
        None,
        None,
        StopReason.GAIN_BELOW_THRESHOLD,
    ]


def test_a_round_touched_by_an_outage_says_nothing_about_the_gain() -> None:
    stopping = Stopping(config(300))
    rounds = [gaining(1, 0), gaining(2, 0, undecided=1), gaining(3, 0)]
    assert [stopping.after(r, exhausted=False) for r in rounds] == [None, None, StopReason.GAIN_BELOW_THRESHOLD]


def test_a_round_after_which_budgets_moved_is_not_counted_as_dry() -> None:
    stopping = Stopping(config(300))
    reasons = [stopping.after(r, exhausted=False) for r in (gaining(1, 0), moved(gaining(2, 0)), gaining(3, 0))]
    assert reasons == [None, None, StopReason.GAIN_BELOW_THRESHOLD]


def moved(done: ConstructionRound) -> ConstructionRound:
    unit = CoverageUnit(scenario=TRIGGER.id, difficulty=Difficulty.EASY)
    move = BudgetMove(source=unit, target=unit.model_copy(update={"scenario": "other"}), count=1)
    return done.model_copy(update={"moves": (move,)})


def test_moves_excuse_only_so_many_rounds_without_gain_in_a_row() -> None:
    stopping = Stopping(config(300))
    reasons = [stopping.after(moved(gaining(number, 0)), exhausted=False) for number in range(1, GRACE + 3)]
    assert reasons == [None] * (GRACE + 1) + [StopReason.GAIN_BELOW_THRESHOLD]


def test_a_gain_ends_the_drought_also_where_budgets_moved_after_it() -> None:
    stopping = Stopping(config(300))
    rounds = [gaining(1, 0), moved(gaining(2, 9)), gaining(3, 0), gaining(4, 0)]
    reasons = [stopping.after(done, exhausted=False) for done in rounds]
    assert reasons == [None, None, None, StopReason.GAIN_BELOW_THRESHOLD]
    assert drought_of(rounds, config(300)) == Drought(counted=2)


async def test_a_round_of_undecided_candidates_ends_as_incomplete_and_keeps_the_rounds_before() -> None:
    def down_later(request: VerificationRequest) -> tuple[Verdict, Label | None]:
        if "0.0" in request.query.text:
            return accept_as_meant(request)
        return undecided(request) if " 1." in request.query.text else reject(request)

    made = world(config(2), [TRIGGER])
    made.verifier = ScriptedVerifier(script=down_later)
    result = await built(made)
    assert result.stop_reason is None
    assert result.incomplete == Incomplete(cause="round 2 decided nothing: 2 candidates undecided")
    assert (len(result.benchmark.examples), result.coverage.deficit) == (1, 1)
    assert (result.counts.accepted, result.counts.rejected, result.counts.undecided) == (1, 1, 2)


async def test_a_writer_that_is_down_ends_as_incomplete_with_its_cause() -> None:
    result = await built(world(config(2), [TRIGGER], lambda task: Written(failure=DOWN)))
    assert result.incomplete == Incomplete(
        cause="round 1 decided nothing: 1 writing tasks failed (provider_error: down)"
    )
    assert result.rounds[0].failures == (DOWN,)


async def test_a_writer_that_fails_for_one_gap_only_does_not_stop_the_others() -> None:
    clock = scenario(ScenarioKind.TRIGGER, "clock")

    def weather_first_down(task: WritingTask) -> Written:
        broken = task.scenario == TRIGGER and task.attempt == 0
        return Written(failure=DOWN) if broken else write_all(task)

    result = await built(world(config(2), [TRIGGER, clock], weather_first_down))
    assert (result.stop_reason, len(result.rounds)) == (StopReason.BUDGETS_MET, 2)
    assert [len(r.failures) for r in result.rounds] == [1, 0]
    assert [r.moves for r in result.rounds] == [(), ()]


class DownWhileDeriving(ScriptedWriter):
    async def scenarios(self, task: ScenarioTask) -> DerivedScenarios:
        raise IncompleteError("the writer is down")


async def test_a_writer_that_is_down_before_the_catalog_ends_as_incomplete() -> None:
    made = world(config(2), [TRIGGER])
    made.writer = DownWhileDeriving(by_tool={})
    result = await built(made)
    assert result.incomplete == Incomplete(cause="the writer is down.")
    assert (result.stop_reason, result.rounds, result.benchmark.examples) == (None, (), ())


@pytest.mark.requirement("E3")
async def test_an_annotator_or_a_router_that_is_down_leaves_the_candidate_undecided() -> None:
    def no_vote_on_triggers(level: Literal[1, 2], query: Query) -> Voted:
        positive = kind_of(query) is ScenarioKind.TRIGGER
        return Voted(failure=DOWN) if positive and level == 2 else vote_as_meant(level, query)

    made = world(BuildConfig(size=2, negative_share=0.5), [TRIGGER, TYPE_A])
    made.annotator = ScriptedAnnotator(script=no_vote_on_triggers)
    made.router = ScriptedRouter(script=lambda query, seed: RouterReply(failure=DOWN))
    result = await built(made)
    records = {e.record.scenario: e.record for e in made.events if isinstance(e, RecordVerified)}
    assert {r.verdict for r in records.values()} == {"undecided"}
    assert records[TRIGGER.id].reason == "no vote, provider_error: down"
    assert [v.level for v in records[TRIGGER.id].votes] == [1]
    assert records[TYPE_A.id].reason == "no usable run of the reference router"
    assert (records[TYPE_A.id].label, records[TYPE_A.id].p_k, len(records[TYPE_A.id].router_replies)) == (None, None, 5)
    assert (result.counts.undecided, result.counts.accepted, result.counts.rejected) == (2, 0, 0)
    assert result.incomplete is not None


async def test_an_annotator_without_vote_and_without_failure_is_never_taken_for_a_no() -> None:
    made = world(config(1), [TYPE_A])
    made.annotator = ScriptedAnnotator(script=lambda level, query: Voted())
    result = await built(made)
    assert (result.counts.undecided, result.counts.accepted) == (1, 0)
