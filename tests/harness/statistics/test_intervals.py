"""Intervals against published values and against statsmodels."""

import pytest

from doubles.referee import clustered_variance, newcombe_interval, wilson_interval
from doubles.results import results_of
from plugineval.harness.statistics.clusters import accuracy_clusters, clustered_rate, effective_size
from plugineval.harness.statistics.differences import Difference, difference
from plugineval.harness.uncertainty import Rate


def rounded(found: Difference | None) -> tuple[float, float, float]:
    assert found is not None
    return round(found.value, 4), round(found.low, 4), round(found.high, 4)


@pytest.mark.requirement("D11")
def test_a_single_rate_has_wilsons_interval() -> None:
    rate = Rate.of(96, 100)
    assert (round(rate.low or 0, 4), round(rate.high or 0, 4)) == (0.9016, 0.9843)


@pytest.mark.requirement("D11", "B24")
@pytest.mark.parametrize(
    ("new", "old", "expected", "real"),
    [
        (Rate.of(182, 200), Rate.of(188, 200), (-0.03, -0.0841, 0.0229), False),
        (Rate.of(880, 1000), Rate.of(960, 1000), (-0.08, -0.104, -0.0566), True),
    ],
)
def test_an_unpaired_difference_has_newcombes_interval(
    new: Rate, old: Rate, expected: tuple[float, float, float], real: bool
) -> None:
    found = difference(new, old)
    assert rounded(found) == expected
    assert found is not None
    assert found.excludes_zero is real


@pytest.mark.requirement("D11")
@pytest.mark.parametrize("counts", [(3, 10, 5, 20), (0, 30, 1, 30), (17, 17, 40, 50), (500, 1000, 480, 900)])
def test_both_intervals_are_those_of_the_referee(counts: tuple[int, int, int, int]) -> None:
    first, n, second, m = counts
    one, other = Rate.of(first, n), Rate.of(second, m)
    found = difference(one, other)
    assert found is not None
    assert (one.low, one.high) == pytest.approx(wilson_interval(first, n))
    assert (found.low, found.high) == pytest.approx(newcombe_interval(first, n, second, m), abs=1e-9)


@pytest.mark.requirement("D11")
def test_the_paired_interval_uses_how_far_the_two_agree() -> None:
    one, other = Rate.of(60, 100), Rate.of(50, 100)
    apart, together = difference(one, other), difference(one, other, correlation=0.8)
    assert apart is not None
    assert together is not None
    assert together.high - together.low < apart.high - apart.low
    # Newcombe 1998, method 10, by hand: l1 = .5020, u1 = .6906, l2 = .4038, u2 = .5962 and phi = .8.
    assert rounded(together) == (0.1, 0.0386, 0.1593)


@pytest.mark.requirement("D11")
def test_repeats_count_for_what_they_add() -> None:
    once = results_of({"m": ["1"] * 30 + ["0"] * 10})
    alike = results_of({"m": ["111"] * 30 + ["000"] * 10})
    mixed = results_of({"m": ["110"] * 30 + ["101"] * 10})
    assert effective_size(accuracy_clusters(once, 0)) == pytest.approx(40)
    assert effective_size(accuracy_clusters(alike, 0)) == pytest.approx(39.33, abs=0.01)
    assert effective_size(accuracy_clusters(mixed, 0)) == 120
    assert clustered_rate(accuracy_clusters(once, 0)) == Rate.of(30, 40)


@pytest.mark.requirement("D11")
def test_the_clustered_variance_is_that_of_the_referee() -> None:
    cases = ["111", "110", "100", "000", "101", "111", "011", "0", "11"]
    clusters = accuracy_clusters(results_of({"m": cases}), 0)
    attempts = sum(map(len, cases))
    share = sum(case.count("1") for case in cases) / attempts
    variance = clustered_variance([[mark == "1" for mark in case] for case in cases])
    assert effective_size(clusters) == pytest.approx(attempts / (variance / (share * (1 - share) / (attempts - 1))))


@pytest.mark.requirement("D11")
def test_where_every_attempt_ended_alike_n_is_the_number_of_cases() -> None:
    rate = clustered_rate(accuracy_clusters(results_of({"m": ["111"] * 20}), 0))
    assert rate == Rate.of(60, 60, repeats=3)
