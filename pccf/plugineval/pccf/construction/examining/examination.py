"""From a draft to a verdict: votes, then Stage I or the label of a negative, then what the accepted must still show.

A boundary that breaks on the way makes the draft undecided, never rejected. A verdict of Stage I that does not belong
to the draft's scenario (an abstention for a trigger, a call for an underspecified one) rejects it as off-scenario,
with Stage I's rounds as evidence.
"""

from collections.abc import Sequence

from plugineval.pccf.calibration.reference import ReferenceRouter
from plugineval.pccf.construction.examining.annotation import Annotator
from plugineval.pccf.construction.examining.depth import DepthGauge
from plugineval.pccf.construction.examining.drafts import Draft, Examined, Observed
from plugineval.pccf.construction.examining.negatives import Negatives
from plugineval.pccf.construction.examining.positives import Positives
from plugineval.pccf.construction.examining.writeup import Clerk, settled
from plugineval.pccf.construction.plan import ConstructionPlan, ConstructionRoles
from plugineval.pccf.coverage.distances import synthesized
from plugineval.pccf.coverage.tagging import matches
from plugineval.pccf.examples import RouterFreeze
from plugineval.pccf.labels import Underspecified, ValidInvocation
from plugineval.pccf.records import LevelVote, VerificationRecord
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.verification import ChainVerifier, VerificationRequest


class Examiner:
    """Examines drafts with the roles of one construction, among the `scenarios` of its catalog."""

    def __init__(
        self, plan: ConstructionPlan, roles: ConstructionRoles, frozen: RouterFreeze, scenarios: Sequence[Scenario]
    ) -> None:
        self._toolset, self._roles, self.scenarios = plan.toolset, roles, tuple(scenarios)
        self.annotator = Annotator(roles.annotators, plan.toolset, roles.calls)
        self.clerk = Clerk(plan.config.verification, roles.clock)
        self._chains = ChainVerifier(roles.verifier)
        gauge = DepthGauge(roles.depth, roles.calls)
        self._positives = Positives(roles.verifier, gauge, repeat=plan.config.repeat_gold)
        router = ReferenceRouter(router=roles.router, freeze=frozen, calls=roles.calls)
        self._negatives = Negatives(router, plan.toolset, roles.clock)

    async def examine(self, draft: Draft) -> Examined:
        """The verdict on `draft`, and its example if it is accepted."""
        return await self.settle(draft, await self._judged(draft))

    async def settle(self, draft: Draft, record: VerificationRecord) -> Examined:
        """What an accepted `record` must still show before `draft` is an example; any other is the verdict."""
        kind = draft.scenario.kind
        warnings = (*record.bias_warnings, *self._roles.bias_warnings(positive=kind.positive))
        update = {"bias_warnings": tuple(dict.fromkeys(warnings)), "strengthens": draft.strengthens}
        record = record.model_copy(update=update)
        if record.verdict != "accepted":
            return Examined(draft=draft, record=record)
        if kind.positive:
            stated, ordered = draft.candidate.inference_steps, draft.scenario.ordered
            record, observed = await self._positives.settle(record, self._tools(draft), stated, ordered=ordered)
        else:
            record, observed = await self._negatives.settle(record, kind)
        if observed is None:
            return Examined(draft=draft, record=record)
        return draft.accepted(record, self._compared(draft, observed))

    async def verified(self, draft: Draft, votes: tuple[LevelVote, ...]) -> VerificationRecord:
        """Stage I of `draft`, call by call where it needs several."""
        request = VerificationRequest(
            query=draft.query,
            tool=draft.tool,
            scenario=draft.scenario.id,
            gap=draft.gap,
            record_id=draft.record_id,
            votes=votes,
        )
        return await self._chains.verify(request, self._tools(draft)[1:], draft.scenario.ordered)

    async def _judged(self, draft: Draft) -> VerificationRecord:
        started = self.clerk.now
        annotation = await self.annotator.annotate(draft.record_id, draft.query, self._tools(draft))
        if (finding := settled(draft, annotation)) is not None:
            return self.clerk.record(draft, finding, started)
        record = await self.verified(draft, annotation.votes)
        wanted = ValidInvocation if draft.scenario.kind.positive else Underspecified
        if record.verdict != "accepted" or isinstance(record.label, wanted):
            return record
        shape = "none" if record.label is None else record.label.shape
        reason = f"off-scenario: {draft.scenario.kind.value} was verified as {shape}; {record.reason}"
        return record.model_copy(update={"verdict": "rejected", "reason": reason, "label": None})

    def _tools(self, draft: Draft) -> tuple[ToolSpec, ...]:
        return (draft.tool, *(self._toolset.tool(name) for name in draft.scenario.then))

    def _compared(self, draft: Draft, observed: Observed) -> Observed:
        """With the other scenarios that the query matches (P24), and of a negative with its measured d_syn (P27)."""
        tags = matches(draft.query, self.scenarios, self._toolset, primary=draft.scenario)
        measured = None
        if not draft.scenario.kind.positive:
            measured = synthesized(draft.query, draft.scenario, draft.tool, self._toolset)
        return observed.model_copy(update={"tags": tags, "synthesized": measured})
