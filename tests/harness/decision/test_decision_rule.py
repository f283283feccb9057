"""Every branch of the decision rule, and the numbers that choose it."""

import pytest

from doubles.results import results_of
from plugineval.harness.decision.config import DecisionConfig
from plugineval.harness.decision.rule import Decision, Recommendation, Why, decide
from plugineval.harness.decision.sentences import caveats, decision_sentence
from plugineval.harness.outcomes import Outcome


def decision(config: DecisionConfig | None = None, /, **arms: list[str]) -> Decision:
    named = {name.replace("__", "/"): cases for name, cases in arms.items()}
    models = dict.fromkeys(name.split("/")[0] for name in named)
    return decide(results_of(named), list(models), config)


def cases(good: int, mark: str, bad: int, *, right: str = "1") -> list[str]:
    """`good` right cases and `bad` failed ones, three repeats each."""
    return [right * 3] * good + [mark * 3] * bad


@pytest.mark.requirement("B11", "B17")
def test_mostly_no_call_and_models_that_vary_a_lot_means_choosing_a_model() -> None:
    found = decision(weak=cases(20, "0", 40), strong=cases(58, "0", 2))
    assert (found.recommendation, found.why, found.model) == (Recommendation.MODEL, Why.MODELS_VARY, "strong")
    assert found.spreads is not None
    assert found.spreads.between_models is not None
    assert found.spreads.between_models.width == pytest.approx(38 / 60)


@pytest.mark.requirement("B12", "B17")
def test_mostly_no_call_and_models_alike_means_the_description() -> None:
    found = decision(a=cases(40, "0", 20), b=cases(41, "0", 19))
    assert (found.recommendation, found.why) == (Recommendation.DESCRIPTION, Why.MODELS_ALIKE)


@pytest.mark.requirement("B13")
@pytest.mark.parametrize(("kept", "expected"), [(58, Recommendation.MODEL), (21, Recommendation.DESCRIPTION)])
def test_mostly_spurious_calls_look_at_the_spread_across_models_first(kept: int, expected: Recommendation) -> None:
    found = decision(a=cases(20, "-", 40, right="+"), b=cases(kept, "-", 60 - kept, right="+"))
    assert found.buckets is not None
    assert (found.buckets.dominant, found.recommendation) == (Outcome.SPURIOUS_CALL, expected)


@pytest.mark.requirement("B14", "B15", "B16")
@pytest.mark.parametrize(
    ("mark", "expected"),
    [("w", Recommendation.NAMES), ("i", Recommendation.SCHEMA), ("v", Recommendation.PRECHECK)],
)
def test_other_outcomes_say_what_to_fix_whichever_model_makes_them(mark: str, expected: Recommendation) -> None:
    assert decision(a=cases(20, mark, 40), b=cases(58, mark, 2)).recommendation is expected
    assert decision(a=cases(20, mark, 20)).recommendation is expected


@pytest.mark.requirement("X7", "B17")
def test_descriptions_that_buy_as_much_as_models_are_edited_although_models_vary() -> None:
    arms = {"weak": cases(20, "0", 40), "strong": cases(40, "0", 20)}
    assert decision(**arms).recommendation is Recommendation.MODEL
    found = decision(**arms, weak__clear=cases(55, "0", 5))
    assert (found.recommendation, found.why) == (Recommendation.DESCRIPTION, Why.DESCRIPTIONS_BUY_MORE)
    less = decision(**arms, weak__longer=cases(30, "0", 30))
    assert less.recommendation is Recommendation.MODEL
    assert less.spreads is not None
    assert less.spreads.between_variants is not None
    assert less.spreads.between_variants.width == pytest.approx(1 / 6)


@pytest.mark.requirement("B7", "B17")
def test_a_spread_between_models_that_repeats_show_too_is_no_spread() -> None:
    found = decision(a=["100"] * 20 + ["000"] * 10 + ["111"] * 30, b=["111"] * 33 + ["000"] * 27)
    assert found.spreads is not None
    assert found.spreads.run_to_run == pytest.approx(1 / 3)
    assert found.why is Why.MODELS_ALIKE


