"""From runs of variants to their report: measures, tests against the full pipeline, and what may be said of each."""

from collections.abc import Sequence

from plugineval.harness.ablation import measures
from plugineval.harness.ablation.report import AblationReport, AblationTest, Measure, VariantReport
from plugineval.harness.ablation.saying import DEFINITIONS, said
from plugineval.harness.ablation.significance import tests_of
from plugineval.harness.construction_measures import covered_units
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.statistics.pairs import holm
from plugineval.pccf.ablations.runs import VariantRun
from plugineval.pccf.construction.results import StopReason
from plugineval.pccf.values import Json

_LIMITS = {StopReason.CALL_LIMIT, StopReason.TOKEN_LIMIT, StopReason.COST_LIMIT, StopReason.TIME_LIMIT}
_MEASURES: tuple[Measure, ...] = ("pass_rate", "false_positive_rate", "coverage_multiple", "difficulty_deviation")


def ablation_report(
    levels: Sequence[Sequence[VariantRun]], judged_by: str, config: StatisticsConfig | None = None
) -> AblationReport:
    """The report of `levels`: for every set of plugins its runs, the full pipeline first."""
    settings = config or StatisticsConfig()
    bases = [measures.base_of(runs[0]) for runs in levels]
    return AblationReport(
        variants=tuple(each for runs, base in zip(levels, bases, strict=True) for each in _level(runs, base, settings)),
        judged_by=judged_by,
        bases=tuple(base.told(runs[0].plugins) for runs, base in zip(levels, bases, strict=True)),
        statistics=settings,
        definitions=DEFINITIONS,
    )


def _level(runs: Sequence[VariantRun], base: measures.Base, config: StatisticsConfig) -> list[VariantReport]:
    """Each configuration is tested once, however many variants have it."""
    full, first = runs[0], _first_alike(runs)
    distinct = [index for index in sorted(set(first)) if index]
    found = {index: tests_of(full, runs[index], config) for index in distinct}
    for measure in _MEASURES:
        _correct(found, measure, config)
    reports = [_variant(run, base, config) for run in runs]
    return [
        report.model_copy(
            update={
                "tests": tuple(found.get(same, ())),
                "same_as": "" if same == place else runs[same].variant.name,
            }
        )
        for place, (report, same) in enumerate(zip(reports, first, strict=True))
    ]


def _first_alike(runs: Sequence[VariantRun]) -> list[int]:
    seen: dict[str, int] = {}
    return [seen.setdefault(run.variant.config.model_dump_json(), place) for place, run in enumerate(runs)]


def _correct(found: dict[int, list[AblationTest]], measure: Measure, config: StatisticsConfig) -> None:
    """Holm over all variants of one measure; those without a p are no tests."""
    places = [
        (index, place)
        for index, tests in found.items()
        for place, test in enumerate(tests)
        if test.measure == measure and test.p is not None
    ]
    adjusted = holm([found[index][place].p or 0.0 for index, place in places])
    for (index, place), p in zip(places, adjusted, strict=True):
        test = found[index][place]
        differs = p < config.alpha
        needed = None if differs else test.needed
        settled = test.model_copy(update={"p_adjusted": p, "differs": differs, "needed": needed})
        found[index][place] = settled
    for index, tests in found.items():
        found[index] = [
            test.model_copy(update={"says": said(test)}) if test.measure == measure else test for test in tests
        ]


def _variant(run: VariantRun, base: measures.Base, config: StatisticsConfig) -> VariantReport:
    result, numbers = run.result, run.variant.config
    rounds = numbers.verification.max_rounds
    return VariantReport(
        name=run.variant.name,
        plugins=run.plugins,
        without=run.variant.without,
        config=_numbers(run),
        axis=run.variant.axis,
        value=run.variant.value,
        stop_reason="incomplete" if result.stop_reason is None else result.stop_reason.value,
        cut_short=result.stop_reason in _LIMITS,
        candidates=result.counts.candidates,
        examples=len(result.benchmark.examples),
        size=numbers.size,
        undecided=result.counts.undecided,
        pass_rate=measures.pass_rate(run),
        cumulative_pass_rate=tuple(measures.cumulative(run, number) for number in range(1, rounds + 1)),
        false_positive_rate=measures.false_positive_rate(run),
        unknown_truth=measures.unknown_truth(run),
        coverage_multiple=measures.coverage(run, base),
        units_covered=len(covered_units(result.verified)),
        difficulty_deviation=measures.deviation(run, config.seed),
        negatives=measures.negatives_by_difficulty(result.verified),
        calls=run.asked.calls,
        calls_replayed=run.asked.replayed,
        spent=run.asked.spent,
        judging_calls=run.judging.calls,
    )


def _numbers(run: VariantRun) -> dict[str, Json]:
    config = run.variant.config
    return {
        "R": config.verification.max_rounds,
        "M": config.verification.generators,
        "K": config.calibration_runs,
        "content_validation": config.verification.content_validation,
        "closed_loop": config.closed_loop,
        "tau": config.verification.tau,
        "size": config.size,
        "seed": config.seed,
    }
