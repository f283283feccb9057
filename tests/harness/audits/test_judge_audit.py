"""What reviews of verdicts amount to: each reviewer against the grader, the reviewers among themselves, by stratum."""

from typing import Literal, TypeAlias

import pytest

from doubles.referee import fleiss
from doubles.store import a_row
from plugineval.harness.audits.opinions import Review, RowClass, RowOpinion
from plugineval.harness.audits.questions import RowQuestion, class_of
from plugineval.harness.audits.sampling import stratified
from plugineval.harness.audits.verdicts import STRATA, VerdictFindings, verdict_findings
from plugineval.harness.outcomes import Confusion, ErrorCategory, Exclusion
from plugineval.harness.rendering.audit_tables import verdict_tables

pytestmark = pytest.mark.requirement("P61")

Say: TypeAlias = Literal["confirm", "unsure", "correct", "missed", "spurious", "parameter_error"]


def rows(**numbers: int) -> dict[str, RowQuestion]:
    made = [
        RowQuestion(
            row=f"{name}-{n}",
            case=f"case-{n}",
            query="q",
            tools=(),
            gold=(),
            predicted=(),
            verdict=RowClass(name),
            because=None,
        )
        for name, number in numbers.items()
        for n in range(number)
    ]
    return {question.row: question for question in made}


def findings(questions: dict[str, RowQuestion], **said: dict[str, Say]) -> VerdictFindings:
    """Reviewers confirm all verdicts but those they say something else of."""
    reviews = [
        Review(
            subject=row,
            reviewer=who,
            opinion=RowOpinion(verdict=others.get(row, "confirm"), reason=f"{who} on {row}"),
        )
        for who, others in said.items()
        for row in questions
    ]
    sizes = {stratum.value: size for stratum, size in STRATA.items()}
    sample = stratified({name: [r for r in questions if r.startswith(name)] for name in sizes}, sizes, 1)
    return verdict_findings(sample, questions, reviews, (), raters=len(said))


def test_the_papers_table_gives_its_kappa() -> None:
    questions = rows(correct=100, missed=50, spurious=50, parameter_error=100)
    others: dict[str, Say] = {f"parameter_error-{n}": "correct" for n in range(8)}
    found = findings(questions, ada={**others, "correct-0": "parameter_error"})
    (ada,) = found.reviewers
    assert round(ada.kappa or 0, 4) == 0.9585
    assert (ada.agreement.numerator, ada.agreement.denominator) == (291, 300)
    strata = {each.stratum: each for each in found.strata}
    assert strata["parameter_error"].confirmed.value == pytest.approx(0.92)
    assert strata["parameter_error"].confirmed.low == pytest.approx(0.8501, abs=1e-3)
    assert strata["parameter_error"].instead == {"correct": 8}


def test_reviewers_are_compared_among_themselves_over_what_each_would_say() -> None:
    questions = rows(correct=2, missed=2)
    found = findings(questions, ada={"correct-0": "missed"}, bob={"correct-0": "missed"}, cyd={})
    assert found.among.subjects == 4
    assert found.among.observed == pytest.approx((1 / 3 + 3) / 4)
    says = [["missed", "missed", "correct"], ["correct"] * 3, ["missed"] * 3, ["missed"] * 3]
    assert found.among.kappa == pytest.approx(fleiss(says)) == pytest.approx(0.625)
    (rejected,) = found.rejected
    assert (rejected.row, rejected.instead, rejected.most) == ("correct-0", {"ada": "missed", "bob": "missed"}, True)
    assert rejected.reasons["ada"] == "ada on correct-0"
    assert "audit_strata" in [table.key for table in verdict_tables(found)]


def test_who_is_unsure_neither_agrees_nor_rejects_and_is_counted() -> None:
    found = findings(rows(correct=4), ada={"correct-0": "unsure"})
    (ada,) = found.reviewers
    assert (ada.unsure, ada.agreement.denominator, found.rejected) == (1, 3, ())
    assert found.strata[0].unsure == 1
    assert (found.strata[0].confirmed.numerator, found.strata[0].confirmed.denominator) == (3, 4)


def test_the_class_that_the_grader_gave_said_again_is_a_confirmation() -> None:
    found = findings(rows(missed=1), ada={"missed-0": "missed"})
    assert (found.reviewers[0].agreement.value, found.rejected) == (1.0, ())


def test_rows_without_a_verdict_of_the_grader_belong_to_no_class() -> None:
    right = a_row()
    assert class_of(right) is RowClass.CORRECT
    failed = right.model_copy(update={"confusion": Confusion.FN, "category": ErrorCategory.JUDGE_FAILURE})
    excluded = right.model_copy(update={"confusion": None, "exclusion": Exclusion.TIMEOUT})
    assert [class_of(failed), class_of(excluded)] == [None, None]
    over = right.model_copy(update={"confusion": Confusion.FP, "category": ErrorCategory.OVER_RECALL})
    assert class_of(over) is RowClass.SPURIOUS
