"""Why candidates are not in a benchmark, added up: who caused it, what went wrong, how often, and one example of it.

Read off verification records. Of a candidate that Stage I rejected every proposal is counted, under the gate that
stopped it; a candidate that was settled before or after Stage I counts as one.
"""

from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from plugineval.pccf.construction.examining.annotation import disputed_level
from plugineval.pccf.invocations import Invocation, Unreadable
from plugineval.pccf.records import Ineligible, ProposalTrace, VerificationRecord
from plugineval.pccf.values import Value
from plugineval.server.wording import counted

EXAMPLE_SHOWN = 120
TOP = 5
_WORDS = {
    Ineligible.UNREADABLE.value: "could not be read as a call",
    Ineligible.WRONG_TOOL.value: "called another tool",
    Ineligible.SCHEMA_VIOLATION.value: "broke the tool's schema",
    Ineligible.EXECUTION_ERROR.value: "failed when executed",
    Ineligible.TIMEOUT.value: "timed out when executed",
    Ineligible.EMPTY_RESPONSE.value: "brought back nothing",
    Ineligible.UNJUSTIFIED_ABSTENTION.value: "abstained without a reason",
    Ineligible.NOT_EXECUTED.value: "may not be executed",
    Ineligible.OUTAGE.value: "met an outage",
    "below_tau": "scored below tau",
    "dissent": "voted against what the query was written for",
    "disputed": "split the annotators",
    "not_repeated": "failed when the gold call was executed again",
    "off_scenario": "turned out to be another kind of case",
    "unsettled": "could not be settled",
}


class Reason(Value):
    """One reason with how often it occurred."""

    kind: str
    by: str
    """Id of the model whose answer it was; empty where it was none's."""
    unit: Literal["proposal", "candidate"]
    count: int
    example: str = ""
    """What happened the first time; words of plugins and models."""

    @property
    def sentence(self) -> str:
        """`fast: 90 proposals called another tool (called a, not b)`."""
        by = f"{self.by}: " if self.by else ""
        shown = f" ({self.example})" if self.example else ""
        return f"{by}{counted(self.count, self.unit)} {_WORDS[self.kind]}{shown}"


class _Cause(NamedTuple):
    kind: str
    by: str
    unit: Literal["proposal", "candidate"]


class Reasons:
    """Adds up as records come; a record that comes again counts once."""

    def __init__(self) -> None:
        self._seen: set[str] = set()
        self._counts: dict[_Cause, int] = {}
        self._examples: dict[_Cause, str] = {}

    def add(self, record: VerificationRecord) -> None:
        """Count what kept `record` out; an accepted one is in, or surplus."""
        if record.verdict == "accepted" or record.id in self._seen:
            return
        self._seen.add(record.id)
        for cause, example in _causes(record):
            self._counts[cause] = self._counts.get(cause, 0) + 1
            self._examples.setdefault(cause, example[:EXAMPLE_SHOWN])

    def listed(self) -> tuple[Reason, ...]:
        """The most frequent first."""
        order = sorted(self._counts, key=lambda cause: (-self._counts[cause], cause))
        return tuple(
            Reason(**cause._asdict(), count=self._counts[cause], example=self._examples[cause]) for cause in order
        )


def told(reasons: Iterable[Reason]) -> list[str]:
    """The top reasons, a sentence each."""
    listed = list(reasons)
    more = len(listed) - TOP
    return [
        *(reason.sentence for reason in listed[:TOP]),
        *([f"and {counted(more, 'other reason')}"] if more > 0 else []),
    ]


def _causes(record: VerificationRecord) -> Iterator[tuple[_Cause, str]]:
    if record.further and record.further[-1].verdict != "accepted":
        # One of several calls: what stopped it stopped the request.
        yield from _causes(record.further[-1])
        return
    traces = [trace for round_ in record.rounds for trace in round_.traces]
    if not traces:
        yield _voted(record), record.reason
    elif record.rounds[-1].accepted:
        yield _Cause(_afterwards(record), "", "candidate"), record.reason
    else:
        for trace in traces:
            kind = trace.ineligible.value if trace.ineligible else "below_tau"
            yield _Cause(kind, trace.generator, "proposal"), _example(trace, record.target)


def _voted(record: VerificationRecord) -> _Cause:
    """What settled, or did not settle, a candidate that never reached Stage I."""
    if record.verdict == "rejected" and disputed_level(record.votes) is not None:
        return _Cause("disputed", "", "candidate")
    vote = record.votes[-1] if record.votes else None
    dissent = record.verdict == "rejected" and vote is not None
    return _Cause("dissent" if dissent else "unsettled", vote.annotator if vote else "", "candidate")


def _afterwards(record: VerificationRecord) -> str:
    """What became of a candidate whose gold call Stage I had accepted."""
    if record.verdict == "undecided":
        return "unsettled"
    again = (each.repetition for each in (record, *record.further))
    failed = any(found is not None and not found.observation.evaluable for found in again)
    return "not_repeated" if failed else "off_scenario"


def _example(trace: ProposalTrace, target: str) -> str:
    proposal, shown = trace.proposal, trace.observation
    if trace.failure is not None:
        return f"{trace.failure.kind.value}: {trace.failure.detail}"
    if isinstance(proposal, Unreadable):
        return proposal.problem
    if trace.ineligible is Ineligible.WRONG_TOOL and isinstance(proposal, Invocation):
        return f"called {proposal.tool}, not {target}"
    if trace.schema_violations:
        found = trace.schema_violations[0]
        return f"{found.path}: {found.message}" if found.path else found.message
    if trace.ineligible is not None and shown is not None:
        # What the tool itself said tells more than that it said it.
        return ": ".join(part for part in (shown.detail, " ".join(shown.text.split())) if part)
    assessed = trace.result_assessment or trace.argument_assessment
    return assessed.reason if assessed else ""
