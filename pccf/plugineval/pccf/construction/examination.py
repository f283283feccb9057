"""From a draft to a verdict: votes, then Stage I or the label of a negative, then calibration on the router.

A boundary that breaks on the way makes the draft undecided, never rejected. A verdict of Stage I that does not belong
to the draft's scenario (an abstention for a trigger, a call for an underspecified one) rejects it as off-scenario,
with Stage I's rounds as evidence.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from plugineval.pccf.calibration.difficulty import inference_difficulty
from plugineval.pccf.calibration.reference import ReferenceRouter
from plugineval.pccf.calibration.runs import CalibrationTask, calibrate
from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.construction.annotation import Annotation, Annotator
from plugineval.pccf.construction.drafts import Draft, Examined
from plugineval.pccf.construction.plan import Verifier
from plugineval.pccf.coverage.catalog import NEEDS_EXECUTION
from plugineval.pccf.labels import Label, Underspecified, ValidInvocation, label_of
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.tools import Toolset
from plugineval.pccf.verification import VerificationRequest

Verdict = Literal["accepted", "rejected", "undecided"]


@dataclass(frozen=True, kw_only=True)
class Examiner:
    """Examines drafts with the roles of one construction."""

    toolset: Toolset
    config: VerificationConfig
    annotator: Annotator
    verifier: Verifier
    router: ReferenceRouter
    clock: Callable[[], datetime]

    async def examine(self, draft: Draft) -> Examined:
        """The verdict on `draft`, and its example if it is accepted."""
        record = await self._judged(draft)
        if record.verdict != "accepted":
            return Examined(draft=draft, record=record)
        if draft.scenario.kind.positive:
            return draft.accepted(record, inference_difficulty(draft.candidate.inference_steps))
        return await self._calibrated(draft, record)

    async def _judged(self, draft: Draft) -> VerificationRecord:
        started = self.clock()
        annotation = await self.annotator.annotate(draft.record_id, draft.query, draft.tool)
        if annotation.failure is not None:
            reason = f"no vote, {annotation.failure.kind.value}: {annotation.failure.detail}"
            return self._record(draft, annotation, started, ("undecided", reason, None))
        if dissent := annotation.dissent(draft.scenario.kind):
            return self._record(draft, annotation, started, ("rejected", dissent, None))
        if draft.scenario.kind in NEEDS_EXECUTION:
            return await self._verified(draft, annotation)
        label = label_of(*annotation.levels, None)
        return self._record(draft, annotation, started, ("accepted", "the annotator confirms the exclusion", label))

    async def _verified(self, draft: Draft, annotation: Annotation) -> VerificationRecord:
        request = VerificationRequest(
            query=draft.query,
            tool=draft.tool,
            scenario=draft.scenario.id,
            gap=draft.gap,
            record_id=draft.record_id,
            votes=annotation.votes,
        )
        record = await self.verifier.verify(request)
        wanted = ValidInvocation if draft.scenario.kind.positive else Underspecified
        if record.verdict != "accepted" or isinstance(record.label, wanted):
            return record
        shape = "none" if record.label is None else record.label.shape
        reason = f"off-scenario: {draft.scenario.kind.value} was verified as {shape}; {record.reason}"
        return record.model_copy(update={"verdict": "rejected", "reason": reason, "label": None})

    async def _calibrated(self, draft: Draft, record: VerificationRecord) -> Examined:
        task = CalibrationTask(
            case=draft.record_id,
            query=draft.query,
            toolset=self.toolset,
            kind=draft.scenario.kind,
            target=draft.tool.offered_name,
        )
        calibration = await calibrate(task, self.router)
        replies = tuple(run.model_dump(mode="json") for run in calibration.runs)
        shown = {"router_replies": replies, "p_k": calibration.p_k, "finished_at": self.clock()}
        if calibration.difficulty is not None:
            return draft.accepted(record.model_copy(update=shown), calibration.difficulty)
        undecided = {"verdict": "undecided", "reason": "no usable run of the reference router", "label": None}
        return Examined(draft=draft, record=record.model_copy(update={**shown, **undecided}))

    def _record(
        self, draft: Draft, annotation: Annotation, started: datetime, outcome: tuple[Verdict, str, Label | None]
    ) -> VerificationRecord:
        verdict, reason, label = outcome
        return VerificationRecord(
            id=draft.record_id,
            query=draft.query,
            target=draft.tool.offered_name,
            scenario=draft.scenario.id,
            gap=draft.gap,
            votes=annotation.votes,
            verdict=verdict,
            reason=reason,
            label=label,
            lambda_arg=self.config.lambda_arg,
            lambda_out=self.config.lambda_out,
            tau=self.config.tau,
            started_at=started,
            finished_at=self.clock(),
        )
