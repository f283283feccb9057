"""Plans that nothing can be built on are refused before any role is asked."""

import pytest

from doubles.construction import world
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.plan import ConstructionPlan
from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.loop import construct

pytestmark = pytest.mark.anyio
SMALL = BuildConfig(size=2, negative_share=0.0, difficulty_mix=(1.0, 0.0, 0.0), calibration_runs=3)


async def test_a_plan_without_any_scenario_is_a_configuration_error() -> None:
    made = world(SMALL, [])
    with pytest.raises(ConfigurationError, match="no scenario can be derived"):
        await construct(made.plan, made.roles, made.hear)


def test_an_executable_tool_that_is_not_offered_is_named() -> None:
    plan = world(SMALL, []).plan
    with pytest.raises(UnknownNameError, match="there is no tool 'wether'; did you mean 'weather'"):
        ConstructionPlan(name="p", plugins=plan.plugins, toolset=plan.toolset, executable=frozenset({"wether"}))
