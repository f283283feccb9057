"""What a large run takes: cases told apart by words, draws made in parts, a p that need not be known to the end."""

from random import Random
from tracemalloc import get_traced_memory, start, stop

import pytest

from doubles.results import marked_row, results_of
from plugineval.harness import resampling
from plugineval.harness.mixtures import ORIGINAL
from plugineval.harness.statistics.case_results import Arm, mark_of
from plugineval.harness.statistics.config import StatisticsConfig
from plugineval.harness.statistics.ledger import CaseLedger
from plugineval.harness.statistics.pairs import exact_mcnemar
from plugineval.pccf.examples import Difficulty


def test_a_p_that_is_large_enough_is_large_whatever_is_left_of_it() -> None:
    for total in (10, 60, 400, 1001, 3000):
        for lesser in range(0, total // 2 + 1, max(1, total // 50)):
            whole = exact_mcnemar(total - lesser, lesser)
            for enough in (0.01, 0.05, 0.2):
                part = exact_mcnemar(total - lesser, lesser, enough=enough)
                assert (part >= enough) == (whole >= enough)
                assert part == whole or part >= enough


@pytest.mark.requirement("P54")
def test_a_draw_is_the_same_in_whatever_parts_it_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    random = Random(1)
    arms = {model: ["".join(random.choices("10.", k=3)) for _ in range(60)] for model in ("a", "b")}
    results = results_of(arms, levels=[list(Difficulty)[index % 3] for index in range(60)])
    whole = resampling.resample(results, ORIGINAL, StatisticsConfig(resamples=50))
    monkeypatch.setattr(resampling, "AT_ONCE", 7)
    assert whole is not None
    assert resampling.resample(results, ORIGINAL, StatisticsConfig(resamples=50)) == whole


def test_a_row_beyond_the_announced_repeats_counts_with_its_own_case_alone() -> None:
    ledger = CaseLedger([Arm("a"), Arm("b")], repeats=2)
    for model, case, repeat, mark in (("a", "x", 0, "1"), ("b", "x", 3, "1"), ("a", "y", 1, "1"), ("b", "y", 1, "0")):
        ledger.add(marked_row(mark, model=model, case=case, repeat=repeat))
    results = ledger.results()
    assert sorted(len(marks) for marks in results.marginal(1)) == [2, 4]
    assert [sum(mark is not None for mark in marks) for marks in results.marginal(0)] == [1, 1]
    assert (results.on_common_rows([Arm("a"), Arm("b")]).rows, results.cases) == (1, 2)


def test_many_cases_of_many_arms_are_kept_in_two_bytes_a_cell() -> None:
    arms, cases, repeats = 20, 2_000, 5
    rows = [marked_row(mark, model="m0") for mark in "10"]
    start()
    try:
        ledger = CaseLedger([Arm(f"m{index}") for index in range(arms)], repeats=repeats)
        for index in range(cases):
            place = ledger.place(f"case-{index:06}", ("find",), None)
            for arm in range(arms):
                letter = ledger.letter(None if (index + arm) % 7 == 0 else mark_of(rows[index % 2]))
                for repeat in range(repeats):
                    ledger.put(f"m{arm}", "", place, repeat, letter)
        held, _ = get_traced_memory()
    finally:
        stop()
    assert held / (arms * cases * repeats) < 6
    assert ledger.results().cases == cases
