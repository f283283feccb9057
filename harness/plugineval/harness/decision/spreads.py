"""How far the rate of one outcome moves between models, between descriptions, and between runs (B17)."""

from collections.abc import Sequence
from math import comb
from typing import NamedTuple

from plugineval.harness.decision.config import DecisionConfig
from plugineval.harness.outcomes import Outcome
from plugineval.harness.statistics.case_results import Arm, CaseResults
from plugineval.harness.statistics.noise import noise_of
from plugineval.harness.statistics.pairs import PairedCases, exact_mcnemar
from plugineval.harness.statistics.sample_size import paired_size
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value


class ArmRate(Value):
    """The outcome's rate of one arm on the common rows."""

    model: str
    variant: str = ""
    rate: Rate


class Spread(Value):
    """Between two ends: `width` is the larger rate minus the smaller."""

    least: ArmRate
    most: ArmRate
    width: float
    p: float
    """Exact McNemar of the two ends over cases, corrected for the number of pairs (Bonferroni)."""
    needed: int | None = None
    """Common cases that would settle a spread of this size; None where there is none."""
    large: bool
    """By the thresholds of the configuration."""


class Spreads(Value):
    """The three spreads of one outcome; None where they were not measured."""

    outcome: Outcome
    rows: int
    between_models: Spread | None
    """Published descriptions, all models; None with a single model."""
    between_variants: Spread | None
    """The model that descriptions move most; None without variants."""
    run_to_run: float | None
    """The largest spread over the repeats of one model; None with a single repeat."""


class _Ends(NamedTuple):
    least: int
    most: int


def spreads_of(results: CaseResults, models: Sequence[str], outcome: Outcome, config: DecisionConfig) -> Spreads:
    """The spreads of `outcome` over `models`, each on the rows that are common to what it compares."""
    published = results.on_common_rows([Arm(model) for model in models])
    noises = [noise_of(published, index, lambda mark: mark.outcome is outcome) for index in range(len(models))]
    noise = max((known for known in noises if known is not None), default=None)
    variants = [found for model in models if (found := _between_variants(results, model, outcome, noise, config))]
    return Spreads(
        outcome=outcome,
        rows=published.rows,
        between_models=_spread(published, outcome, noise, config),
        between_variants=max(variants, key=lambda spread: spread.width, default=None),
        run_to_run=noise,
    )


def _between_variants(
    results: CaseResults, model: str, outcome: Outcome, noise: float | None, config: DecisionConfig
) -> Spread | None:
    arms = results.answered(arm for arm in results.arms if arm.model == model)
    return _spread(results.on_common_rows(arms), outcome, noise, config)


def _spread(common: CaseResults, outcome: Outcome, noise: float | None, config: DecisionConfig) -> Spread | None:
    if len(common.arms) < 2 or not common.rows:
        return None
    rates = [_rate(common, index, outcome) for index in range(len(common.arms))]
    order = sorted(range(len(rates)), key=lambda index: rates[index].value or 0.0)
    ends = _Ends(order[0], order[-1])
    paired = PairedCases.of(common, ends.most, ends.least, lambda mark: mark.outcome is outcome).discordance
    width = (rates[ends.most].value or 0.0) - (rates[ends.least].value or 0.0)
    p = min(1.0, comb(len(rates), 2) * exact_mcnemar(paired.first, paired.second))
    needed = paired_size(paired, alpha=config.alpha)
    beyond_noise = width > config.noise_factor * (noise or 0.0)
    return Spread(
        least=_arm_rate(common.arms[ends.least], rates[ends.least]),
        most=_arm_rate(common.arms[ends.most], rates[ends.most]),
        width=width,
        p=p,
        needed=needed.settles if needed is not None and paired.first > paired.second else None,
        large=width >= config.large_spread - 1e-12 and beyond_noise and p < config.alpha,
    )


def _arm_rate(arm: Arm, rate: Rate) -> ArmRate:
    return ArmRate(model=arm.model, variant=arm.variant, rate=rate)


def _rate(common: CaseResults, index: int, outcome: Outcome) -> Rate:
    marks = [(mark, cases) for found, cases in common.marginal(index).items() for mark in found if mark is not None]
    hits = sum(cases for mark, cases in marks if mark.outcome is outcome)
    return Rate.of(hits, sum(cases for _, cases in marks), repeats=common.repeats)
