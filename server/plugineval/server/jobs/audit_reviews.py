"""Every reviewer's opinion on every sampled subject: from a file, from models, and from agents that take their time.

Who cannot be reached leaves the job to be resumed; an answer that cannot be read is listed as missing, never a no.
"""

import time
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeAlias

from pydantic import ValidationError

from plugineval.clients.formats.review_lines import ReviewFields, ReviewLine, read_reviews, refusal
from plugineval.harness.audits.opinions import (
    NegativeOpinion,
    Opinion,
    PositiveOpinion,
    Review,
    Reviewed,
    RowOpinion,
    Unanswered,
)
from plugineval.harness.audits.questions import CaseQuestion, RowQuestion
from plugineval.harness.outcomes import Exclusion
from plugineval.pccf.calling import in_order
from plugineval.pccf.errors import ConfigurationError, IncompleteError
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.server.jobs.audit_outcome import AuditFacts
from plugineval.server.jobs.audit_params import AuditParams, AuditWishes, GivenReview
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.evaluation_outcome import OUTAGES
from plugineval.server.jobs.preflight import preflight, question_ledger
from plugineval.server.reviewers import Reviewer, open_reviewers, refuse_reviewers
from plugineval.server.workspace import Workspace

Questions: TypeAlias = Mapping[str, CaseQuestion] | Mapping[str, RowQuestion]
Involved: TypeAlias = Mapping[str, Mapping[str, str]]
"""Subject -> who had to do with it before, and as what."""
CASE_FIELDS = ReviewFields(
    "case", ("need", "target", "args", "reason"), ("query", "tools", "expected", "gold", "observed")
)
ROW_FIELDS = ReviewFields(
    "row", ("verdict", "reason"), ("case", "query", "tools", "gold", "forbidden", "predicted", "graded", "because")
)


class Reviews(NamedTuple):
    """What came in, and what did not."""

    given: list[Review]
    missing: list[Unanswered]
    outside: list[str]
    """Subjects in the file that are not in the sample."""

    def facts(
        self, context: JobContext, params: AuditParams, question: str, *, started: float, next_step: str
    ) -> AuditFacts:
        """What is said of an audit that these came in for; `question` is the hash of what was asked."""
        return AuditFacts(
            job_id=context.job_id,
            raters=params.raters,
            reviewed=len(self.given),
            prompt_hash=question,
            outside=tuple(self.outside),
            calls=context.journal.made.total(),
            calls_replayed=context.journal.replayed.total(),
            seconds=round(time.monotonic() - started, 3),
            next_step=next_step,
        )


def seats_of(workspace: Workspace, wishes: AuditWishes, fields: ReviewFields) -> AuditParams:
    """Who reviews; `ConfigurationError` for a reviewer or a file that cannot be used."""
    refuse_reviewers(workspace, wishes.models)
    given = () if wishes.answers is None else _given(wishes.answers, fields)
    found = AuditParams(seed=wishes.seed, models=wishes.models, given=given, preflight=wishes.preflight)
    both = sorted(set(found.people) & set(found.models))
    if both:
        problem = f"{both[0]} is a model and a name in the file"
        raise ConfigurationError(problem, field="reviewer", next_step="give every reviewer a name of its own")
    return found.model_copy(update={"agents": max(0, wishes.reviewers - found.raters)})


def _given(path: Path, fields: ReviewFields) -> tuple[GivenReview, ...]:
    return tuple(
        GivenReview(reviewer=line.reviewer, subject=line.subject, opinion=_opinion(line, path))
        for line in read_reviews(path, fields)
    )


def _opinion(line: ReviewLine, path: Path) -> Opinion:
    kind: type[PositiveOpinion | NegativeOpinion | RowOpinion] = PositiveOpinion
    if not {"target", "args"} & line.said.keys():
        kind = NegativeOpinion if "need" in line.said else RowOpinion
    try:
        return kind.model_validate(line.said)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        field = str(first["loc"][-1]) if first["loc"] else "line"
        raise refusal(path, line.line, field, first["msg"]) from error


