"""Seeded samples of audits: the same for the same seed, with the shares of the whole, and short where all is little."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugineval.harness.audits.sampling import stratified, with_prior

SEED = 20260725


def ids(prefix: str, number: int) -> list[str]:
    return [f"{prefix}{place:05}" for place in range(number)]


@pytest.mark.requirement("P60")
def test_a_sample_of_300_of_the_papers_set_is_250_positives_and_50_negatives() -> None:
    sample = with_prior({"positives": ids("p", 2500), "negatives": ids("n", 500)}, 300, SEED)
    assert [(each.name, each.drawn) for each in sample.strata] == [("positives", 250), ("negatives", 50)]
    assert len(set(sample.ids)) == 300
    assert sample.note == ""


@pytest.mark.requirement("P60")
def test_the_seed_decides_the_sample_and_the_order_of_the_cases_does_not() -> None:
    cases = ids("p", 400)
    one = with_prior({"positives": cases}, 20, SEED)
    assert one.ids == with_prior({"positives": reversed(cases)}, 20, SEED).ids
    assert one.ids != with_prior({"positives": cases}, 20, SEED + 1).ids


@pytest.mark.requirement("P60")
def test_a_smaller_benchmark_is_audited_whole_and_says_so() -> None:
    sample = with_prior({"positives": ids("p", 9), "negatives": ids("n", 3)}, 300, SEED)
    assert len(sample.ids) == 12
    assert sample.note == "there are no more: 9 of 225 positives, 3 of 75 negatives"


@pytest.mark.requirement("P61")
def test_a_stratum_with_too_few_rows_gives_all_it_has() -> None:
    sample = stratified({"correct": ids("c", 500), "missed": ids("m", 3)}, {"correct": 100, "missed": 50}, SEED)
    assert [each.drawn for each in sample.strata] == [100, 3]
    assert sample.note == "there are no more: 3 of 50 missed"


@given(st.integers(0, 300), st.integers(0, 300), st.integers(1, 200), st.integers())
def test_a_sample_keeps_the_prior_to_the_case(positives: int, negatives: int, size: int, seed: int) -> None:
    sample = with_prior({"p": ids("p", positives), "n": ids("n", negatives)}, size, seed)
    total = positives + negatives
    assert len(sample.ids) == len(set(sample.ids)) == min(size, total)
    if total > size:
        drawn = sum(name.startswith("p") for name in sample.ids)
        assert abs(drawn - size * positives / total) < 1
