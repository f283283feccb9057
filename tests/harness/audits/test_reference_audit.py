"""What reviews of gold amount to: validity with its interval, agreement beside its prevalence, rejected cases."""

import pytest

from doubles.audited import a_proof, an_audited_benchmark, on_negative, on_positive, questions_of, reviewed
from doubles.referee import fleiss
from plugineval.harness.audits.levels import level_agreement
from plugineval.harness.audits.opinions import Opinion, Review
from plugineval.harness.audits.questions import involved_in
from plugineval.harness.audits.reference import ReferenceFindings, reference_findings
from plugineval.harness.audits.sampling import with_prior
from plugineval.harness.rendering.audit_tables import reference_tables

pytestmark = pytest.mark.requirement("P60")

BENCHMARK = an_audited_benchmark(3, 1)


def findings(*reviews: list[Review], raters: int | None = None) -> ReferenceFindings:
    questions = questions_of(BENCHMARK)
    sample = with_prior({"positives": questions}, 300, 1)
    flat = [review for mine in reviews for review in mine]
    return reference_findings(sample, questions, flat, (), raters=raters or len(reviews))


def test_a_case_is_valid_where_every_level_that_was_asked_is_right() -> None:
    mine: list[Opinion] = [on_positive(), on_positive(args="no"), on_positive(target="unsure"), on_negative()]
    (ada,) = findings(reviewed("ada", mine)).reviewers
    assert (ada.valid.numerator, ada.valid.denominator) == (2, 4)
    assert ada.valid.low == pytest.approx(0.15004, abs=1e-5)
    assert (ada.unsure, ada.rejected) == (1, 1)
    # Need is asked of every case, the other two of positives.
    assert {level: rate.denominator for level, rate in ada.levels.items()} == {"need": 4, "target": 3, "args": 3}


def test_kappa_is_fleiss_over_the_cases_that_all_reviewers_answered() -> None:
    says = [["yes", "yes", "no"], ["yes", "yes", "yes"], ["no", "unsure", "no"], ["yes", "no", "no"]]
    found = level_agreement("args", {str(n): row for n, row in enumerate(says)} | {"short": ["yes"]}, 3)
    assert found.kappa == pytest.approx(fleiss(says))
    assert (found.subjects, found.left_out) == (4, 1)
    assert found.observed == pytest.approx((1 / 3 + 1 + 1 / 3 + 1 / 3) / 4)


def test_a_low_kappa_under_one_prevalent_answer_is_said_to_be_just_that() -> None:
    ratings = {str(n): ["yes", "yes", "yes"] for n in range(48)} | {
        "a": ["yes", "yes", "no"],
        "b": ["no", "yes", "yes"],
    }
    found = level_agreement("need", ratings, 3)
    assert found.kappa is not None
    assert found.kappa < 0.1
    assert found.observed == pytest.approx(0.97333, abs=1e-5)
    assert (found.commonest, round(found.prevalence or 0, 3)) == ("yes", 0.987)
    assert "99 % of the answers are yes" in found.note


def test_where_all_say_the_same_there_is_no_kappa_and_the_note_says_why() -> None:
    found = level_agreement("need", {"a": ["yes", "yes"], "b": ["yes", "yes"]}, 2)
    assert (found.kappa, found.observed) == (None, 1.0)
    assert "nothing to agree about" in found.note


def test_one_reviewer_agrees_with_nobody() -> None:
    found = level_agreement("need", {"a": ["yes"]}, 1)
    assert (found.kappa, found.observed) == (None, None)


def test_rejected_cases_come_with_every_reason_and_those_of_a_majority_first() -> None:
    right: list[Opinion] = [*[on_positive()] * 3, on_negative()]
    found = findings(
        reviewed("ada", [on_positive(args="no"), on_positive(args="no"), on_positive(), on_negative()]),
        reviewed("bob", [on_positive(), on_positive(need="no"), on_positive(), on_negative("unsure")]),
        reviewed("cyd", right),
    )
    first, second = found.rejected
    assert (first.case, first.most, second.most) == ("example-0001", True, False)
    assert [(each.reviewer, each.levels) for each in first.rejections] == [("ada", ("args",)), ("bob", ("need",))]
    assert found.most_rejected == 1
    assert [table.key for table in reference_tables(found)][-1] == "audit_rejected"


def test_who_made_the_gold_of_a_case_is_marked_and_counted_apart() -> None:
    assert involved_in(a_proof(0, generator="m", evaluator="m")) == {
        "m": "generator and argument evaluator and result evaluator"
    }
    mine = reviewed("m", [on_positive()], involved="generator") + reviewed("m", [on_positive(), on_positive("no")])[1:]
    (rates,) = findings(mine).reviewers
    assert (rates.valid.numerator, rates.valid.denominator, rates.involved) == (1, 2, 1)
    assert (rates.independent.numerator, rates.independent.denominator) == (0, 1)


def test_a_reviewer_is_shown_what_executing_the_gold_gave_and_nobodys_judgement_of_it() -> None:
    question = questions_of(BENCHMARK)["example-0001"]
    assert "sunny in town 1" in str(question.observed)
    shown = question.model_dump_json()
    assert "maker" not in shown
    assert "as asked" not in shown