async def collect(context: JobContext, params: AuditParams, questions: Questions, involved: Involved) -> Reviews:
    """All reviews of `questions`; `IncompleteError` where a model could not be reached."""
    if params.preflight and params.models:
        context.progress(0, None, "asking every model one question")
        await preflight(context.workspace, (), talkers=params.models, ledger=question_ledger(context))
    reviews = Reviews([], [], [])
    _take_given(reviews, params, questions, involved)
    total = len(questions) * (len(params.models) + params.agents)
    work = context.work.queue(apart=False)
    opened = open_reviewers(context.workspace, params.models, params.agents, ledger=context.journal, work=work)
    async with opened as reviewers:
        context.progress(0, total, "reviews")
        asked = [(subject, reviewer) for subject in questions for reviewer in reviewers]
        done = 0

        async def ask(subject: str, reviewer: Reviewer) -> Reviewed:
            nonlocal done
            found = await reviewer.review(subject, questions[subject])
            done += 1
            context.progress(done, total, "reviews")
            return found

        found = await in_order([partial(ask, subject, reviewer) for subject, reviewer in asked])
    for (subject, reviewer), reviewed in zip(asked, found, strict=True):
        _take(reviews, subject, reviewer.name, reviewed, involved)
    _refuse_outages([reviewed.failure for reviewed in found if reviewed.failure is not None])
    return reviews


def _take(reviews: Reviews, subject: str, seat: str, reviewed: Reviewed, involved: Involved) -> None:
    if reviewed.opinion is None:
        failure = reviewed.failure or Failure(kind=FailureKind.PARSE_FAILURE, detail="no opinion")
        reason = f"{failure.kind.value}: {failure.detail}"[:300]
        reviews.missing.append(Unanswered(subject=subject, reviewer=seat, reason=reason))
        return
    part = involved.get(subject, {}).get(reviewed.by, "")
    reviews.given.append(Review(subject=subject, reviewer=reviewed.by, opinion=reviewed.opinion, involved=part))


def _take_given(reviews: Reviews, params: AuditParams, questions: Questions, involved: Involved) -> None:
    """What the file says, and what it leaves out."""
    there: set[tuple[str, str]] = set()
    for each in params.given:
        question = questions.get(each.subject)
        if question is None:
            reviews.outside.append(each.subject)
            continue
        there.add((each.subject, each.reviewer))
        opinion = _fitting(each.opinion, question)
        if opinion is None:
            reason = f"asked are {', '.join(question.shape.model_fields)}"
            reviews.missing.append(Unanswered(subject=each.subject, reviewer=each.reviewer, reason=reason))
            continue
        part = involved.get(each.subject, {}).get(each.reviewer, "")
        reviews.given.append(Review(subject=each.subject, reviewer=each.reviewer, opinion=opinion, involved=part))
    if params.given and questions and not there:
        raise ConfigurationError(
            f"none of the {len(params.given)} reviews is about the sample, such as {params.given[0].subject}",
            field="answers",
            next_step="answer the sheet of the same benchmark, sample and seed; --sheet FILE writes it",
        )
    absent = [(subject, person) for person in params.people for subject in questions if (subject, person) not in there]
    reviews.missing.extend(
        Unanswered(subject=subject, reviewer=person, reason="not in the file") for subject, person in absent
    )


def _fitting(opinion: Opinion, question: CaseQuestion | RowQuestion) -> Opinion | None:
    """The opinion as far as it was asked for; None where it leaves out what was asked."""
    if isinstance(opinion, PositiveOpinion) and question.shape is NegativeOpinion:
        return NegativeOpinion(need=opinion.need, reason=opinion.reason)
    return opinion if isinstance(opinion, question.shape) else None


def _refuse_outages(failures: Sequence[Failure]) -> None:
    out = [failure for failure in failures if Exclusion.of(failure.kind) in OUTAGES]
    if out:
        first = f"{out[0].kind.value}: {out[0].detail}"[:200]
        raise IncompleteError(f"{len(out)} reviews were not given: {first}")
