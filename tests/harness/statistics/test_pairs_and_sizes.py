"""Paired tests, their corrections, and how many cases would settle a question."""

import pytest
from scipy.special import bdtr

from doubles.referee import holm_adjusted, mcnemar_p, unpaired_power
from doubles.results import results_of
from plugineval.harness.comparison import compare_models
from plugineval.harness.statistics.pairs import Discordance, exact_mcnemar, holm
from plugineval.harness.statistics.sample_size import detectable, paired_size, unpaired_size


@pytest.mark.requirement("D11")
@pytest.mark.parametrize("counts", [(0, 0), (1, 0), (6, 0), (3, 10), (12, 6), (40, 41), (300, 240)])
def test_mcnemars_exact_test_is_that_of_the_referee(counts: tuple[int, int]) -> None:
    assert exact_mcnemar(*counts) == pytest.approx(mcnemar_p(*counts))


@pytest.mark.requirement("D11")
@pytest.mark.parametrize("total", [59, 999, 1001, 20_000, 1_000_000])
def test_mcnemars_exact_test_is_scipys_binomial_tail_however_many_cases_differ(total: int) -> None:
    for lesser in (0, total // 4, total // 2 - int(total**0.5), total // 2 - 1, (total - 1) // 2):
        expected = min(1.0, 2 * float(bdtr(lesser, total, 0.5)))
        assert exact_mcnemar(lesser, total - lesser) == pytest.approx(expected, rel=1e-8, abs=1e-300)


@pytest.mark.requirement("D11")
def test_holms_correction_is_that_of_the_referee() -> None:
    values = [0.04, 0.001, 0.03, 0.5, 0.03]
    assert holm(values) == pytest.approx(holm_adjusted(values))


@pytest.mark.requirement("B24", "X7")
def test_94_against_91_of_a_hundred_needs_about_573_rows_a_side() -> None:
    found = unpaired_size(0.94, 0.91)
    assert found is not None
    assert found.settles == 573
    assert unpaired_power(0.94, 0.91, found.with_power) == pytest.approx(0.8, abs=0.01)
    assert unpaired_size(0.9, 0.9) is None


@pytest.mark.requirement("B24", "X7")
def test_a_paired_size_is_where_the_same_proportions_just_pass_the_test() -> None:
    found = paired_size(Discordance(first=12, second=6, cases=200))
    assert found is not None
    scaled = found.settles / 200
    assert exact_mcnemar(round(12 * scaled), round(6 * scaled)) < 0.05
    assert exact_mcnemar(round(12 * 0.8 * scaled), round(6 * 0.8 * scaled)) >= 0.05
    assert found.with_power > found.settles
    assert paired_size(Discordance(first=5, second=5, cases=200)) is None


@pytest.mark.requirement("B24")
def test_a_run_without_a_gap_says_what_it_would_have_shown() -> None:
    assert detectable(Discordance(first=0, second=0, cases=60)) == pytest.approx(0.1)
    assert detectable(Discordance(first=0, second=0, cases=0)) == 1.0
    assert detectable(Discordance(first=50, second=50, cases=1000)) == pytest.approx(0.028, abs=0.001)


@pytest.mark.requirement("D11")
def test_repeating_the_same_cases_makes_no_difference_more_certain() -> None:
    once = results_of({"a": ["1"] * 7 + ["0"] * 3, "b": ["0"] * 4 + ["1"] * 3 + ["0"] * 3})
    thrice = results_of({"a": ["111"] * 7 + ["000"] * 3, "b": ["000"] * 4 + ["111"] * 3 + ["000"] * 3})
    (first,), (second,) = compare_models(once).pairs, compare_models(thrice).pairs
    assert (first.p, first.only_first, first.only_second) == (second.p, 4, 0) == (0.125, 4, 0)


@pytest.mark.requirement("B7")
def test_a_significant_difference_inside_the_run_to_run_spread_is_no_difference() -> None:
    noisy = results_of({"a": ["11"] * 40, "b": ["11"] * 30 + ["01"] * 10})
    (pair,) = compare_models(noisy).pairs
    assert (pair.p < 0.01, pair.noise, pair.differs) == (True, 0.25, False)
    steady = results_of({"a": ["11"] * 40, "b": ["11"] * 30 + ["00"] * 10})
    assert compare_models(steady).pairs[0].differs


@pytest.mark.requirement("X10")
def test_models_under_test_are_not_corrected_for_the_floors_beside_them() -> None:
    runs = {"a": ["1"] * 20, "b": ["1"] * 14 + ["0"] * 6}
    alone = compare_models(results_of(runs)).pair("a", "b")
    beside = compare_models(results_of({**runs, "floor": ["0"] * 20}), floors={"floor"}).pair("b", "a")
    assert alone == beside
    crowded = compare_models(results_of({**runs, "c": ["1"] * 20})).pair("a", "b")
    assert alone is not None
    assert crowded is not None
    assert crowded.p_adjusted > alone.p_adjusted == alone.p


@pytest.mark.requirement("X8", "X10")
def test_what_a_floor_did_not_answer_costs_the_models_no_row() -> None:
    found = compare_models(results_of({"a": ["1"] * 20, "b": ["1"] * 20, "f": ["0"] * 9 + ["."] * 11}), floors={"f"})
    assert (found.rows, found.models["a"].accuracy.denominator, found.models["f"].accuracy.denominator) == (20, 20, 9)
    against = found.pair("f", "a")
    assert against is not None
    assert (against.first, against.cases, against.differs) == ("a", 9, True)


@pytest.mark.requirement("X10")
def test_a_cell_that_one_model_did_not_answer_is_in_nobodys_numbers() -> None:
    found = compare_models(results_of({"a": ["10", "11"], "b": ["1.", "11"]}))
    assert (found.rows, found.dropped, found.cases) == (3, 1, 2)
    assert found.models["a"].accuracy.denominator == found.models["b"].accuracy.denominator == 3
