import pytest

from plugineval.harness.construction_measures import coverage_multiple, difficulty_deviation
from plugineval.pccf.examples import Difficulty, Example, Query, SampleType
from plugineval.pccf.labels import TargetIrrelevant

EASY, MEDIUM, HARD = Difficulty


def example(scenario: str, observed: Difficulty, target: Difficulty) -> Example:
    return Example(
        id=f"{scenario}-{observed}",
        query=Query.of_text("tell me a joke"),
        target="find",
        label=TargetIrrelevant(),
        sample_type=SampleType.TARGETED_NEGATIVE,
        scenario=scenario,
        target_difficulty=target,
        difficulty=observed,
        record_id="r",
        gap=f"{scenario}|{target}",
    )


BUILT = [example("a", EASY, EASY), example("a", EASY, HARD), example("a", MEDIUM, HARD), example("b", HARD, HARD)]


@pytest.mark.requirement("D10")
def test_the_coverage_multiple_counts_units_by_observed_difficulty() -> None:
    assert coverage_multiple(BUILT, BUILT[:2]) == 3.0
    assert coverage_multiple(BUILT, []) is None


@pytest.mark.requirement("D10")
def test_the_difficulty_deviation_is_the_mean_step_between_target_and_observed() -> None:
    assert difficulty_deviation(BUILT) == 0.75
    assert difficulty_deviation([]) is None
