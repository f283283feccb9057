"""An estimate is a range whose ends are bounds, whose middle is close to what constructions took, and asks nobody."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubles.store import a_plugin
from plugineval.pccf.config import BuildConfig, VerificationConfig
from plugineval.pccf.estimate import LOCAL_S, Estimate, EstimateTask, RoleEstimate, estimate
from plugineval.pccf.expected_calls import EXPECTED, Calls, calls_of, ranges_of
from plugineval.pccf.tools import Toolset

pytestmark = pytest.mark.requirement("P35")

ROLES = tuple(name for name in Calls.model_fields if name != "plugins")
MADE = {(24, 2): 342, (24, 9): 858, (24, 17): 722, (24, 21): 852, (60, 2): 791, (60, 17): 1347}
"""Size and tools of constructions by the embedded baseline on real servers -> calls."""


class TenDollars:
    """Per million tokens of either kind."""

    def cost_of(self, input_tokens: float, output_tokens: float) -> float:
        return (input_tokens + output_tokens) / 100_000


def task(*embedded: str, **players: tuple[str, ...]) -> EstimateTask:
    """24 examples on one tool; `fast` plays every role that `players` do not name."""
    toolset = Toolset.of_plugins([a_plugin()])
    return EstimateTask(
        config=BuildConfig(size=24),
        toolset=toolset,
        executable=frozenset(tool.offered_name for tool in toolset.tools),
        players={**dict.fromkeys(ROLES, ("fast",)), **players},
        embedded=frozenset(embedded),
        prices={"fast": TenDollars()},
    )


def by_role(found: Estimate, role: str) -> RoleEstimate:
    return next(each for each in found.roles if each.role == role)


def total(calls: Calls) -> float:
    return float(sum(number for _, number in calls))


@pytest.mark.parametrize(("size", "tools"), MADE)
def test_the_expected_number_is_within_a_factor_of_two_of_what_constructions_took(size: int, tools: int) -> None:
    expected = total(calls_of(BuildConfig(size=size), tools=tools, executable=tools, annotators=1, course=EXPECTED))
    made = MADE[size, tools]
    assert made / 2 <= expected <= made * 2


@given(
    size=st.integers(1, 500),
    tools=st.integers(1, 80),
    share=st.sampled_from([0.0, 0.25, 0.9]),
    rounds=st.integers(1, 5),
    generators=st.integers(1, 5),
    strengthening=st.integers(0, 3),
    executable=st.booleans(),
    closed=st.booleans(),
)
def test_every_range_is_one_and_without_execution_nothing_is_proposed(**drawn: float) -> None:
    config = BuildConfig(
        size=int(drawn["size"]),
        negative_share=drawn["share"],
        strengthening=int(drawn["strengthening"]),
        closed_loop=bool(drawn["closed"]),
        verification=VerificationConfig(max_rounds=int(drawn["rounds"]), generators=int(drawn["generators"])),
    )
    tools = int(drawn["tools"])
    executable = tools if drawn["executable"] else 0
    found = ranges_of(config, tools=tools, executable=executable, annotators=2)
    for calls in found.values():
        assert 0 <= calls.low <= calls.expected <= calls.high < float("inf")
    if not executable:
        assert found["generators"].high == found["depth"].high == 0


def test_what_each_knob_multiplies() -> None:
    one = calls_of(BuildConfig(size=40), tools=3, executable=3, annotators=1, course=EXPECTED)
    two = calls_of(BuildConfig(size=40), tools=3, executable=3, annotators=2, course=EXPECTED)
    assert two.annotators == pytest.approx(2 * one.annotators)
    more_runs = BuildConfig(size=40, calibration_runs=10, verification=VerificationConfig(generators=1))
    other = calls_of(more_runs, tools=3, executable=3, annotators=1, course=EXPECTED)
    assert other.router == pytest.approx(2 * one.router)
    assert other.generators == pytest.approx(one.generators / 3)
    quiet = BuildConfig(size=40, repeat_gold=False, verification=VerificationConfig(content_validation=False))
    without = calls_of(quiet, tools=3, executable=3, annotators=1, course=EXPECTED)
    assert (without.argument_evaluator, without.result_evaluator) == (0, 0)
    assert without.plugins == pytest.approx(one.plugins - one.depth)


def test_money_is_that_of_the_tokens_and_minutes_are_those_of_the_calls() -> None:
    found = estimate(task())
    assert found.cost is not None
    for (_, dollars), (_, tokens) in zip(found.cost, found.tokens, strict=True):
        assert dollars == pytest.approx(tokens / 100_000, rel=0.01)
    calls = sum(role.calls.high for role in found.roles if role.tokens.high)
    local = sum(role.calls.high for role in found.roles if not role.tokens.high) * LOCAL_S / 60
    assert found.minutes.high == pytest.approx(max(calls * 2.0 / 8 / 60, 50 * 6 * 2.0 / 60) + local)
    assert found.minutes.low > 0


def test_an_unknown_price_leaves_the_cost_unknown_and_is_named() -> None:
    found = estimate(task(router=("dear",)))
    assert (found.cost, found.unpriced) == (None, ("dear",))
    assert "price of dear unknown" in found.told
    assert {role.role: role.cost is None for role in found.roles}["router"]


def test_models_that_share_a_role_share_its_calls() -> None:
    alone = estimate(task())
    shared = estimate(task("own", generators=("fast", "own")))
    assert by_role(shared, "generators").calls == by_role(alone, "generators").calls
    assert by_role(shared, "generators").tokens.expected == pytest.approx(
        by_role(alone, "generators").tokens.expected / 2, rel=0.01
    )


def test_embedded_models_take_neither_tokens_nor_money_and_seconds_that_are_told_as_such() -> None:
    found = estimate(task("own", **dict.fromkeys(ROLES, ("own",))))
    assert found.calls.expected > 24
    assert (found.tokens.high, found.unpriced) == (0, ())
    assert found.minutes.expected == pytest.approx(found.calls.expected * LOCAL_S / 60, rel=0.01)
    assert re.search(r", no money, about \d.* seconds$", found.told)
    assert [told for told in found.assumptions if "token" in told or "in flight" in told] == []
    assert found.cost is not None
    assert found.cost.high == 0


def test_an_estimate_survives_being_written() -> None:
    found = estimate(task())
    assert Estimate.model_validate_json(found.model_dump_json()) == found
