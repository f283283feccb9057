"""Whether a variant differs from the full pipeline, or only by chance (P66, D11).

- Pass rate, where Stage I differs: exact McNemar on the candidates that both decided. Where it does not differ, common
  candidates are judged alike by construction: the two rates are compared unpaired, Fisher's exact test with Newcombe's
  interval, which is on the safe side because the candidates overlap.
- Wrong gold let through: exact McNemar on common candidates.
- Coverage: exact McNemar over units, covered or not.
- Deviation: paired permutation test over the units that both have examples of, with a stated seed.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import ceil, sqrt
from statistics import NormalDist, stdev

from plugineval.harness.ablation.measures import all_units, deviation_by_unit, false_positive_rate, pass_rate
from plugineval.harness.ablation.report import AblationTest, Measure
from plugineval.harness.construction_measures import covered_units
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.statistics.differences import difference
from plugineval.harness.statistics.pairs import PairedCases, exact_mcnemar
from plugineval.harness.statistics.sample_size import SampleSize, detectable, paired_size, unpaired_size
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.ablations.outcomes import CandidateOutcome
from plugineval.pccf.ablations.runs import VariantRun

_PERMUTATIONS = 9999


def tests_of(full: VariantRun, variant: VariantRun, config: StatisticsConfig) -> list[AblationTest]:
    """One test per measure, not yet corrected for their number."""
    passed = difference(pass_rate(variant), pass_rate(full))
    wrong = difference(false_positive_rate(variant), false_positive_rate(full))
    return [
        _passed(full, variant, config).model_copy(update={"rates": passed}),
        _let_through(full, variant, config).model_copy(update={"rates": wrong}),
        _covered(full, variant, config),
        _deviating(full, variant, config),
    ]


def _passed(full: VariantRun, variant: VariantRun, config: StatisticsConfig) -> AblationTest:
    if variant.variant.config.verification == full.variant.config.verification:
        return _unpaired(pass_rate(variant), pass_rate(full), config)
    mine, theirs = ({each.record: each.passed for each in run.candidates if each.examined} for run in (variant, full))
    return _paired("pass_rate", "exact McNemar on common candidates", _common(mine, theirs), config)


def _let_through(full: VariantRun, variant: VariantRun, config: StatisticsConfig) -> AblationTest:
    mine, theirs = ({e.record: _wrong(e) for e in run.candidates if _known(e)} for run in (variant, full))
    method = "exact McNemar on common candidates: wrong gold let through"
    return _paired("false_positive_rate", method, _common(mine, theirs), config)


def _covered(full: VariantRun, variant: VariantRun, config: StatisticsConfig) -> AblationTest:
    mine, theirs = (covered_units(run.result.verified) for run in (variant, full))
    pairs = [(unit in mine, unit in theirs) for unit in all_units(full) | all_units(variant)]
    return _paired("coverage_multiple", "exact McNemar over coverage units", pairs, config)


def _deviating(full: VariantRun, variant: VariantRun, config: StatisticsConfig) -> AblationTest:
    mine, theirs = deviation_by_unit(variant), deviation_by_unit(full)
    gaps = [mine[unit] - theirs[unit] for unit in sorted(mine.keys() & theirs.keys())]
    method = f"paired permutation test over units (seed {config.seed})"
    test = AblationTest(measure="difficulty_deviation", method=method, pairs=len(gaps))
    if not gaps:
        return test
    mean = sum(gaps) / len(gaps)
    half = NormalDist().inv_cdf(0.975) * stdev(gaps) / sqrt(len(gaps)) if len(gaps) > 1 else None
    return test.model_copy(
        update={
            "delta": mean,
            "low": None if half is None else mean - half,
            "high": None if half is None else mean + half,
            "p": _permuted(gaps, config.seed),
            "needed": _needed_units(gaps, config),
        }
    )


def _known(each: CandidateOutcome) -> bool:
    return each.examined and (not each.passed or each.right is not None)


def _wrong(each: CandidateOutcome) -> bool:
    return each.passed and each.right is False


def _common(mine: Mapping[str, bool], theirs: Mapping[str, bool]) -> list[tuple[bool, bool]]:
    """(variant, full) of every candidate that both have."""
    return [(mine[name], theirs[name]) for name in sorted(mine.keys() & theirs.keys())]


def _paired(
    measure: Measure, method: str, pairs: Iterable[tuple[bool, bool]], config: StatisticsConfig
) -> AblationTest:
    every = list(pairs)
    test = AblationTest(measure=measure, method=method, pairs=len(every))
    if not every:
        return test
    cases = PairedCases(((int(mine), int(theirs), 1), 1) for mine, theirs in every)
    found = cases.discordance
    rates = [Rate.of(sum(column), len(every)) for column in zip(*every, strict=True)]
    gap = difference(rates[0], rates[1], correlation=cases.correlation)
    return test.model_copy(
        update={
            "delta": gap.value if gap else None,
            "low": gap.low if gap else None,
            "high": gap.high if gap else None,
            "only_full": found.second,
            "only_variant": found.first,
            "p": exact_mcnemar(found.first, found.second),
            "needed": paired_size(found, alpha=config.alpha, power=config.power),
            "detectable": detectable(found, alpha=config.alpha, power=config.power),
        }
    )


def _unpaired(variant: Rate, full: Rate, config: StatisticsConfig) -> AblationTest:
    method = "Fisher's exact test, unpaired, with Newcombe's interval: Stage I is the same"
    test = AblationTest(measure="pass_rate", method=method, pairs=variant.denominator)
    gap = difference(variant, full)
    if gap is None or variant.value is None or full.value is None:
        return test
    import numpy as np
    from scipy.stats import fisher_exact

    table = np.array([[rate.numerator, rate.denominator - rate.numerator] for rate in (variant, full)])
    needed = unpaired_size(variant.value, full.value, alpha=config.alpha, power=config.power)
    p = float(fisher_exact(table).pvalue)
    return test.model_copy(update={"delta": gap.value, "low": gap.low, "high": gap.high, "p": p, "needed": needed})


def _permuted(gaps: Sequence[float], seed: int) -> float:
    """Two-sided p that the signs of `gaps` are chance; all of their signs where there are few, else drawn by seed."""
    if not any(gaps):
        return 1.0
    import numpy as np
    from scipy.stats import permutation_test

    random = np.random.default_rng(seed)
    drawn = permutation_test(
        (np.array(gaps),), np.mean, permutation_type="samples", n_resamples=_PERMUTATIONS, rng=random
    )
    return float(drawn.pvalue)


def _needed_units(gaps: Sequence[float], config: StatisticsConfig) -> SampleSize | None:
    """Units at which a mean of this size and spread would be shown, by the normal approximation."""
    mean = sum(gaps) / len(gaps)
    if mean == 0 or len(gaps) < 2:
        return None
    effect = stdev(gaps) / abs(mean)
    z_alpha, z_beta = NormalDist().inv_cdf(1 - config.alpha / 2), NormalDist().inv_cdf(config.power)
    # A permutation test needs a little more than the approximation says: never fewer than were not enough.
    settles, planned = (max(len(gaps) + 1, ceil((z * effect) ** 2)) for z in (z_alpha, z_alpha + z_beta))
    return SampleSize(settles=settles, with_power=max(settles, planned), power=config.power)