@pytest.mark.requirement("B17", "B24")
def test_a_wide_spread_that_few_cases_cannot_show_is_left_open_with_the_number_that_would_settle_it() -> None:
    found = decision(a=cases(10, "0", 10), b=cases(14, "0", 6))
    assert (found.recommendation, found.why) == (Recommendation.INSUFFICIENT, Why.SPREAD_NOT_SHOWN)
    assert "About 30 common cases would settle a spread of this size." in decision_sentence(found)


@pytest.mark.requirement("B23")
def test_one_model_alone_decides_nothing_about_calls_that_are_not_made() -> None:
    found = decision(a=cases(10, "0", 30))
    assert (found.recommendation, found.why) == (Recommendation.INSUFFICIENT, Why.ONE_MODEL)
    assert "measure a second before editing a prompt" in decision_sentence(found)


@pytest.mark.requirement("B17")
def test_too_few_failed_cases_no_leading_outcome_and_no_failure_are_said() -> None:
    few = decision(a=cases(50, "v", 7))
    assert (few.recommendation, few.why) == (Recommendation.INSUFFICIENT, Why.FEW_FAILURES)
    mixed = decision(a=["1"] * 9 + ["v"] * 4 + ["0"] * 4 + ["w"] * 4)
    assert (mixed.recommendation, mixed.why) == (Recommendation.MIXED, Why.NO_DOMINANT_OUTCOME)
    assert decision(a=["1"] * 9).recommendation is Recommendation.NOTHING
    assert decision(a=["."] * 9).why is Why.NO_ROWS


@pytest.mark.requirement("B17")
def test_the_thresholds_are_the_configurations_and_travel_with_the_decision() -> None:
    strict = DecisionConfig(dominant_share=0.9, minimum_cases=2)
    marks = ["1"] * 9 + ["v"] * 8 + ["0"] * 2
    assert decision(a=marks).recommendation is Recommendation.PRECHECK
    found = decision(strict, a=marks)
    assert (found.recommendation, found.config) == (Recommendation.MIXED, strict)
    assert "mostly is 90.0 %" in decision_sentence(found)


@pytest.mark.requirement("B17", "X10")
def test_only_rows_that_all_models_answered_are_counted() -> None:
    found = decision(a=["v"] * 10 + ["0"] * 30, b=["v"] * 10 + ["."] * 30)
    assert found.buckets is not None
    assert (found.buckets.failures, found.buckets.failed_cases) == (20, 10)
    assert found.recommendation is Recommendation.PRECHECK


@pytest.mark.requirement("B17")
def test_the_sentence_holds_every_number_beside_its_threshold() -> None:
    assert decision_sentence(decision(weak=cases(20, "0", 40), strong=cases(58, "0", 2))) == (
        "Choose strong and stop editing the prompt. Mostly no_call: 100.0 % of 126 failed attempts (126/126) on 40 "
        "cases; mostly is 50.0 %. The models vary a lot: strong 3.3 % (6/180) to weak 66.7 % (120/180), 63.3 points "
        "apart, p = 7.3e-12; a lot is 10.0 points, more than 2 times the run-to-run spread (0.0 points) and p < 0.05."
    )


@pytest.mark.requirement("B17", "X7")
def test_what_was_not_measured_is_a_caveat() -> None:
    found = caveats(decision(a=["0"] * 20, b=["0"] * 20))
    assert any("run-to-run spread was not measured" in caveat for caveat in found)
    assert any("No variants of the descriptions were measured" in caveat for caveat in found)
    tried = decision(a=cases(40, "0", 20), b=cases(41, "0", 19), a__longer=cases(41, "0", 19))
    assert any("variants that were tried moved little" in caveat for caveat in caveats(tried))
