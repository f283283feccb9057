"""Invariants of the statistics, over generated runs."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from doubles.referee import mcnemar_p
from doubles.results import marked_row, results_of
from plugineval.harness.agreement import agreement_of, fleiss_kappa
from plugineval.harness.comparison import compare_models
from plugineval.harness.decision.rule import decide
from plugineval.harness.metrics import metrics_of
from plugineval.harness.mixtures import MIXTURES, Mixture, by_stratum, mixed_metrics
from plugineval.harness.ranking import ranks
from plugineval.harness.statistics.case_results import Arm
from plugineval.harness.statistics.clusters import (
    accuracy_clusters,
    clustered_rate,
    effective_size,
    pass_at,
    pass_hat,
    recall_clusters,
)
from plugineval.harness.statistics.differences import difference
from plugineval.harness.statistics.ledger import CaseLedger
from plugineval.harness.statistics.pairs import exact_mcnemar, holm
from plugineval.harness.statistics.sample_size import unpaired_size
from plugineval.harness.tally import Tally
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.examples import Difficulty

RATES = st.integers(1, 300).flatmap(lambda n: st.integers(0, n).map(lambda x: Rate.of(x, n)))
POSITIVES = st.lists(st.text("10wivt.", min_size=2, max_size=2), min_size=1, max_size=12)
SHARES = st.floats(0, 1)


@st.composite
def runs(draw: st.DrawFn) -> dict[str, list[str]]:
    """Two models on the same cases, positives and negatives, two repeats."""
    sides = draw(st.lists(st.booleans(), min_size=1, max_size=10))
    marks = [st.text("10wvt." if side else "+-.", min_size=2, max_size=2) for side in sides]
    return {model: [draw(mark) for mark in marks] for model in ("a", "b")}


@pytest.mark.requirement("D11")
@given(RATES, RATES, st.floats(-1, 1))
def test_a_difference_lies_inside_its_interval_and_turns_with_its_sides(one: Rate, other: Rate, phi: float) -> None:
    found, turned = difference(one, other, correlation=phi), difference(other, one, correlation=phi)
    assert found is not None
    assert turned is not None
    assert -1 <= found.low <= found.value <= found.high <= 1
    assert (turned.value, turned.low, turned.high) == pytest.approx((-found.value, -found.high, -found.low))


@pytest.mark.requirement("D11")
@given(st.integers(0, 60), st.integers(0, 60))
def test_the_exact_test_is_symmetric_a_probability_and_the_referees(first: int, second: int) -> None:
    p = exact_mcnemar(first, second)
    assert 0 < p <= 1
    assert p == exact_mcnemar(second, first)
    assert p == pytest.approx(mcnemar_p(first, second))


@pytest.mark.requirement("D11")
@given(st.lists(SHARES, max_size=8))
def test_a_correction_only_raises_p_and_keeps_their_order(values: list[float]) -> None:
    adjusted = holm(values)
    assert all(p <= q <= 1 for p, q in zip(values, adjusted, strict=True))
    order = sorted(range(len(values)), key=values.__getitem__)
    assert [adjusted[i] for i in order] == sorted(adjusted)


@pytest.mark.requirement("D11")
@given(POSITIVES)
def test_the_effective_number_lies_between_one_and_all_attempts(cases: list[str]) -> None:
    clusters = accuracy_clusters(results_of({"m": cases}), 0)
    attempts = sum(m * number for (_, m), number in clusters.items())
    if attempts:
        assert 1 <= effective_size(clusters) <= attempts


@pytest.mark.requirement("B7")
@given(POSITIVES)
def test_pass_hat_falls_with_k_and_pass_at_rises(cases: list[str]) -> None:
    full = [case.replace(".", "0") for case in cases]
    clusters = accuracy_clusters(results_of({"m": full}), 0)
    hats, ats = ([measure(clusters, k) or 0.0 for k in (1, 2)] for measure in (pass_hat, pass_at))
    assert hats[0] == pytest.approx(ats[0]) == pytest.approx(clustered_rate(clusters).value or 0.0)
    assert hats[1] <= hats[0] + 1e-12
    assert ats[0] <= ats[1] + 1e-12


@pytest.mark.requirement("X10")
@given(runs())
def test_cases_and_rows_count_the_same(arms: dict[str, list[str]]) -> None:
    results, tally = results_of(arms), Tally()
    for index, case in enumerate(arms["a"]):
        for repeat, mark in enumerate(case):
            tally.add(marked_row(mark, model="a", case=f"c{index}", repeat=repeat))
    metrics = metrics_of(tally)
    for clusters, rate in (
        (recall_clusters(results, 0), metrics.recall),
        (accuracy_clusters(results, 0), metrics.accuracy),
    ):
        found = clustered_rate(clusters)
        assert (found.numerator, found.denominator) == (rate.numerator, rate.denominator)


@pytest.mark.requirement("X10")
@given(runs(), st.randoms())
def test_neither_the_order_of_rows_nor_of_models_moves_a_comparison(arms: dict[str, list[str]], random: Random) -> None:
    rows = [
        marked_row(mark, model=model, case=f"c{index:02}", repeat=repeat)
        for model, cases in arms.items()
        for index, case in enumerate(cases)
        for repeat, mark in enumerate(case)
    ]
    before = CaseLedger([Arm("a"), Arm("b")], repeats=2)
    for row in rows:
        before.add(row)
    random.shuffle(rows)
    after = CaseLedger([Arm("a"), Arm("b")], repeats=2)
    for row in rows:
        after.add(row)
    assert compare_models(after.results()) == compare_models(before.results())
    assert decide(after.results(), ["a", "b"]) == decide(before.results(), ["a", "b"])
    assert [after.flaky(arm) for arm in (Arm("a"), Arm("b"))] == [before.flaky(arm) for arm in (Arm("a"), Arm("b"))]


@pytest.mark.requirement("B24")
@given(runs())
def test_a_model_against_itself_never_differs(arms: dict[str, list[str]]) -> None:
    found = compare_models(results_of({"a": arms["a"], "b": arms["a"]}))
    assert all((pair.p, pair.differs, pair.difference.value) == (1.0, False, 0.0) for pair in found.pairs)


@pytest.mark.requirement("P54")
@given(runs(), st.randoms())
def test_a_mixed_rate_lies_between_its_strata_and_one_stratum_alone_is_itself(
    arms: dict[str, list[str]], random: Random
) -> None:
    levels = [random.choice(list(Difficulty)) for _ in arms["a"]]
    strata = by_stratum(results_of(arms, levels=levels))
    rates = {level: clustered_rate(recall_clusters(part, 0)).value for level, part in strata.items()}
    known = [rate for rate in rates.values() if rate is not None]
    for mixture in MIXTURES:
        mixed = mixed_metrics(strata, 0, "a", mixture)
        if mixed.recall.value is not None:
            assert min(known) - 1e-9 <= mixed.recall.value <= max(known) + 1e-9
            errors = (mixed.miss.value or 0) + (mixed.parameter.value or 0)
            assert mixed.recall.value + errors == pytest.approx(1)
    easy = mixed_metrics(strata, 0, "a", Mixture(name="easy", shares={Difficulty.EASY: 1.0}))
    assert easy.recall.value == pytest.approx(rates.get(Difficulty.EASY))


@pytest.mark.requirement("P56")
@given(st.dictionaries(st.text("abcdef", min_size=1, max_size=2), SHARES, max_size=8))
def test_ranks_start_at_one_and_better_is_never_behind(values: dict[str, float]) -> None:
    found = ranks(values)
    assert min(found.values(), default=1) == 1
    assert all(found[a] <= found[b] for a in values for b in values if values[a] >= values[b])


@pytest.mark.requirement("D11")
@given(st.lists(st.tuples(st.sampled_from("xy"), st.sampled_from("xy")), min_size=1, max_size=30))
def test_kappas_are_symmetric_and_at_most_one(pairs: list[tuple[str, str]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    found, turned = agreement_of(first, second), agreement_of(second, first)
    assert found == turned
    assert found.kappa is None or found.kappa <= 1 + 1e-12
    both = fleiss_kappa(pairs)
    assert both is None or both <= 1 + 1e-12


@pytest.mark.requirement("X7")
@given(st.integers(1, 50), st.integers(1, 50))
def test_a_larger_difference_needs_fewer_rows(one: int, other: int) -> None:
    small, large = sorted((one, other))
    near, far = unpaired_size(0.5, 0.5 + small / 100), unpaired_size(0.5, 0.5 + large / 100)
    assert near is not None
    assert far is not None
    assert far.with_power <= near.with_power
    assert far.settles <= near.settles + 2
