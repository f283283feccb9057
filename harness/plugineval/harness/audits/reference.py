"""The reference audit (P60): how valid each reviewer finds the gold, how far they agree, which cases they reject."""

from collections import defaultdict
from collections.abc import Mapping, Sequence

from plugineval.harness.audits.levels import LevelAgreement, level_agreement
from plugineval.harness.audits.opinions import CaseOpinion, Level, Review, RowOpinion, Unanswered, said, valid
from plugineval.harness.audits.questions import CaseQuestion
from plugineval.harness.audits.sampling import Sample
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Json, Value


class ReviewerRates(Value):
    """One reviewer. A case is valid where every level asked of it got a yes."""

    reviewer: str
    reviewed: int
    valid: Rate
    unsure: int
    """Cases with an unsure and without a no."""
    rejected: int
    """Cases with a no."""
    levels: dict[str, Rate]
    """Level -> share of yes among the cases it was asked of."""
    involved: int = 0
    """Cases whose gold the reviewer had proposed or judged."""
    independent: Rate
    """`valid` over the other cases."""


class Rejection(Value):
    """One reviewer's no to a case."""

    reviewer: str
    levels: tuple[str, ...]
    reason: str
    involved: str = ""


class RejectedCase(Value):
    """A case that somebody rejects; `most`: more than half of its reviewers do."""

    case: str
    query: Json
    gold: tuple[Json, ...]
    reviewers: int
    rejections: tuple[Rejection, ...]
    most: bool


class ReferenceFindings(Value):
    """What an audit of gold found."""

    sample: Sample
    reviewers: tuple[ReviewerRates, ...]
    agreement: tuple[LevelAgreement, ...]
    rejected: tuple[RejectedCase, ...]
    """Those that most reject first."""
    unanswered: tuple[Unanswered, ...] = ()

    @property
    def most_rejected(self) -> int:
        """Cases that more than half of their reviewers reject."""
        return sum(case.most for case in self.rejected)


def reference_findings(
    sample: Sample,
    questions: Mapping[str, CaseQuestion],
    reviews: Sequence[Review],
    unanswered: Sequence[Unanswered],
    *,
    raters: int,
) -> ReferenceFindings:
    """Of the reviews of the sampled cases, `raters` wanted of each."""
    return ReferenceFindings(
        sample=sample,
        reviewers=tuple(_rates(name, mine) for name, mine in _by(reviews, "reviewer").items()),
        agreement=tuple(_agreement(level, reviews, raters) for level in Level),
        rejected=_rejected(questions, reviews),
        unanswered=tuple(unanswered),
    )


def _by(reviews: Sequence[Review], field: str) -> dict[str, list[Review]]:
    found: defaultdict[str, list[Review]] = defaultdict(list)
    for review in reviews:
        found[getattr(review, field)].append(review)
    return dict(sorted(found.items()))


def opinion_on_case(review: Review) -> CaseOpinion:
    """The opinion; `TypeError` (our bug) for one on a row."""
    if isinstance(review.opinion, RowOpinion):
        raise TypeError("an opinion on a row is none on a case")
    return review.opinion


def _rates(name: str, reviews: Sequence[Review]) -> ReviewerRates:
    opinions = [opinion_on_case(review) for review in reviews]
    right = [valid(opinion) for opinion in opinions]
    rejected = ["no" in said(opinion).values() for opinion in opinions]
    apart = [ok for ok, review in zip(right, reviews, strict=True) if not review.involved]
    return ReviewerRates(
        reviewer=name,
        reviewed=len(reviews),
        valid=Rate.of(sum(right), len(right)),
        unsure=len(right) - sum(right) - sum(rejected),
        rejected=sum(rejected),
        levels={level.value: _level_rate(level, opinions) for level in Level},
        involved=len(reviews) - len(apart),
        independent=Rate.of(sum(apart), len(apart)),
    )


def _level_rate(level: Level, opinions: Sequence[CaseOpinion]) -> Rate:
    asked = [said(opinion)[level] for opinion in opinions if level in said(opinion)]
    return Rate.of(asked.count("yes"), len(asked))


def _agreement(level: Level, reviews: Sequence[Review], raters: int) -> LevelAgreement:
    ratings: defaultdict[str, list[str]] = defaultdict(list)
    for review in reviews:
        says = said(opinion_on_case(review))
        if level in says:
            ratings[review.subject].append(says[level])
    return level_agreement(level.value, ratings, raters)


def _rejected(questions: Mapping[str, CaseQuestion], reviews: Sequence[Review]) -> tuple[RejectedCase, ...]:
    found = [_case(questions[case], mine) for case, mine in _by(reviews, "subject").items()]
    told = [case for case in found if case.rejections]
    return tuple(sorted(told, key=lambda case: (not case.most, -len(case.rejections), case.case)))


def _case(question: CaseQuestion, reviews: Sequence[Review]) -> RejectedCase:
    rejections = [
        Rejection(
            reviewer=review.reviewer,
            levels=tuple(level for level, say in said(opinion_on_case(review)).items() if say == "no"),
            reason=review.opinion.reason,
            involved=review.involved,
        )
        for review in reviews
    ]
    kept = tuple(each for each in rejections if each.levels)
    return RejectedCase(
        case=question.case,
        query=question.query,
        gold=question.gold,
        reviewers=len(reviews),
        rejections=kept,
        most=2 * len(kept) > len(reviews),
    )
