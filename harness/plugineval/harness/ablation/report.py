"""The report of an ablation: every variant with its measures, each with denominator and interval, and its tests."""

from typing import Literal, TypeAlias

from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.statistics.differences import Difference
from plugineval.harness.statistics.sample_size import SampleSize
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Json, Value

Measure: TypeAlias = Literal["pass_rate", "false_positive_rate", "coverage_multiple", "difficulty_deviation"]


class Score(Value):
    """A number that is no rate, with a 95 % interval; None where there is nothing to take it of."""

    value: float | None = None
    low: float | None = None
    high: float | None = None
    of: int = 0
    """How many units or examples it is taken of."""


class AblationTest(Value):
    """One measure of one variant against the full pipeline."""

    measure: Measure
    method: str
    pairs: int
    """Common candidates or units; unpaired: the candidates of the variant."""
    delta: float | None = None
    """Variant minus full, over what is compared here."""
    low: float | None = None
    high: float | None = None
    rates: Difference | None = None
    """The two rates as they are measured, each on its own candidates: variant minus full, unpaired (Newcombe)."""
    only_full: int | None = None
    """Paired yes and no: pairs in which it holds of full alone."""
    only_variant: int | None = None
    p: float | None = None
    p_adjusted: float | None = None
    """After Holm's correction over the family, measure by measure: the named variants of one set of plugins, or one
    sweep.
    """
    differs: bool = False
    needed: SampleSize | None = None
    """Where it does not differ: how many pairs would settle a difference of this size, corrected for the family; None
    where there is no difference at all.
    """
    detectable: float | None = None
    """Paired yes and no: the smallest true difference that so many pairs would probably show."""
    says: str = ""


class VariantReport(Value):
    """One variant on one set of plugins."""

    name: str
    plugins: tuple[str, ...]
    without: str = ""
    same_as: str = ""
    """The variant before it with the very same configuration, whose numbers these are."""
    config: dict[str, Json]
    """R, M, K, and which components are on."""
    axis: str | None = None
    value: int | None = None
    stop_reason: str = ""
    cut_short: bool = False
    """Whether a hard limit ended it: its numbers are of what there was until then."""
    candidates: int
    """Written or real queries, filtered ones included."""
    examples: int
    """In the benchmark it would have been."""
    size: int
    undecided: int
    pass_rate: Rate
    cumulative_pass_rate: tuple[Rate, ...]
    """After round 1, 2, ... of Stage I, over the same candidates (P63)."""
    false_positive_rate: Rate
    """Of the accepted gold whose truth is known (P62)."""
    unknown_truth: int = 0
    coverage_multiple: Score
    units_covered: int
    difficulty_deviation: Score
    negatives: dict[str, int] = {}
    """Verified negatives by observed difficulty: what K refines."""
    calls: int
    calls_replayed: int
    spent: Spent
    """On both: what it would have taken alone."""
    judging_calls: int = 0
    """Asked of the evaluators afterwards, for the truth of its gold."""
    tests: tuple[AblationTest, ...] = ()

    def test(self, measure: Measure) -> AblationTest | None:
        """The test of one measure; the full pipeline has none."""
        return next((test for test in self.tests if test.measure == measure), None)


class CoverageBase(Value):
    """What coverage multiples are multiples of, by set of plugins (D10)."""

    plugins: tuple[str, ...]
    units: int
    of: str


class AblationReport(Value):
    """All variants, the full pipeline of each set of plugins first."""

    variants: tuple[VariantReport, ...]
    judged_by: str
    bases: tuple[CoverageBase, ...]
    statistics: StatisticsConfig
    definitions: dict[str, str]
