"""What a writer learns from verification (P34): why a request was turned down and what the server said to it, and what
a server that holds something returned, so that later requests rest on what is there.

Only what tools return that change nothing counts as a look at the server: what another call made or deleted may be
gone again, where each call meets a fresh copy.
"""

from collections.abc import Iterator, Sequence

from plugineval.pccf.examples import Example
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.records import ProposalTrace, VerificationRecord
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments, Value, canonical_json

SAID_KEPT = 200
"""Characters of what a server or an evaluator said to one proposal."""
LOOK_KEPT = 600
"""Characters of one result."""
LOOKS_SHOWN = 3
"""Results that a writer is shown beside the opening looks, of as many tools."""
OPENING_KEPT = 2000
"""Characters of one opening look."""


class OpeningLook(Value):
    """What a call returned that was made before anything was written, to see what a server holds."""

    plugin: str
    text: str


def turned_down(text: str, record: VerificationRecord) -> str:
    """Why the request `text` was rejected: the reason of its record, with what the server said to the calls that
    failed, each once, or what was said of the best proposal.
    """
    traces = _traces(record.further[-1] if record.further else record)
    failed = dict.fromkeys(_answer(trace) for trace in traces)
    said = [f"the server answered {cut(answer, SAID_KEPT)!r}" for answer in failed if answer]
    return "; ".join([f"{text!r}: {record.reason}", *(said or _of_the_best(traces))])


def missed(example: Example) -> str:
    """What was observed of a verified example that was written for another difficulty."""
    seen = (
        f"it takes {len(example.inference_steps)} inference steps"
        if example.p_k is None
        else f"the reference router answered it rightly in {example.p_k:.0%} of its runs"
    )
    return f"{example.query.text!r}: verified, but {example.difficulty.value}: {seen}"


def looked_at(record: VerificationRecord, tools: Sequence[ToolSpec]) -> Iterator[tuple[str, str]]:
    """Offered name of a tool that changes nothing -> its verified call, with the result."""
    by_name = {tool.offered_name: tool for tool in tools}
    for verified in (record, *record.further):
        gold, tool = _gold(verified), by_name.get(verified.target)
        if tool is None or gold is None or gold.observation is None or not isinstance(gold.proposal, Invocation):
            continue
        if tool.hints.read_only is not False and not tool.hints.destructive and gold.observation.text.strip():
            arguments, text = gold.proposal.arguments, gold.observation.text
            yield verified.target, look_told(verified.target, arguments, text, LOOK_KEPT)


def look_told(tool: str, arguments: Arguments, text: str, kept: int) -> str:
    """A call with the text it returned, line by line, because a later call may have to name a line as it stands."""
    shown = text.strip()
    return f"{tool} {canonical_json(arguments)} returned: {shown[:kept]}{'…' if len(shown) > kept else ''}"


def cut(text: str, kept: int) -> str:
    """`text` in one line, as far as it is kept."""
    line = " ".join(text.split())
    return line[:kept] + ("…" if len(line) > kept else "")


def _traces(record: VerificationRecord) -> list[ProposalTrace]:
    return [trace for round_ in record.rounds for trace in round_.traces]


def _answer(trace: ProposalTrace) -> str:
    """What the server answered to a call that failed."""
    observed = trace.observation
    if observed is None or observed.evaluable:
        return ""
    return observed.text.strip() or observed.detail


def _of_the_best(traces: Sequence[ProposalTrace]) -> list[str]:
    """What the evaluator that lowered the score of the best proposal said; of abstentions only where all abstained."""
    calls = [trace for trace in traces if isinstance(trace.proposal, Invocation)] or traces
    judged = [trace for trace in calls if trace.argument_assessment is not None]
    best = max(judged, key=lambda trace: trace.score or 0, default=None)
    said = [each for each in (best.argument_assessment, best.result_assessment) if each] if best else []
    worst = min(said, key=lambda assessment: assessment.score, default=None)
    return [f"an evaluator said of the best proposal {cut(worst.reason, SAID_KEPT)!r}"] if worst else []


def _gold(record: VerificationRecord) -> ProposalTrace | None:
    last = record.rounds[-1] if record.rounds else None
    return last.traces[last.best] if last and last.accepted and last.best is not None else None
