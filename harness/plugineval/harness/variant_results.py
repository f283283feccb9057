"""What each variant of the descriptions did for each model, beside the published ones and on common cases (X7)."""

from plugineval.harness.comparison import larger
from plugineval.harness.statistics.case_results import Arm, CaseResults, is_right
from plugineval.harness.statistics.clusters import accuracy_clusters, clustered_rate
from plugineval.harness.statistics.differences import Difference, difference
from plugineval.harness.statistics.noise import noise_of
from plugineval.harness.statistics.pairs import PairedCases, exact_mcnemar, holm
from plugineval.harness.statistics.sample_size import SampleSize, paired_size
from plugineval.harness.uncertainty import Rate
from plugineval.harness.variants import PUBLISHED
from plugineval.pccf.values import Value


class VariantResult(Value):
    """One model under one variant against the published descriptions, on the rows that both have."""

    model: str
    variant: str
    cases: int
    without_verdict: int
    """Cells of the variant that were excluded or never answered (X11)."""
    published: Rate
    varied: Rate
    """Both are accuracies."""
    difference: Difference | None
    """Varied minus published."""
    p: float
    """Exact McNemar, two-sided, over cases."""
    p_adjusted: float = 1.0
    """After Holm's correction for all variants of all models."""
    noise: float | None
    differs: bool = False
    """p_adjusted < alpha, and the difference is larger than the run-to-run spread."""
    needed: SampleSize | None = None


def variant_results(results: CaseResults, *, alpha: float = 0.05) -> tuple[VariantResult, ...]:
    """Every model x variant with verdicts on both sides; empty where no variant was measured."""
    pairs = [(Arm(arm.model, PUBLISHED), arm) for arm in results.arms if arm.variant != PUBLISHED]
    found = [_result(results, pair) for pair in pairs if results.answered(pair) == pair]
    adjusted = holm([result.p for result in found])
    return tuple(_decided(result, p, alpha) for result, p in zip(found, adjusted, strict=True))


def _decided(found: VariantResult, p: float, alpha: float) -> VariantResult:
    gap = abs(found.difference.value) if found.difference else 0.0
    return found.model_copy(update={"p_adjusted": p, "differs": p < alpha and gap > (found.noise or 0.0)})


def _result(results: CaseResults, pair: tuple[Arm, Arm]) -> VariantResult:
    common = results.on_common_rows(pair)
    published, varied = (clustered_rate(accuracy_clusters(common, index)) for index in (0, 1))
    paired = PairedCases.of(common, 1, 0, is_right)
    found = paired.discordance
    noises = (noise_of(common, index, is_right) for index in (0, 1))
    return VariantResult(
        model=pair[1].model,
        variant=pair[1].variant,
        cases=found.cases,
        published=published,
        varied=varied,
        without_verdict=_unanswered(results, pair[1]),
        difference=difference(varied, published, correlation=paired.correlation),
        p=exact_mcnemar(found.first, found.second),
        noise=larger(*noises),
        needed=paired_size(found),
    )


def _unanswered(results: CaseResults, arm: Arm) -> int:
    marginal = results.marginal(results.index(arm))
    return sum(cases * marks.count(None) for marks, cases in marginal.items())
