"""The full pipeline's own evaluators as an oracle: what they give less than tau is held to be wrong (P62).

They are asked about the accepted gold as Stage I would have asked them, call by call, so that what full has asked
already is replayed. Of gold that they have accepted themselves they cannot say anything else, and the report says so.
"""

from dataclasses import replace

from plugineval.pccf.ablations.truth import Claim
from plugineval.pccf.construction.plan import Verifier
from plugineval.pccf.ledger import Ledger
from plugineval.pccf.records import ProposalTrace, Round, VerificationRecord
from plugineval.pccf.verification import ChainVerifier, StageOne, StageOneRoles, VerificationRequest
from plugineval.pccf.verification.calls import Calls
from plugineval.pccf.verification.judging import judged
from plugineval.pccf.verification.selection import selected
from plugineval.pccf.verification.verdict import concluded


class EvaluatorOracle:
    """Judges with the evaluators of `roles`, content validation on, whatever the variant that accepted the gold had."""

    def __init__(self, roles: StageOneRoles) -> None:
        """`roles` with the numbers of the variant: M places its calls in the journal."""
        config = roles.config.model_copy(update={"content_validation": True})
        self._roles = replace(roles, config=config)

    @classmethod
    def of(cls, verifier: Verifier, ledger: Ledger) -> "EvaluatorOracle":
        """Those of the Stage I of a variant; what they are asked goes through `ledger`."""
        if not isinstance(verifier, StageOne):
            raise TypeError(f"{type(verifier).__name__} has no evaluators that could be asked again")
        return cls(replace(verifier.roles, ledger=ledger))

    @property
    def id(self) -> str:
        """The evaluators, by name."""
        names = dict.fromkeys((self._roles.arguments.id, self._roles.results.id))
        return f"the evaluators of the full pipeline ({', '.join(names)}) at tau {self._roles.config.tau:g}, not people"

    async def is_right(self, claim: Claim) -> bool | None:
        """Whether every call of the gold reaches tau; None where an evaluator did not answer."""
        record = claim.record
        request = VerificationRequest(
            record_id=record.id,
            query=record.query,
            tool=claim.tools[0],
            scenario=record.scenario,
            gap=record.gap,
            votes=record.votes,
        )
        again = _Again(self._roles, record)
        found = await ChainVerifier(again).verify(request, claim.tools[1:], claim.scenario.ordered)
        return {"accepted": True, "rejected": False, "undecided": None}[found.verdict]


class _Again:
    """A verifier that knows the proposals already: the gold of each call in turn."""

    def __init__(self, roles: StageOneRoles, record: VerificationRecord) -> None:
        self._roles = roles
        self._left = [record, *record.further]

    async def verify(self, request: VerificationRequest) -> VerificationRecord:
        """The next call, judged again."""
        known, config = self._left.pop(0), self._roles.config
        proposal = _bare(_gold(known))
        trace = await judged(proposal, tool=request.tool, calls=Calls(self._roles, request), config=config)
        rounds: tuple[Round, ...] = (selected(trace.round, [trace], config),)
        verdict = concluded(rounds, config.tau)
        update = {"rounds": rounds, "verdict": verdict.verdict, "reason": verdict.reason, "label": verdict.label}
        return known.model_copy(update=update)


def _gold(record: VerificationRecord) -> ProposalTrace:
    last = record.rounds[-1]
    return last.traces[last.best or 0]


def _bare(trace: ProposalTrace) -> ProposalTrace:
    """The proposal and its place, before any gate."""
    kept = ("round", "generator", "index", "proposal", "prompt_hash")
    return ProposalTrace(**{name: getattr(trace, name) for name in kept})
