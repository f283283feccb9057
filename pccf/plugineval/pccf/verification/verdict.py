"""What the rounds amount to: accepted, rejected with the dominating cause, or undecided (P18, P20).

An outage is never a verdict: where outages happened and not one proposal was judged to its end, nothing is known
about the query. Nor is a hard limit: where it kept a call from being made, what came before it rejects nothing.
Running out of rounds never accepts.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Literal

from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.labels import Label, label_of
from plugineval.pccf.observations import ObservationKind
from plugineval.pccf.records import Ineligible, ProposalTrace, Round
from plugineval.pccf.routing import FailureKind
from plugineval.pccf.values import Value

_BEFORE_JUDGEMENT = frozenset(
    {Ineligible.OUTAGE, Ineligible.UNREADABLE, Ineligible.WRONG_TOOL, Ineligible.SCHEMA_VIOLATION}
)
_GATES = (
    Ineligible.OUTAGE,
    Ineligible.UNREADABLE,
    Ineligible.WRONG_TOOL,
    Ineligible.SCHEMA_VIOLATION,
    Ineligible.UNJUSTIFIED_ABSTENTION,
    Ineligible.NOT_EXECUTED,
    Ineligible.EXECUTION_ERROR,
    Ineligible.TIMEOUT,
    Ineligible.EMPTY_RESPONSE,
)
"""In the order a proposal meets them; of two equally frequent causes the later one is named."""


class Verdict(Value):
    """The end of Stage I for one query, with a sentence for a person."""

    verdict: Literal["accepted", "rejected", "undecided"]
    reason: str
    label: Label | None = None


def concluded(rounds: Sequence[Round], tau: float) -> Verdict:
    """The verdict over all rounds."""
    last = rounds[-1]
    if last.accepted and last.best is not None:
        return _accepted(last, last.traces[last.best])
    traces = [trace for round_ in rounds for trace in round_.traces]
    if _unknown(traces):
        return Verdict(verdict="undecided", reason=_outage(traces))
    return Verdict(verdict="rejected", reason=_cause(traces, len(rounds), tau))


def _accepted(last: Round, gold: ProposalTrace) -> Verdict:
    theta = gold.proposal if isinstance(gold.proposal, Invocation | Abstention) else None
    reason = f"proposal {gold.index} of {gold.generator} reached {gold.score:.3g} in round {last.number}"
    return Verdict(verdict="accepted", reason=reason, label=label_of(1, 1, theta))


def _unknown(traces: Sequence[ProposalTrace]) -> bool:
    outages = any(trace.ineligible is Ineligible.OUTAGE for trace in traces)
    if any(limited(trace) for trace in traces):
        return True
    return outages and all(trace.ineligible in _BEFORE_JUDGEMENT for trace in traces)


def limited(trace: ProposalTrace) -> bool:
    """Whether a hard limit kept a call of the proposal from being made."""
    return trace.failure is not None and trace.failure.kind is FailureKind.LIMIT_REACHED


def forbidden(round_: Round) -> bool:
    """Whether another proposal would meet the same: a person was not heard yet, or nothing may be executed at all."""
    shown = [trace.observation for trace in round_.traces]
    waits = any(each is not None and each.kind is ObservationKind.UNCONFIRMED for each in shown)
    return waits or all(trace.ineligible is Ineligible.NOT_EXECUTED for trace in round_.traces)


def _outage(traces: Sequence[ProposalTrace]) -> str:
    failures = [trace.failure for trace in traces if trace.ineligible is Ineligible.OUTAGE and trace.failure]
    count = sum(trace.ineligible is Ineligible.OUTAGE for trace in traces)
    detail = f" (last: {failures[-1].kind}: {failures[-1].detail[:200]})" if failures else ""
    if any(limited(trace) for trace in traces):
        return f"no verdict: a hard limit was reached before the last of {len(traces)} proposals was judged{detail}"
    return f"no verdict: {count} of {len(traces)} proposals met an outage and none was judged{detail}"


def _cause(traces: Sequence[ProposalTrace], rounds: int, tau: float) -> str:
    scores = [trace.score for trace in traces if trace.eligible and trace.score is not None]
    if scores:
        return f"the best score {max(scores):.3g} stayed below tau {tau:g} in {rounds} round(s)"
    counts = Counter(trace.ineligible for trace in traces if trace.ineligible)
    cause = max(_GATES, key=lambda gate: (counts[gate], _GATES.index(gate)))
    return f"no eligible proposal in {rounds} round(s); most often {cause} ({counts[cause]} of {len(traces)})"
