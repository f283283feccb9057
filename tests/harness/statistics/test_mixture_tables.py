"""Table 1 and its neighbours: numbers by hand, missing strata, seeded draws, ranks."""

import pytest

from doubles.results import results_of
from plugineval.harness.mixtures import EASY_WEIGHTED, MIXTURES, ORIGINAL, MixedRate, Mixture
from plugineval.harness.ranking import RankShift, moved, rank_shifts, ranks
from plugineval.harness.resampling import resample
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.table_one import TableOne, table_one
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.examples import Difficulty

EASY, MEDIUM, HARD = Difficulty
LEVELS = [EASY] * 4 + [MEDIUM] * 4 + [HARD] * 2 + [EASY] * 2 + [MEDIUM] * 2 + [HARD] * 2
STEADY = ["1", "1", "1", "1", "1", "0", "v", "t", "0", "w", "+", "+", "+", "-", "-", "-"]
TURNED = ["1", "0", "0", "i", "1", "1", "1", "1", "1", "1", "+", "+", "+", "+", "+", "+"]
CONFIG = StatisticsConfig(resamples=200)


def table(*, floors: tuple[str, ...] = ()) -> TableOne:
    found = table_one(results_of({"a": STEADY, "b": TURNED}, levels=LEVELS), floors=floors, config=CONFIG)
    assert found is not None
    return found


def value(rate: MixedRate | None) -> float:
    assert rate is not None
    assert rate.value is not None
    return round(rate.value, 6)


@pytest.mark.requirement("P54")
def test_the_papers_mixtures_are_the_papers() -> None:
    assert [tuple(mixture.shares.values()) for mixture in MIXTURES] == [(0.4, 0.4, 0.2), (0.6, 0.3, 0.1)]
    with pytest.raises(ConfigurationError, match="sum to 1"):
        Mixture(name="odd", shares={EASY: 0.5, HARD: 0.4})


@pytest.mark.requirement("P54")
def test_table_one_weights_the_strata_by_the_mixture() -> None:
    original, easy = (table().entry("a", mixture.name) for mixture in MIXTURES)
    assert original is not None
    assert easy is not None
    # Recall: easy 4/4, medium 1/4, hard 0/2; negatives: easy 2/2, medium 1/2, hard 0/2.
    assert value(original.recall) == 0.4 * 1 + 0.4 * 0.25
    assert value(easy.recall) == 0.675
    assert value(original.over) == 0.4 * 0.5 + 0.2
    assert value(original.accuracy) == round((10 * 0.5 + 6 * 0.6) / 16, 6)
    assert value(original.miss) == round(0.4 * 0.25 + 0.2 * 1, 6)
    assert (value(original.temporal), value(original.value), value(original.missing)) == (0.1, 0.1, 0)
    assert value(original.parameter) == 0.2
    assert (original.recall.rows, original.over.rows, original.accuracy.rows) == (10, 6, 16)


@pytest.mark.requirement("P54", "X10")
def test_a_mixed_rate_has_an_interval_no_narrower_than_its_rows_allow() -> None:
    found = table().entry("a", ORIGINAL.name)
    assert found is not None
    recall = found.recall
    assert recall.low is not None
    assert recall.high is not None
    assert 0 < recall.low < value(recall) < recall.high < 1
    assert recall.effective <= recall.rows


@pytest.mark.requirement("P54")
def test_a_stratum_without_rows_leaves_a_gap_and_is_named() -> None:
    results = results_of({"a": ["1", "0", "+"]}, levels=[EASY, MEDIUM, EASY])
    found = table_one(results, config=CONFIG)
    assert found is not None
    entry = found.entries[0]
    assert (entry.recall.value, entry.recall.absent) == (None, (HARD,))
    assert (entry.accuracy.value, entry.accuracy.absent) == (None, (HARD, MEDIUM))
    assert found.resampled == ()
    kept = table_one(results_of({"a": ["1", "0", "1", "+"]}, levels=[EASY, MEDIUM, HARD, EASY]), config=CONFIG)
    assert kept is not None
    drawn = kept.resampled[0].models["a"]
    assert drawn.recall is not None
    assert drawn.accuracy is None
    assert table_one(results_of({"a": ["1"]}), config=CONFIG) is None


@pytest.mark.requirement("P54")
def test_a_run_without_negatives_has_its_recall_for_accuracy() -> None:
    found = table_one(results_of({"a": ["1", "0", "1"]}, levels=[EASY, MEDIUM, HARD]), config=CONFIG)
    assert found is not None
    entry = found.entries[0]
    assert value(entry.accuracy) == value(entry.recall) == 0.6
    assert (entry.over.value, entry.over.absent) == (None, ())


@pytest.mark.requirement("P56")
def test_deltas_and_rank_changes_between_the_mixtures() -> None:
    found = table()
    assert {shift.model: round(shift.recall or 0, 6) for shift in found.shifts} == {"a": 0.175, "b": -0.15}
    # Original: a .5, b .7; easy-weighted: a .675, b .55.
    assert found.ranks == (RankShift(model="a", before=2, after=1), RankShift(model="b", before=1, after=2))
    assert [shift.shift for shift in found.ranks] == [1, -1]
    assert moved(found.ranks) == 2
    assert [entry.model for entry in table(floors=("b",)).entries] == ["a", "a"]


@pytest.mark.requirement("P56", "P57")
def test_equal_rates_share_a_rank_and_no_rate_has_none() -> None:
    assert ranks({"a": 0.5, "b": 0.9, "c": 0.9, "d": None}) == {"a": 3, "b": 1, "c": 1}
    (shift,) = rank_shifts({"a": None}, {"a": 0.1})
    assert (shift.before, shift.after, shift.shift) == (None, 1, None)


@pytest.mark.requirement("P54")
def test_seeded_draws_are_the_same_again_and_centre_on_the_weighted_rate() -> None:
    results = results_of({"a": STEADY, "b": TURNED}, levels=LEVELS)
    config = StatisticsConfig(resamples=2000)
    first, again = resample(results, EASY_WEIGHTED, config), resample(results, EASY_WEIGHTED, config)
    other = resample(results, EASY_WEIGHTED, config.model_copy(update={"seed": 1}))
    assert first is not None
    assert first == again != other
    recall = first.models["a"].recall
    assert recall is not None
    assert recall.mean == pytest.approx(0.675, abs=0.01)
    assert recall.low < recall.mean < recall.high
    assert first.models["a"].first + first.models["b"].first >= 1


@pytest.mark.requirement("P54")
def test_the_order_in_which_rows_came_moves_no_draw() -> None:
    forward = results_of({"a": STEADY, "b": TURNED}, levels=LEVELS)
    backward = results_of({"a": STEADY[::-1], "b": TURNED[::-1]}, levels=LEVELS[::-1])
    assert resample(forward, ORIGINAL, CONFIG) == resample(backward, ORIGINAL, CONFIG)
