"""The full pipeline's own evaluators as the oracle: asked again only about what they have not judged (P62)."""

import pytest

from doubles.faulty import FaultyArguments, FaultyWorld, Rates, Script
from plugineval.pccf.ablations.asking import Asking, AskingLedger
from plugineval.pccf.ablations.evaluator_oracle import EvaluatorOracle
from plugineval.pccf.ablations.runs import VariantRun, run_variant, with_truth
from plugineval.pccf.ablations.variants import variants_of
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.roles import Assessed
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.tools import ToolSpec

pytestmark = [pytest.mark.anyio, pytest.mark.requirement("P62")]
RATES = Rates(unsupported=0.3, elsewhere=0.2)


class Silent(FaultyArguments):
    """An evaluator that cannot be reached."""

    async def assess_arguments(self, query: Query, tool: ToolSpec, proposal: Invocation | Abstention) -> Assessed:
        return Assessed(failure=Failure(kind=FailureKind.PROVIDER_ERROR, detail="down"))


async def judged(world: FaultyWorld, name: str, asking: Asking) -> tuple[VariantRun, AskingLedger]:
    """One variant, judged by its evaluators; the ledger of what they were asked for that."""
    variant = next(each for each in variants_of(world.config) if each.name == name)
    roles = world.roles(variant.config, asking.ledger())
    run = await run_variant(variant, world.plan(), roles)
    judging = asking.ledger()
    return await with_truth(run, EvaluatorOracle.of(roles.verifier, judging)), judging


async def test_evaluators_that_see_everything_say_what_the_script_knows() -> None:
    world = FaultyWorld(RATES, BuildConfig(size=24, negative_share=0))
    run, _ = await judged(world, "no_content_validation", Asking(world.ledger))
    known = await with_truth(run, Script())
    assert run.candidates == known.candidates
    assert {each.right for each in run.candidates if each.passed} == {True, False}


async def test_what_full_has_judged_already_is_replayed() -> None:
    world = FaultyWorld(RATES, BuildConfig(size=12, negative_share=0))
    asking = Asking(world.ledger)
    run, judging = await judged(world, "full", asking)
    assert judging.asked.calls == 0 < judging.asked.replayed
    assert {each.right for each in run.candidates if each.passed} == {True}
    _, later = await judged(world, "no_content_validation", asking)
    assert later.asked.calls < later.asked.replayed


async def test_gold_that_no_evaluator_answers_for_is_neither_right_nor_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("doubles.faulty.FaultyArguments", Silent)
    world = FaultyWorld(RATES, BuildConfig(size=8, negative_share=0))
    run, _ = await judged(world, "no_content_validation", Asking(world.ledger))
    assert {each.right for each in run.candidates if each.passed} == {None}
