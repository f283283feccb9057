"""How a requested size is spread over coverage units, b(u): fair, deterministic, and exact to the example (D2).

1. Positives get 1 - negative_share of the size and exclusions negative_share (largest remainder); a side without
   scenarios gives its part to the other.
2. Slots are dealt one by one. Positives: to the tool with the fewest slots so far, then to its scenario with the
   fewest. Exclusions: kinds take turns (A, B, C, underspecified), and within a kind the same two rules hold, so
   that every kind is there as soon as there are as many slots as kinds. Ties go round the plugins, so that a plugin
   of two tools is served as early as one of twenty.
3. Each side's difficulty mix (largest remainder) is interleaved evenly along its slots, so that no tool, plugin or
   kind gets all of the easy ones.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import chain, zip_longest

from plugineval.pccf.config import BuildConfig
from plugineval.pccf.coverage.units import CoverageUnit
from plugineval.pccf.examples import Difficulty
from plugineval.pccf.scenarios import Scenario, ScenarioKind
from plugineval.pccf.tools import Toolset

EXCLUSIONS = (ScenarioKind.TYPE_A, ScenarioKind.TYPE_B, ScenarioKind.TYPE_C, ScenarioKind.UNDERSPECIFIED)

Budgets = dict[CoverageUnit, int]


def largest_remainder(total: int, shares: Sequence[float]) -> tuple[int, ...]:
    """`total` split by `shares` (which sum to 1) into whole numbers that sum to `total`; ties go to the first."""
    exact = [total * share for share in shares]
    floors = [int(part + 1e-9) for part in exact]
    by_remainder = sorted(range(len(shares)), key=lambda i: (round(floors[i] - exact[i], 9), i))
    lucky = set(by_remainder[: total - sum(floors)])
    return tuple(floor + (i in lucky) for i, floor in enumerate(floors))


def spread(scenarios: Sequence[Scenario], toolset: Toolset, config: BuildConfig) -> Budgets:
    """b(u) for every unit with a budget above 0, in catalog order. The values sum to `config.size` exactly.

    Empty where `scenarios` is: there is nothing to spread over.
    """
    ordered = fair_order(scenarios, toolset)
    positive = [s for s in ordered if s.kind.positive]
    exclusion = [s for s in ordered if not s.kind.positive]
    if not ordered:
        return {}
    for_positives, for_exclusions = _sides(config, bool(positive), bool(exclusion))
    dealt: Counter[CoverageUnit] = Counter()
    for slots in (_deal([positive], for_positives), _deal(_by_kind(exclusion), for_exclusions)):
        dealt.update(_graded(slots, config.difficulty_mix))
    order = {scenario.id: i for i, scenario in enumerate(scenarios)}
    return dict(sorted(dealt.items(), key=lambda item: (order[item[0].scenario], item[0].difficulty.ordinal)))


def _sides(config: BuildConfig, positives: bool, exclusions: bool) -> tuple[int, int]:
    if not exclusions:
        return config.size, 0
    if not positives:
        return 0, config.size
    kept, given = largest_remainder(config.size, (1 - config.negative_share, config.negative_share))
    return kept, given


def fair_order(scenarios: Sequence[Scenario], toolset: Toolset) -> list[Scenario]:
    """`scenarios` by target, the plugins taking turns with their tools; in catalog order within a tool."""
    by_plugin: dict[str, list[str]] = {}
    for tool in toolset.tools:
        by_plugin.setdefault(tool.plugin, []).append(tool.offered_name)
    turns = chain.from_iterable(zip_longest(*by_plugin.values()))
    place = {name: i for i, name in enumerate(name for name in turns if name is not None)}
    return sorted(scenarios, key=lambda s: place[s.target])


def _by_kind(exclusions: Sequence[Scenario]) -> list[list[Scenario]]:
    groups = [[s for s in exclusions if s.kind is kind] for kind in EXCLUSIONS]
    return [group for group in groups if group]


def _deal(groups: Sequence[Sequence[Scenario]], slots: int) -> list[Scenario]:
    """`slots` scenarios: groups take turns, each giving the scenario of the tool, then itself, least used so far."""
    tools: Counter[str] = Counter()
    used: Counter[str] = Counter()
    dealt: list[Scenario] = []
    for turn in range(slots):
        chosen = min(groups[turn % len(groups)], key=lambda s: (tools[s.target], used[s.id]))
        tools[chosen.target] += 1
        used[chosen.id] += 1
        dealt.append(chosen)
    return dealt


def _graded(slots: Sequence[Scenario], mix: Sequence[float]) -> list[CoverageUnit]:
    amounts = largest_remainder(len(slots), mix)
    places = sorted(
        ((j + 0.5) / amount, difficulty.ordinal)
        for difficulty, amount in zip(Difficulty, amounts, strict=True)
        for j in range(amount)
    )
    levels = list(Difficulty)
    return [CoverageUnit(scenario=s.id, difficulty=levels[o]) for s, (_, o) in zip(slots, places, strict=True)]
