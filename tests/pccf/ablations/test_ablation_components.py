"""Each component removes exactly the errors that it should: planted rates in, computed rates out (P62 to P65, P68)."""

from collections import Counter

import pytest

from doubles.faulty import FaultyWorld, Rates, ablated, fits
from plugineval.harness.ablation import measures
from plugineval.pccf.ablations.runs import VariantRun
from plugineval.pccf.config import BuildConfig, FilterConfig, VerificationConfig
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.labels import ValidInvocation

pytestmark = pytest.mark.anyio
APART = FilterConfig(near_duplicate=2)


def config(size: int, *, rounds: int = 1, generators: int = 1, **numbers: object) -> BuildConfig:
    """One shot of `size` positives, unless told otherwise: every candidate is of the same kind."""
    stage_one = VerificationConfig(max_rounds=rounds, generators=generators)
    said: dict[str, object] = {"negative_share": 0, "patience": 1, "minimum_gain": 1, **numbers}
    return BuildConfig.model_validate({"size": size, "verification": stage_one, "filters": APART, **said})


def passed(run: VariantRun) -> dict[str, bool]:
    return {each.record: each.passed for each in run.candidates if each.examined}


@pytest.mark.requirement("P62")
async def test_content_validation_removes_calls_that_execute_and_are_wrong_and_nothing_else_does() -> None:
    rates = Rates(invalid=0.1, unsupported=0.15, elsewhere=0.1, abstaining=0.05)
    runs = await ablated(FaultyWorld(rates, config(200)), ["no_content_validation"])
    assert measures.false_positive_rate(runs["full"]).numerator == 0
    found = measures.false_positive_rate(runs["no_content_validation"])
    assert fits(found.numerator, found.denominator, 0.25 / 0.85)
    kinds = Counter(_kind(claim.gold[0]) for claim in runs["no_content_validation"].claims)
    assert set(kinds) == {"right", "unsupported", "elsewhere"}
    assert found.numerator == kinds["unsupported"] + kinds["elsewhere"]


def _kind(gold: object) -> str:
    assert isinstance(gold, Invocation)
    if "units" in gold.arguments:
        return "elsewhere"
    return "unsupported" if gold.arguments == {"place": "nowhere"} else "right"


@pytest.mark.requirement("P62")
async def test_what_slips_past_evaluators_is_what_both_of_them_miss() -> None:
    rates = Rates(unsupported=0.4, sensitivity=0.6)
    runs = await ablated(FaultyWorld(rates, config(200)), ["full"])
    missed = 0.4 * 0.4 * 0.4
    found = measures.false_positive_rate(runs["full"])
    assert fits(found.numerator, found.denominator, missed / (0.6 + missed))
    assert found.numerator > 0


@pytest.mark.requirement("P63")
async def test_refinement_raises_the_cumulative_pass_rate_by_the_rate_of_recovery() -> None:
    world = FaultyWorld(Rates(invalid=0.5, recovery=0.4), config(200, rounds=3))
    runs = await ablated(world, ["no_refinement"])
    for number, share in ((1, 0.5), (2, 0.7), (3, 0.82)):
        found = measures.cumulative(runs["full"], number)
        assert fits(found.numerator, found.denominator, share)
    once = measures.pass_rate(runs["no_refinement"])
    assert fits(once.numerator, once.denominator, 0.5)
    full, refined = passed(runs["full"]), passed(runs["no_refinement"])
    assert {name for name in full.keys() & refined.keys() if refined[name] and not full[name]} == set()


@pytest.mark.requirement("P65", "P68")
@pytest.mark.parametrize("generators", [1, 2, 3])
async def test_more_generators_pass_as_often_as_one_of_them_is_right(generators: int) -> None:
    world = FaultyWorld(Rates(invalid=0.2, abstaining=0.2), config(120, generators=3))
    runs = await ablated(world, ["full"], [f"M={generators}"])
    found = measures.pass_rate(runs[f"M={generators}"])
    assert fits(found.numerator, found.denominator, 1 - 0.4**generators)


