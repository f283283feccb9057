"""From runs of variants to their report: measures, tests against the full pipeline, and what may be said of each."""

from collections.abc import Mapping, Sequence

from plugineval.harness.ablation import measures
from plugineval.harness.ablation.report import AblationReport, AblationTest, VariantReport
from plugineval.harness.ablation.saying import DEFINITIONS, said
from plugineval.harness.ablation.significance import tests_of
from plugineval.harness.construction_measures import covered_units
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.statistics.pairs import holm
from plugineval.pccf.ablations.runs import VariantRun
from plugineval.pccf.construction.results import StopReason
from plugineval.pccf.values import Json

_LIMITS = {StopReason.CALL_LIMIT, StopReason.TOKEN_LIMIT, StopReason.COST_LIMIT, StopReason.TIME_LIMIT}


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
    """The named variants are one family of tests, every sweep is another."""
    first = _first_alike(runs)
    tests: dict[int, tuple[AblationTest, ...]] = {}
    for axis in dict.fromkeys(run.variant.axis for run in runs):
        family = [place for place, run in enumerate(runs) if run.variant.axis == axis and first[place]]
        tests |= _family(runs[0], {place: runs[place] for place in family}, config)
    return [
        _variant(run, base, config).model_copy(
            update={"tests": tests.get(place, ()), "same_as": "" if same == place else runs[same].variant.name}
        )
        for place, (run, same) in enumerate(zip(runs, first, strict=True))
    ]


def _first_alike(runs: Sequence[VariantRun]) -> list[int]:
    """For each run the place of the first with the same configuration; 0 for all that are the full one."""
    seen: dict[str, int] = {}
    return [seen.setdefault(run.variant.config.model_dump_json(), place) for place, run in enumerate(runs)]


def _family(
    full: VariantRun, family: Mapping[int, VariantRun], config: StatisticsConfig
) -> dict[int, tuple[AblationTest, ...]]:
    """The tests of variants that are looked at together, corrected for their number measure by measure (Holm)."""
    if not family:
        return {}
    # What would settle a difference must pass the corrected test too.
    strict = config.model_copy(update={"alpha": config.alpha / len(family)})
    found = {place: tests_of(full, run, strict) for place, run in family.items()}
    columns = [_corrected(column, config) for column in zip(*found.values(), strict=True)]
    return dict(zip(found, zip(*columns, strict=True), strict=True))


def _corrected(column: Sequence[AblationTest], config: StatisticsConfig) -> list[AblationTest]:
    """One measure over a family; a test without a p is none."""
    tested = [test.p for test in column if test.p is not None]
    adjusted = iter(holm(tested))
    return [test if test.p is None else _settled(test, next(adjusted), config) for test in column]


def _settled(test: AblationTest, p: float, config: StatisticsConfig) -> AblationTest:
    differs = p < config.alpha
    judged = test.model_copy(update={"p_adjusted": p, "differs": differs, "needed": None if differs else test.needed})
    return judged.model_copy(update={"says": said(judged)})


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
