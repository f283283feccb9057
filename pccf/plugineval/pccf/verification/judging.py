"""One proposal through the gates in the paper's order (P12), each gate adding to its trace.

S_arg spares neither the execution nor S_out, however low it is: the paper scores both (P13), what a hopeless call shows
and what is said of it is evidence for the next round (P19), and the failure traces of the last round teach the writer
(P34). They are spared where S_arg could not be had, for then no score can come of it.

Without content validation (P62) nobody is asked: what the schema and the execution let pass scores 1.
"""

from plugineval.pccf.config import VerificationConfig
from plugineval.pccf.invocations import Abstention, Invocation, Unreadable
from plugineval.pccf.records import Ineligible, ProposalTrace
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.verification.calls import Calls
from plugineval.pccf.verification.gates import admit, blocked_by
from plugineval.pccf.verification.selection import justified, weighed

_PASSED = 1.0
"""Score of what passed the gates where nobody judges its content."""


async def judged(trace: ProposalTrace, *, tool: ToolSpec, calls: Calls, config: VerificationConfig) -> ProposalTrace:
    """`trace` with everything the gates found; `repeat` of its calls is unique per round and generator."""
    proposal = trace.proposal
    if proposal is None:
        return trace
    admission = admit(proposal, tool)
    trace = _with(trace, **dict(admission))
    if admission.ineligible or isinstance(proposal, Unreadable):
        return trace
    if config.content_validation:
        return await _assessed(trace, proposal, calls=calls, config=config)
    if isinstance(proposal, Abstention):
        return _with(trace, score=_PASSED)
    return await _executed(trace, proposal, calls=calls, config=config)


async def _assessed(
    trace: ProposalTrace, proposal: Invocation | Abstention, *, calls: Calls, config: VerificationConfig
) -> ProposalTrace:
    repeat = repeat_of(trace.round, trace.index, config)
    answer = await calls.assess_arguments(proposal, repeat=repeat)
    trace = _longer(trace, answer.elapsed_ms, argument_assessment=answer.assessment)
    if answer.failure or answer.assessment is None:
        return _out(trace, answer.failure)
    s_arg = answer.assessment.score
    if isinstance(proposal, Abstention):
        unjustified = None if justified(config, s_arg) else Ineligible.UNJUSTIFIED_ABSTENTION
        return _with(trace, score=s_arg, ineligible=unjustified)
    return await _executed(trace, proposal, calls=calls, config=config)


async def _executed(
    trace: ProposalTrace, invocation: Invocation, *, calls: Calls, config: VerificationConfig
) -> ProposalTrace:
    repeat = repeat_of(trace.round, trace.index, config)
    shown = await calls.execute(invocation, repeat=repeat)
    if isinstance(shown, Failure):
        return _out(trace, shown)
    trace = _longer(trace, shown.elapsed_ms, observation=shown)
    blocked = blocked_by(shown)
    if blocked is Ineligible.OUTAGE:
        return _out(
            trace, Failure(kind=FailureKind.PROVIDER_ERROR, detail=f"plugin {shown.kind.value}: {shown.detail}")
        )
    if blocked:
        return _with(trace, ineligible=blocked)
    if not config.content_validation:
        return _with(trace, score=_PASSED)
    answer = await calls.assess_result(invocation, shown, repeat=repeat)
    trace = _longer(trace, answer.elapsed_ms, result_assessment=answer.assessment)
    if answer.failure or answer.assessment is None or trace.argument_assessment is None:
        return _out(trace, answer.failure)
    return _with(trace, score=weighed(config, trace.argument_assessment.score, answer.assessment.score))


def repeat_of(number: int, index: int, config: VerificationConfig) -> int:
    """Unique per round (from 1) and generator (from 0)."""
    return (number - 1) * config.generators + index


def _out(trace: ProposalTrace, failure: Failure | None) -> ProposalTrace:
    return _with(trace, ineligible=Ineligible.OUTAGE, failure=failure)


def _longer(trace: ProposalTrace, elapsed_ms: float, **found: object) -> ProposalTrace:
    return _with(trace, elapsed_ms=trace.elapsed_ms + elapsed_ms, **found)


def _with(trace: ProposalTrace, **found: object) -> ProposalTrace:
    return trace.model_copy(update=found)
