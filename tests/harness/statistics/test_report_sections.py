"""What a report says beyond its headline, and that reports of earlier versions are still read."""

import json

import pytest

from doubles.harness import AT
from doubles.reports import case_of, little_report
from plugineval.harness.borrowed import BorrowedNumber
from plugineval.harness.decision.rule import Recommendation
from plugineval.harness.end_metric import EndTally
from plugineval.harness.rendering.markdown import render_markdown, report_tables
from plugineval.harness.report import ModelReport, Report
from plugineval.harness.variants import DescriptionVariant
from plugineval.pccf.examples import Difficulty

LEVELS = [*Difficulty] * 10
CASES = [case_of(index, difficulty=level) for index, level in enumerate(LEVELS)]
STEADY = ["111"] * 30
SHAKY = ["101"] * 10 + ["000"] * 20
REPORT = little_report({"good": STEADY, "bad": SHAKY}, cases=CASES)


def table(report: Report, key: str) -> tuple[tuple[str, ...], ...]:
    return next((table.rows for table in report_tables(report) if table.key == key), ())


@pytest.mark.requirement("B17", "P54", "P56", "B7")
def test_the_new_sections_have_their_tables() -> None:
    keys = [table.key for table in report_tables(REPORT)]
    expected = {"pairs", "steadiness", "by_tool", "decision", "optional", "table_one", "mixture_shifts"}
    assert expected <= set(keys)
    assert keys.index("models") < keys.index("pairs") < keys.index("decision") < keys.index("table_one")


@pytest.mark.requirement("B17")
def test_the_decision_is_said_below_the_verdict() -> None:
    paragraphs = render_markdown(REPORT, now=AT).split("\n\n")
    assert REPORT.decision is not None
    assert REPORT.decision.recommendation is Recommendation.MODEL
    assert paragraphs[2].startswith("good 100.0 % (90/90) is ahead of bad 22.2 % (20/90)")
    assert paragraphs[3].startswith("Choose good and stop editing the prompt. Mostly no_call")


@pytest.mark.requirement("B7")
def test_flaky_cases_are_counted_and_named() -> None:
    assert table(REPORT, "steadiness") == (
        ("good", "0/30", "100.0, 100.0, 100.0", "100.0, 100.0, 100.0", ""),
        ("bad", "10/30", "22.2, 11.1, 0.0", "22.2, 33.3, 33.3", "c000, c001, c002, c003, c004, …"),
    )


@pytest.mark.requirement("D11")
def test_the_headline_interval_is_clustered_by_case() -> None:
    bad = next(model for model in REPORT.models if model.id == "bad")
    assert (bad.recall.numerator, bad.recall.denominator) == (20, 90)
    assert bad.recall.low is not None
    assert bad.errors.miss.low is not None
    assert bad.recall.low > 1 - (bad.errors.miss.high or 0)


@pytest.mark.requirement("B18")
def test_a_report_of_an_earlier_version_is_still_read_and_rendered() -> None:
    body = json.loads(REPORT.model_dump_json())
    new = ("decision", "table_one", "by_tool", "variants", "optional_fields", "end_metrics", "borrowed")
    for name in new:
        del body[name]
    for name in ("cases", "pairs", "config"):
        del body["comparison"][name]
    for result in body["comparison"]["models"].values():
        del result["noise"]
    for model in body["models"]:
        del model["steadiness"], model["served_by"]
    for name in ("tool_prints", "gold_hash"):
        del body["run"]["scope"][name]
    del body["run"]["config"]["variants"]
    old = Report.model_validate(body)
    assert (old.decision, old.by_tool, old.comparison.pairs) == (None, (), ())
    assert "## Models" in render_markdown(old, now=AT)


@pytest.mark.requirement("X7", "X11")
def test_variants_are_laid_beside_the_published_descriptions_and_change_no_headline() -> None:
    variant = DescriptionVariant(name="clear", descriptions={"find": "Finds by number."})
    varied = little_report(
        {"good": STEADY, "bad": SHAKY, "bad/clear": ["111"] * 28 + ["..."] * 2, "good/clear": STEADY},
        cases=CASES,
        variants=(variant,),
    )

    def numbers(model: ModelReport) -> dict[str, object]:
        return model.model_dump(exclude={"served_by"})

    assert list(map(numbers, varied.models)) == list(map(numbers, REPORT.models))
    same, better = varied.variants
    assert (better.model, better.cases, better.without_verdict, better.differs) == ("bad", 28, 6, True)
    assert (same.differs, same.needed) == (False, None)
    assert table(varied, "variants")[0][-2:] == ("not found", "–")


@pytest.mark.requirement("B20")
def test_borrowed_numbers_carry_model_and_month_or_are_refused() -> None:
    quoted = BorrowedNumber(metric="accuracy", value=0.91, model="m-large", month="2026-03", source="a paper")
    with pytest.raises(ValueError, match="month"):
        BorrowedNumber(metric="accuracy", value=0.91, model="m-large", month="last spring", source="a paper")
    with pytest.raises(ValueError, match="model"):
        BorrowedNumber(metric="accuracy", value=0.91, model="", month="2026-03", source="a paper")
    shown = REPORT.model_copy(update={"borrowed": (quoted,)})
    assert table(shown, "borrowed") == (("accuracy", "0.91", "m-large", "2026-03", "a paper", ""),)


@pytest.mark.requirement("B21")
def test_the_end_is_tracked_apart_from_the_call() -> None:
    from doubles.results import marked_row

    tally = EndTally("order placed", "an order stands in the shop")
    for mark, reached in (("1", True), ("1", False), ("0", True), ("0", False), (".", True)):
        tally.add(marked_row(mark), reached=reached)
    rates = tally.result().models["m"]
    assert (rates.call.numerator, rates.end.numerator, rates.end.denominator) == (2, 2, 4)
    assert (rates.call_only, rates.end_only) == (1, 1)
    shown = REPORT.model_copy(update={"end_metrics": (tally.result(),)})
    assert table(shown, "end_metric") == (("m", "50.0 % (2/4)", "50.0 % (2/4)", "1", "1"),)


@pytest.mark.requirement("B24")
@pytest.mark.parametrize(
    ("other", "said"),
    [
        (["1"] * 30, "the gap is zero, and a run of this size would show one of about 20.0 points"),
        (["1"] * 28 + ["0"] * 2, "about 90 common cases would settle a difference of this size"),
    ],
)
def test_no_difference_found_comes_with_what_would_settle_it(other: list[str], said: str) -> None:
    verdict = little_report({"a": ["1"] * 30, "b": other}, cases=CASES).verdict
    assert verdict.sentence.startswith("No difference found between a")
    assert said in verdict.sentence
    assert "one repeat, noise not measured" in verdict.sentence
