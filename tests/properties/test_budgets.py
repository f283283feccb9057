"""The spread of a size over units is exact, fair and deterministic, whatever the catalog."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubles.construction import scenario, tool
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.coverage.budgets import EXCLUSIONS, largest_remainder, spread
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset

pytestmark = pytest.mark.requirement("D2", "P25")

TOOLS = Toolset(tools=tuple(tool(f"t{i}", "one" if i < 2 else "two") for i in range(8)))
KINDS = list(ScenarioKind)


@st.composite
def catalogs(draw: st.DrawFn) -> list[Scenario]:
    pairs = st.tuples(st.sampled_from(KINDS), st.sampled_from(list(TOOLS.by_name)), st.integers(0, 3))
    return [scenario(*pair) for pair in draw(st.lists(pairs, min_size=1, max_size=40, unique=True))]


configs = st.builds(
    BuildConfig,
    size=st.integers(1, 200),
    negative_share=st.sampled_from((0.0, 0.1, 0.25, 1 / 6, 0.9)),
    difficulty_mix=st.sampled_from(((0.4, 0.4, 0.2), (0.6, 0.3, 0.1), (1.0, 0.0, 0.0), (0.0, 0.0, 1.0))),
)


@given(catalogs(), configs)
def test_budgets_sum_exactly_to_the_size(catalog: list[Scenario], config: BuildConfig) -> None:
    budgets = spread(catalog, TOOLS, config)
    assert sum(budgets.values()) == config.size
    assert min(budgets.values()) > 0


@given(catalogs(), configs)
def test_each_side_gets_its_share_and_its_difficulty_mix(catalog: list[Scenario], config: BuildConfig) -> None:
    by_id = {s.id: s for s in catalog}
    sides: dict[bool, Counter[Difficulty]] = {True: Counter(), False: Counter()}
    for unit, budget in spread(catalog, TOOLS, config).items():
        sides[by_id[unit.scenario].kind.positive][unit.difficulty] += budget
    there = {positive: any(s.kind.positive is positive for s in catalog) for positive in (True, False)}
    shares = largest_remainder(config.size, (1 - config.negative_share, config.negative_share))
    expected = dict(zip((True, False), shares, strict=True)) if all(there.values()) else None
    for positive, counts in sides.items():
        total = expected[positive] if expected else config.size * there[positive]
        assert tuple(counts[d] for d in Difficulty) == largest_remainder(total, config.difficulty_mix)


@given(catalogs(), configs)
def test_tools_and_kinds_are_served_evenly(catalog: list[Scenario], config: BuildConfig) -> None:
    by_id = {s.id: s for s in catalog}
    tools, kinds = Counter[str](), Counter[ScenarioKind]()
    for unit, budget in spread(catalog, TOOLS, config).items():
        found = by_id[unit.scenario]
        if found.kind.positive:
            tools[found.target] += budget
        else:
            kinds[found.kind] += budget
    targets = {s.target for s in catalog if s.kind.positive}
    assert not targets or max(tools[t] for t in targets) - min(tools[t] for t in targets) <= 1
    present = [k for k in EXCLUSIONS if any(s.kind is k for s in catalog)]
    dealt = [kinds[k] for k in present]
    assert dealt == sorted(dealt, reverse=True)
    assert not dealt or dealt[0] - dealt[-1] <= 1


@given(catalogs(), configs)
def test_the_order_of_units_is_that_of_the_catalog(catalog: list[Scenario], config: BuildConfig) -> None:
    place = {s.id: i for i, s in enumerate(catalog)}
    units = list(spread(catalog, TOOLS, config))
    assert units == sorted(units, key=lambda u: (place[u.scenario], u.difficulty.ordinal))
    assert list(spread(catalog, TOOLS, config)) == units


@given(st.integers(0, 5000), st.lists(st.integers(1, 50), min_size=1, max_size=8))
def test_largest_remainder_is_exact_and_never_off_by_one_or_more(total: int, weights: list[int]) -> None:
    shares = [weight / sum(weights) for weight in weights]
    parts = largest_remainder(total, shares)
    assert sum(parts) == total
    assert all(abs(part - total * share) < 1 + 1e-6 for part, share in zip(parts, shares, strict=True))


@pytest.mark.parametrize(
    ("total", "shares", "parts"),
    [
        (24, (0.75, 0.25), (18, 6)),
        (18, (0.4, 0.4, 0.2), (7, 7, 4)),
        (6, (0.4, 0.4, 0.2), (3, 2, 1)),
        (3000, (0.4, 0.4, 0.2), (1200, 1200, 600)),
        (1, (0.4, 0.4, 0.2), (1, 0, 0)),
        (10, (0.1, 0.7, 0.2), (1, 7, 2)),
    ],
)
def test_largest_remainder_of_known_sizes(total: int, shares: tuple[float, ...], parts: tuple[int, ...]) -> None:
    assert largest_remainder(total, shares) == parts


def test_a_small_build_over_two_plugins_holds_every_difficulty_and_every_kind() -> None:
    tools = [tool(f"math{i}", "math") for i in range(18)] + [tool(f"time{i}", "time") for i in range(2)]
    kinds = (ScenarioKind.TRIGGER, *EXCLUSIONS)
    catalog = [scenario(kind, t.offered_name, n) for t in tools for kind in kinds for n in range(2)]
    by_id = {s.id: s for s in catalog}
    budgets = spread(catalog, Toolset(tools=tuple(tools)), BuildConfig(size=24))
    dealt = Counter((by_id[u.scenario].kind, u.difficulty) for u in budgets for _ in range(budgets[u]))
    positives = [dealt[ScenarioKind.TRIGGER, d] for d in Difficulty]
    kinds_dealt = [sum(dealt[k, d] for d in Difficulty) for k in EXCLUSIONS]
    triggers_of_time = {by_id[u.scenario].target for u in budgets if by_id[u.scenario].kind.positive}
    assert (positives, kinds_dealt) == ([7, 7, 4], [2, 2, 1, 1])
    assert {"time0", "time1"} <= triggers_of_time
    assert len(triggers_of_time) == 18


def test_scenarios_of_one_tool_share_its_slots_and_the_first_slot_is_the_easiest() -> None:
    catalog = [scenario(ScenarioKind.TRIGGER, "t0", n) for n in range(3)]
    budgets = spread(catalog, TOOLS, BuildConfig(size=3, difficulty_mix=(1 / 3, 1 / 3, 1 / 3)))
    assert [(unit.key, budget) for unit, budget in budgets.items()] == [
        ("t0.trigger.0|easy", 1),
        ("t0.trigger.1|medium", 1),
        ("t0.trigger.2|hard", 1),
    ]


def test_a_side_without_scenarios_gives_its_part_to_the_other() -> None:
    only_negative = [scenario(ScenarioKind.TYPE_C, "t0")]
    assert sum(spread(only_negative, TOOLS, BuildConfig(size=10)).values()) == 10
    assert spread([], TOOLS, BuildConfig(size=10)) == {}
