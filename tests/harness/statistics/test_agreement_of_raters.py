"""Kappas against published values and against statsmodels."""

import csv
from pathlib import Path

import pytest

from doubles.referee import cohen, fleiss
from plugineval.harness.agreement import agreement_of, fleiss_kappa, prevalence


def labels(**counts: int) -> list[str]:
    return [label for label, number in counts.items() for _ in range(number)]


@pytest.mark.requirement("D11")
def test_ten_judges_and_a_person_agree_as_published(shared_data: Path) -> None:
    with (shared_data / "data" / "livemcpbench_judges.csv").open(encoding="utf-8", newline="") as lines:
        rows = list(csv.DictReader(lines))
    judges = [name for name in rows[0] if name not in {"task_id", "human"}]
    assert fleiss_kappa([[row[judge] for judge in judges] for row in rows]) == pytest.approx(0.54372, abs=1e-5)
    human = [row["human"] for row in rows]
    expected = {
        "openai_gpt-4.1-mini": (0.8526, 0.6044),
        "qwen25_72b_int4_instruct": (0.8421, 0.5904),
        "deepseek_deepseek-chat-v3-0324": (0.8105, 0.5442),
        "deepseek_deepseek-r1-0528": (0.6, 0.2891),
    }
    for judge, (observed, kappa) in expected.items():
        found = agreement_of(human, [row[judge] for row in rows])
        assert (found.observed, found.kappa) == pytest.approx((observed, kappa), abs=5e-5)


@pytest.mark.requirement("D11")
def test_nine_disagreements_of_three_hundred_give_the_published_kappa() -> None:
    judge = labels(correct=100, missed=50, spurious=50, parameter=100)
    person = labels(correct=99, other=1, missed=50, spurious=50, parameter=92, late=8)
    person = ["parameter" if label == "other" else "correct" if label == "late" else label for label in person]
    found = agreement_of(judge, person)
    assert (found.subjects, found.observed) == (300, 0.97)
    assert round(found.kappa or 0, 4) == 0.9585


@pytest.mark.requirement("D11")
def test_kappas_are_those_of_the_referee() -> None:
    ratings = [["a", "a", "b"], ["b", "b", "b"], ["c", "a", "b"], ["a", "a", "a"], ["c", "c", "a"]]
    assert fleiss_kappa(ratings) == pytest.approx(fleiss(ratings))
    first, second = [row[0] for row in ratings], [row[2] for row in ratings]
    assert agreement_of(first, second).kappa == pytest.approx(cohen(first, second))


@pytest.mark.requirement("D11")
def test_without_a_second_label_or_a_subject_there_is_no_kappa() -> None:
    assert agreement_of(["a"] * 5, ["a"] * 5).kappa is None
    assert (agreement_of([], []).observed, fleiss_kappa([])) == (None, None)
    assert fleiss_kappa([["a", "a"], ["a", "a"]]) is None
    assert prevalence([["a", "a"], ["a", "b"]]) == 0.75
    with pytest.raises(ValueError, match="same number of raters"):
        fleiss_kappa([["a", "b"], ["a"]])
