"""The judge audit (P61): whether reviewers confirm the verdicts of a run, by stratum and by reviewer."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

from plugineval.harness.agreement import agreement_of
from plugineval.harness.audits.levels import LevelAgreement, level_agreement
from plugineval.harness.audits.opinions import Review, RowClass, RowOpinion, Unanswered
from plugineval.harness.audits.questions import RowQuestion
from plugineval.harness.audits.sampling import Sample
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Json, Value

STRATA = {RowClass.CORRECT: 100, RowClass.MISSED: 50, RowClass.SPURIOUS: 50, RowClass.PARAMETER_ERROR: 100}
"""The paper's sample."""


class ReviewerAgainstGrader(Value):
    """One reviewer beside the grader, over the rows the reviewer is sure of."""

    reviewer: str
    reviewed: int
    unsure: int
    agreement: Rate
    """Observed: rows on which both give the same class."""
    kappa: float | None
    """Cohen's, over the four classes."""
    involved: int = 0
    """Rows that the reviewer had answered or judged."""


class StratumRate(Value):
    """How often a verdict of one class is confirmed: over all reviews of it, with n the rows for the interval."""

    stratum: str
    rows: int
    confirmed: Rate
    by_reviewer: dict[str, Rate]
    unsure: int
    instead: dict[str, int] = {}
    """Class that a reviewer gives instead -> reviews."""


class RejectedVerdict(Value):
    """A row whose verdict somebody rejects."""

    row: str
    case: str
    verdict: RowClass
    query: Json
    gold: tuple[Json, ...]
    predicted: tuple[Json, ...]
    because: Json
    reviewers: int
    instead: dict[str, str]
    """Reviewer -> the class given instead."""
    reasons: dict[str, str]
    most: bool


class VerdictFindings(Value):
    """What an audit of verdicts found."""

    sample: Sample
    reviewers: tuple[ReviewerAgainstGrader, ...]
    among: LevelAgreement
    """The reviewers among themselves, over the class each gives."""
    strata: tuple[StratumRate, ...]
    rejected: tuple[RejectedVerdict, ...]
    unanswered: tuple[Unanswered, ...] = ()

    @property
    def most_rejected(self) -> int:
        """Rows whose verdict more than half of their reviewers reject."""
        return sum(row.most for row in self.rejected)


def verdict_findings(
    sample: Sample,
    questions: Mapping[str, RowQuestion],
    reviews: Sequence[Review],
    unanswered: Sequence[Unanswered],
    *,
    raters: int,
) -> VerdictFindings:
    """Of the reviews of the sampled rows, `raters` wanted of each."""
    given = [_Given(review, questions[review.subject]) for review in reviews]
    names = sorted({review.reviewer for review in reviews})
    labels: defaultdict[str, list[str]] = defaultdict(list)
    for each in given:
        labels[each.row].append(each.label or "unsure")
    return VerdictFindings(
        sample=sample,
        reviewers=tuple(_reviewer(name, [each for each in given if each.reviewer == name]) for name in names),
        among=level_agreement("verdict", labels, raters),
        strata=tuple(_stratum(stratum, given, names) for stratum in RowClass),
        rejected=_rejected(given),
        unanswered=tuple(unanswered),
    )


class _Given:
    """One review beside the verdict it is about; `label` is None where the reviewer is unsure."""

    def __init__(self, review: Review, question: RowQuestion) -> None:
        if not isinstance(review.opinion, RowOpinion):
            raise TypeError("an opinion on a case is none on a row")
        said = review.opinion.verdict
        self.row, self.reviewer, self.involved = review.subject, review.reviewer, bool(review.involved)
        self.question, self.reason, self.graded = question, review.opinion.reason, question.verdict.value
        self.label = self.graded if said == "confirm" else None if said == "unsure" else said

    @property
    def confirms(self) -> bool:
        return self.label == self.graded

    @property
    def rejects(self) -> bool:
        return self.label not in {None, self.graded}


def _reviewer(name: str, given: Sequence[_Given]) -> ReviewerAgainstGrader:
    sure = [(each.label, each.graded) for each in given if each.label is not None]
    found = agreement_of([label for label, _ in sure], [graded for _, graded in sure])
    return ReviewerAgainstGrader(
        reviewer=name,
        reviewed=len(given),
        unsure=len(given) - len(sure),
        agreement=Rate.of(sum(label == graded for label, graded in sure), len(sure)),
        kappa=found.kappa,
        involved=sum(each.involved for each in given),
    )


def _stratum(stratum: RowClass, given: Sequence[_Given], names: Sequence[str]) -> StratumRate:
    mine = [each for each in given if each.graded == stratum]
    rows = len({each.row for each in mine})
    confirmed = sum(each.confirms for each in mine)
    return StratumRate(
        stratum=stratum.value,
        rows=rows,
        # The reviews of one row are not independent of each other: n is the number of rows.
        confirmed=Rate.clustered(confirmed, len(mine), effective=float(rows)),
        by_reviewer={name: _confirmed([each for each in mine if each.reviewer == name]) for name in names},
        unsure=sum(each.label is None for each in mine),
        instead=dict(sorted(Counter(str(each.label) for each in mine if each.rejects).items())),
    )


def _confirmed(given: Sequence[_Given]) -> Rate:
    return Rate.of(sum(each.confirms for each in given), len(given))


def _rejected(given: Sequence[_Given]) -> tuple[RejectedVerdict, ...]:
    rows: defaultdict[str, list[_Given]] = defaultdict(list)
    for each in given:
        rows[each.row].append(each)
    found = [_row(mine) for mine in rows.values() if any(each.rejects for each in mine)]
    return tuple(sorted(found, key=lambda row: (not row.most, -len(row.instead), row.row)))


def _row(given: Sequence[_Given]) -> RejectedVerdict:
    question, against = given[0].question, [each for each in given if each.rejects]
    return RejectedVerdict(
        row=question.row,
        case=question.case,
        verdict=question.verdict,
        query=question.query,
        gold=question.gold,
        predicted=question.predicted,
        because=question.because,
        reviewers=len(given),
        instead={each.reviewer: str(each.label) for each in against},
        reasons={each.reviewer: each.reason for each in against},
        most=2 * len(against) > len(given),
    )
