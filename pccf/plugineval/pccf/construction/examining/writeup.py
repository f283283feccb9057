"""The record of a candidate that is settled without Stage I: by its votes, or by their absence."""

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.construction.examining.annotation import Annotation
from plugineval.pccf.construction.examining.drafts import Draft
from plugineval.pccf.coverage.catalog import NEEDS_EXECUTION
from plugineval.pccf.labels import Label, label_of
from plugineval.pccf.records import LevelVote, VerificationRecord
from plugineval.pccf.routing import Failure
from plugineval.pccf.values import Value


class Finding(Value):
    """What is settled, and why."""

    verdict: Literal["accepted", "rejected", "undecided"]
    reason: str
    votes: tuple[LevelVote, ...] = ()
    label: Label | None = None


def no_vote(failure: Failure, votes: tuple[LevelVote, ...]) -> Finding:
    """Nothing, because an annotator did not answer."""
    return Finding(verdict="undecided", reason=f"no vote, {failure.kind.value}: {failure.detail}", votes=votes)


def settled(draft: Draft, annotation: Annotation) -> Finding | None:
    """What the votes settle; None where Stage I is due."""
    votes, kind = annotation.votes, draft.scenario.kind
    if annotation.failure is not None:
        return no_vote(annotation.failure, votes)
    if dissent := annotation.dissent(kind):
        return Finding(verdict="rejected", reason=dissent, votes=votes)
    if kind in NEEDS_EXECUTION:
        return None
    label = label_of(*annotation.levels, None)
    who = "the annotator confirms" if len({vote.annotator for vote in votes}) == 1 else "all annotators confirm"
    return Finding(verdict="accepted", reason=f"{who} the exclusion", votes=votes, label=label)


class Clerk:
    """Writes records under the numbers and the clock of one construction."""

    def __init__(self, config: VerificationConfig, clock: Callable[[], datetime]) -> None:
        self._config, self._clock = config, clock

    @property
    def now(self) -> datetime:
        """When something starts."""
        return self._clock()

    def record(self, draft: Draft, finding: Finding, started: datetime) -> VerificationRecord:
        """The record of `finding`."""
        return VerificationRecord(
            id=draft.record_id,
            query=draft.query,
            target=draft.tool.offered_name,
            scenario=draft.scenario.id,
            gap=draft.gap,
            votes=finding.votes,
            verdict=finding.verdict,
            reason=finding.reason,
            label=finding.label,
            lambda_arg=self._config.lambda_arg,
            lambda_out=self._config.lambda_out,
            tau=self._config.tau,
            started_at=started,
            finished_at=self._clock(),
        )
