"""The measures of one variant (P62 to P65): each a count of something that is named, with its interval.

A pass rate is of decided candidates that went to Stage I. A multiple is of the units that full covers without its
loop, so that one denominator serves all variants; its interval is Wilson's, over all units of the catalog.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from plugineval.harness.ablation.report import CoverageBase, Score
from plugineval.harness.construction_measures import Unit, covered_units, difficulty_deviation
from plugineval.harness.uncertainty import Rate, wilson
from plugineval.pccf.ablations.runs import VariantRun
from plugineval.pccf.examples import Difficulty, Example

_RESAMPLES = 2000


def pass_rate(run: VariantRun) -> Rate:
    """Accepted of decided."""
    return cumulative(run, None)


def cumulative(run: VariantRun, rounds: int | None) -> Rate:
    """Accepted within the first `rounds` rounds of Stage I, of decided; None: within all."""
    examined = [each for each in run.candidates if each.examined]
    passed = [each for each in examined if each.passed and (rounds is None or each.rounds <= rounds)]
    return Rate.of(len(passed), len(examined))


def false_positive_rate(run: VariantRun) -> Rate:
    """Wrong of the accepted gold whose truth is known (P62)."""
    known = [each.right for each in run.candidates if each.passed and each.right is not None]
    return Rate.of(known.count(False), len(known))


def unknown_truth(run: VariantRun) -> int:
    """Accepted gold of which nobody knows whether it is right."""
    return sum(each.passed and each.right is None for each in run.candidates)


class Base(NamedTuple):
    """The units that multiples are multiples of."""

    units: frozenset[Unit]
    of: str

    def told(self, plugins: tuple[str, ...]) -> CoverageBase:
        """For the report."""
        return CoverageBase(plugins=plugins, units=len(self.units), of=self.of)


def base_of(full: VariantRun) -> Base:
    """The units of verified real queries (D10); without any, those of the first shot of full: what it covers with what
    was written before anything was known to be missing or too easy.
    """
    if full.real:
        return Base(covered_units(full.real), "units that verified real queries cover")
    return Base(covered_units(full.first_shot), "units that the first shot of full covers; no real queries were given")


def coverage(run: VariantRun, base: Base) -> Score:
    """Units that verified examples cover, as a multiple of those of `base`."""
    covered, every = len(covered_units(run.result.verified)), len(all_units(run))
    if not base.units or not every:
        return Score(of=every)
    low, high = (share * every / len(base.units) for share in wilson(covered, every))
    return Score(value=covered / len(base.units), low=low, high=high, of=every)


def all_units(run: VariantRun) -> frozenset[Unit]:
    """Every scenario at every difficulty."""
    return frozenset((scenario.id, level) for scenario in run.result.benchmark.scenarios for level in Difficulty)


def targeted(run: VariantRun) -> list[Example]:
    """The examples of the benchmark that were written for a difficulty: those that a deviation is taken of."""
    return [example for example in run.result.benchmark.examples if example.query.origin != "real"]


def deviation(run: VariantRun, seed: int) -> Score:
    """Mean steps between the difficulty written for and the one observed (D10), with a seeded bootstrap interval."""
    examples = targeted(run)
    low, high = _bootstrap([float(_steps(example)) for example in examples], seed)
    return Score(value=difficulty_deviation(examples), low=low, high=high, of=len(examples))


def deviation_by_unit(run: VariantRun) -> dict[Unit, float]:
    """The unit that examples were written for -> their mean deviation."""
    found: dict[Unit, list[int]] = {}
    for example in targeted(run):
        found.setdefault((example.scenario, example.target_difficulty), []).append(_steps(example))
    return {unit: sum(steps) / len(steps) for unit, steps in found.items()}


def negatives_by_difficulty(examples: Iterable[Example]) -> dict[str, int]:
    """Calibrated examples by what the router showed."""
    levels = [example.difficulty for example in examples if example.p_k is not None]
    return {level.value: levels.count(level) for level in Difficulty}


def _steps(example: Example) -> int:
    return abs(example.difficulty.ordinal - example.target_difficulty.ordinal)


def _bootstrap(values: Sequence[float], seed: int) -> tuple[float, float] | tuple[None, None]:
    """Percentiles of resampled means; the order of the values, which may go by random ids, changes nothing."""
    if not values:
        return None, None
    if len(set(values)) == 1:
        return values[0], values[0]
    import numpy as np
    from scipy.stats import bootstrap

    drawn, random = (sorted(values),), np.random.default_rng(seed)
    found = bootstrap(drawn, np.mean, n_resamples=_RESAMPLES, method="percentile", rng=random)
    return float(found.confidence_interval.low), float(found.confidence_interval.high)
