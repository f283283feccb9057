"""Stage I of one query: rounds of M proposals, judged whole, the best accepted at tau, or refined with the evidence.

Plain deterministic code over journaled calls: replayed from the top, it makes no call twice and ends the same. A
verdict is data; what generators, evaluators and plugins do wrong never raises here.
"""

from collections.abc import Sequence
from functools import partial

from plugineval.pccf.calling import in_order
from plugineval.pccf.errors import InvalidSchemaError
from plugineval.pccf.records import Ineligible, ProposalTrace, Round, VerificationRecord
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import canonical_json
from plugineval.pccf.verification.calls import Calls, TimedProposal
from plugineval.pccf.verification.gates import checker_of, not_json
from plugineval.pccf.verification.judging import judged, repeat_of
from plugineval.pccf.verification.levels import settled_by
from plugineval.pccf.verification.parts import MadeCall
from plugineval.pccf.verification.repeating import Repeated, repeated
from plugineval.pccf.verification.request import VerificationRequest
from plugineval.pccf.verification.selection import selected
from plugineval.pccf.verification.separation import self_judged
from plugineval.pccf.verification.stage_roles import StageOneRoles
from plugineval.pccf.verification.verdict import Verdict, concluded, forbidden, limited

UNVALIDATED = "content_validation off: no evaluator was asked"
"""Stands in the reason of every record of the ablation (P62)."""


class StageOne:
    """Verifies candidates with one set of roles; holds no state of its own between them."""

    def __init__(self, roles: StageOneRoles) -> None:
        self._roles = roles

    @property
    def roles(self) -> StageOneRoles:
        """Who plays it, under which numbers."""
        return self._roles

    async def verify(self, request: VerificationRequest) -> VerificationRecord:
        """The record of `request`: accepted with a label, rejected with its history, or undecided after outages.

        Raises only what a person must mend: `ConfigurationError`, `StoreError`, `IncompleteError`.
        """
        config = self._roles.config
        started = self._roles.clock()
        rounds: tuple[Round, ...] = ()
        verdict = _settled(request)
        if verdict is None:
            rounds = await self._rounds(request)
            verdict = concluded(rounds, config.tau)
            if not config.content_validation:
                verdict = verdict.model_copy(update={"reason": f"{verdict.reason} ({UNVALIDATED})"})
        return VerificationRecord(
            id=request.record_id,
            query=request.query,
            target=request.tool.offered_name,
            scenario=request.scenario,
            gap=request.gap,
            votes=request.votes,
            rounds=rounds,
            verdict=verdict.verdict,
            reason=verdict.reason,
            label=verdict.label,
            lambda_arg=config.lambda_arg,
            lambda_out=config.lambda_out,
            tau=config.tau,
            bias_warnings=tuple(dict.fromkeys((*self._roles.bias_warnings, *self_judged(rounds)))),
            started_at=started,
            finished_at=self._roles.clock(),
        )

    async def repeat(self, record: VerificationRecord, tool: ToolSpec, after: Sequence[MadeCall] = ()) -> Repeated:
        """Execute the gold call of an accepted `record` a second time, after the calls that the request made before."""
        request = VerificationRequest(
            record_id=record.id,
            query=record.query,
            tool=tool,
            scenario=record.scenario,
            gap=record.gap,
            after=tuple(after),
        )
        return await repeated(record, tool, Calls(self._roles, request))

    @property
    def bias_warnings(self) -> tuple[str, ...]:
        """One sentence for every model that judges its own proposals (P17)."""
        return self._roles.bias_warnings

    async def _rounds(self, request: VerificationRequest) -> tuple[Round, ...]:
        calls = Calls(self._roles, request)
        rounds: tuple[Round, ...] = ()
        for number in range(1, self._roles.config.max_rounds + 1):
            rounds = (*rounds, await self._round(number, rounds, request, calls))
            if rounds[-1].accepted or any(limited(trace) for trace in rounds[-1].traces) or forbidden(rounds[-1]):
                break
        return rounds

    async def _round(
        self, number: int, history: tuple[Round, ...], request: VerificationRequest, calls: Calls
    ) -> Round:
        config = self._roles.config
        proposed = await in_order(
            [
                partial(calls.propose, history, index=index, repeat=repeat_of(number, index, config))
                for index in range(config.generators)
            ]
        )
        traces = [self._trace(number, index, answer) for index, answer in enumerate(proposed)]
        first = _first_alike(traces)
        distinct = sorted(set(first))
        judge = partial(judged, tool=request.tool, calls=calls, config=config)
        results = await in_order([partial(judge, traces[index]) for index in distinct])
        found = dict(zip(distinct, results, strict=True))
        shared = [_shared(trace, found[index]) for trace, index in zip(traces, first, strict=True)]
        return selected(number, shared, config)

    def _trace(self, number: int, index: int, answer: TimedProposal) -> ProposalTrace:
        return ProposalTrace(
            round=number,
            generator=answer.by or self._roles.generator(index).id,
            index=index,
            proposal=None if answer.failure else answer.proposal,
            ineligible=Ineligible.OUTAGE if answer.failure else None,
            failure=answer.failure,
            prompt_hash=answer.prompt_hash,
            elapsed_ms=answer.elapsed_ms,
        )


def _settled(request: VerificationRequest) -> Verdict | None:
    """What can be said before any generator is asked (P9): no tool with an unusable schema has a valid call."""
    finding = settled_by(request.votes)
    if finding:
        return Verdict(verdict=finding.verdict, reason=finding.reason, label=finding.label)
    try:
        checker_of(request.tool)
    except InvalidSchemaError as error:
        return Verdict(verdict="rejected", reason=str(error))
    problem = not_json(request)
    return Verdict(verdict="rejected", reason=f"the request {problem}") if problem else None


def _first_alike(traces: list[ProposalTrace]) -> list[int]:
    """For each trace the index of the first one with the same proposal: alike proposals are judged once a round."""
    seen: dict[str, int] = {}
    return [
        index if trace.proposal is None else seen.setdefault(canonical_json(trace.proposal), index)
        for index, trace in enumerate(traces)
    ]


def _shared(trace: ProposalTrace, found: ProposalTrace) -> ProposalTrace:
    """What was found of an alike proposal, on the trace of whoever proposed it too."""
    if found.index == trace.index:
        return found
    own = {name: getattr(trace, name) for name in ("generator", "index", "prompt_hash", "elapsed_ms")}
    return found.model_copy(update=own)
