import pytest

from doubles.construction import scenario
from plugineval.pccf.coverage.deficits import coverage_of
from plugineval.pccf.coverage.standins import StandIn, stand_ins
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty, Example, Query, SampleType
from plugineval.pccf.labels import TargetIrrelevant
from plugineval.pccf.scenarios import Scenario, ScenarioKind

pytestmark = pytest.mark.requirement("P33")

C0, C1 = (scenario(ScenarioKind.TYPE_C, "weather", n) for n in range(2))
C_CLOCK = scenario(ScenarioKind.TYPE_C, "clock")
B0 = scenario(ScenarioKind.TYPE_B, "weather", lookalike="clock")
CATALOG = (C0, C1, C_CLOCK, B0)


def example(name: str, of: Scenario) -> Example:
    return Example(
        id=name,
        query=Query.of_text(name),
        target=of.target,
        label=TargetIrrelevant(),
        sample_type=SampleType.TARGETED_NEGATIVE,
        scenario=of.id,
        target_difficulty=Difficulty.EASY,
        difficulty=Difficulty.HARD,
        record_id=name,
        gap="",
    )


def unit(of: Scenario) -> CoverageUnit:
    return CoverageUnit(scenario=of.id, difficulty=Difficulty.EASY)


def chosen(missing: int, *surplus: Example) -> tuple[StandIn, ...]:
    return stand_ins(coverage_of({unit(C0): missing}, {}), surplus, CATALOG)


def test_the_same_scenario_is_preferred_then_the_same_target_then_the_earliest() -> None:
    surplus = [example("clock", C_CLOCK), example("same target", C1), example("same", C0)]
    assert [s.example for s in chosen(2, *surplus)] == ["same", "same target"]
    assert [s.example for s in chosen(9, *surplus)] == ["same", "same target", "clock"]
    assert chosen(1, *surplus)[0].unit == unit(C0)


def test_another_kind_never_stands_in_and_a_full_unit_needs_none() -> None:
    assert chosen(1, example("b", B0)) == ()
    assert stand_ins(coverage_of({unit(C0): 1}, {unit(C0): 1}), [example("c", C0)], CATALOG) == ()


def test_one_example_stands_in_once() -> None:
    table = coverage_of({unit(C0): 1, unit(C1): 1}, {})
    assert [s.unit for s in stand_ins(table, [example("c", C0)], CATALOG)] == [unit(C0)]