@pytest.mark.requirement("P64")
async def test_the_closed_loop_covers_more_and_comes_nearer_to_the_difficulty_asked_for() -> None:
    numbers = config(72, negative_share=0.3, patience=3, minimum_gain=0.01)
    runs = await ablated(FaultyWorld(Rates(off_target=0.7), numbers, plugins=6), ["single_shot"])
    full, once = runs["full"], runs["single_shot"]
    base = measures.base_of(full)
    assert measures.coverage(once, base).value == 1.0
    assert (measures.coverage(full, base).value or 0) > 1.2
    assert full.result.coverage.deficit < once.result.coverage.deficit / 4
    # Without the loop everything that missed its difficulty, and nothing else, is off: 70 % of medium and of hard.
    targets = [example.target_difficulty for example in once.result.verified]
    missed = sum(example.difficulty is not example.target_difficulty for example in once.result.verified)
    assert fits(missed, len(targets) - targets.count(Difficulty.EASY), 0.7)
    assert (measures.deviation(full, 0).value or 0) < (measures.deviation(once, 0).value or 0) / 2


@pytest.mark.requirement("P68")
async def test_more_router_runs_only_refine_how_hard_negatives_are() -> None:
    numbers = config(160, negative_share=0.99)
    runs = await ablated(FaultyWorld(Rates(invalid=0.5, agreement=0.5), numbers), ["full"], ["K=1,3,7"])
    for name, run in runs.items():
        k = run.variant.config.calibration_runs
        shares = [each.p_k for each in run.candidates if each.p_k is not None]
        assert fits(round(sum(shares) * k), len(shares) * k, 0.5), name
        medium = measures.negatives_by_difficulty(run.result.verified)["medium"]
        assert fits(medium, len(shares), 1 - 2 * 0.5**k), name
        common = passed(run).keys() & passed(runs["full"]).keys()
        assert all(passed(run)[record] == passed(runs["full"])[record] for record in common)


@pytest.mark.requirement("P24", "P64")
async def test_queries_that_are_off_their_scenario_never_reach_stage_one() -> None:
    runs = await ablated(FaultyWorld(Rates(off_scenario=0.3), config(200)), ["single_shot"])
    settled = [each for each in runs["single_shot"].candidates if each.rounds == 0]
    assert fits(len(settled), len(runs["single_shot"].candidates), 0.3)
    assert {each.verdict for each in settled} == {"rejected"}
    assert measures.pass_rate(runs["single_shot"]).value == 1.0


@pytest.mark.requirement("P62", "P65")
async def test_what_one_variant_has_asked_another_replays_and_outcomes_pair_by_candidate() -> None:
    world = FaultyWorld(Rates(invalid=0.3, recovery=0.5), config(60, rounds=3, generators=3))
    runs = await ablated(world, [], ["R=3"])
    asked = {name: run.asked for name, run in runs.items()}
    assert sum(each.calls for each in asked.values()) == len(world.ledger.made)
    assert (asked["R=3"].calls, asked["R=3"].replayed) == (0, asked["full"].calls)
    assert (asked["single_shot"].calls, asked["no_refinement"].calls) == (0, 0)
    assert asked["no_content_validation"].replayed > 0
    first = {each.record for each in runs["single_shot"].candidates}
    assert first <= {each.record for each in runs["full"].candidates}
    assert first <= {each.record for each in runs["one_generator"].candidates}


@pytest.mark.requirement("P62")
async def test_a_resumed_ablation_tells_the_same_numbers_and_asks_nothing() -> None:
    world = FaultyWorld(Rates(invalid=0.3, unsupported=0.1), config(30, rounds=2, generators=2))
    before = await ablated(world)
    made = len(world.ledger.made)
    assert await ablated(world) == before
    assert len(world.ledger.made) == made


@pytest.mark.requirement("P62")
async def test_gold_is_only_what_stage_one_accepted() -> None:
    runs = await ablated(FaultyWorld(Rates(invalid=0.5), config(40, negative_share=0.5)), ["full"])
    claims = runs["full"].claims
    assert {each.record.id for each in claims} == {e.record for e in runs["full"].candidates if e.passed}
    assert all(isinstance(claim.record.label, ValidInvocation) for claim in claims)
