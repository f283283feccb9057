"""The gold call is executed a second time, in a stage of its own, and what comes of it is told apart."""

import pytest

from doubles.stage_one import WEATHER, Bench, observed, request, returned
from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.records import Repetition
from plugineval.pccf.values import Arguments
from plugineval.pccf.verification import Repeated

pytestmark = pytest.mark.anyio

CONFIG = VerificationConfig(generators=1, max_rounds=1)


async def repeated(second: Observation | None = None, *, moving: bool = False) -> tuple[Repeated, Bench]:
    answers = [returned({"city": "Oslo"}), second or returned({"city": "Oslo"})]

    def plugin(arguments: Arguments) -> Observation:
        return answers[len(bench.session.executed) - 1]

    bench = Bench(plugin=plugin)
    stage = bench.stage(CONFIG)
    record = await stage.verify(request())
    assert record.verdict == "accepted"
    tool = WEATHER.model_copy(update={"moving": moving})
    return await stage.repeat(record, tool), bench


async def test_an_equal_result_moves_nothing_and_both_executions_are_calls_of_their_own() -> None:
    found, bench = await repeated()
    assert (found.problem, found.failure) == (None, None)
    assert found.repetition == Repetition(observation=returned({"city": "Oslo"}))
    assert bench.session.executed == [{"city": "Oslo"}, {"city": "Oslo"}]


async def test_a_result_that_differs_says_where() -> None:
    found, _ = await repeated(returned({"city": "Oslo"}).model_copy(update={"text": "rain"}))
    assert found.repetition is not None
    assert (found.repetition.moving, found.problem) == (("text",), None)


@pytest.mark.requirement("P14")
@pytest.mark.parametrize("kind", [ObservationKind.TOOL_ERROR, ObservationKind.EMPTY, ObservationKind.TIMEOUT])
async def test_a_second_execution_that_fails_is_a_problem_of_the_gold_call(kind: ObservationKind) -> None:
    found, _ = await repeated(observed(kind)({"city": "Oslo"}))
    assert found.failure is None
    assert found.problem is not None
    assert found.problem.startswith("the gold call failed when it was executed again")
    assert found.repetition is not None


@pytest.mark.requirement("E3")
@pytest.mark.parametrize("kind", [ObservationKind.DIED, ObservationKind.REFUSED])
async def test_a_plugin_that_died_or_may_not_be_asked_says_nothing_of_the_gold_call(kind: ObservationKind) -> None:
    found, _ = await repeated(observed(kind)({"city": "Oslo"}))
    assert (found.problem, found.repetition) == (None, None)
    assert found.failure is not None


async def test_what_a_person_declared_as_moving_is_not_executed_again() -> None:
    found, bench = await repeated(moving=True)
    assert found.repetition == Repetition(observation=returned({"city": "Oslo"}), declared=True)
    assert len(bench.session.executed) == 1
