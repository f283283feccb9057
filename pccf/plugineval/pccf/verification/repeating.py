"""The accepted gold call executed a second time: gold that does not re-execute is no gold, and what moves is known.

A tool whose results a person declared as moving is not executed again: nothing could be compared with the first result.
"""

from plugineval.pccf.labels import ValidInvocation
from plugineval.pccf.observations import Observation
from plugineval.pccf.records import Ineligible, Repetition, VerificationRecord
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Value
from plugineval.pccf.verification.calls import Calls
from plugineval.pccf.verification.gates import blocked_by
from plugineval.pccf.verification.repetition import moving_parts

STAGE = "repeat"
"""Of the journal; the first execution is a call of its own."""
_UNKNOWN = frozenset({Ineligible.OUTAGE, Ineligible.NOT_EXECUTED})


class Repeated(Value):
    """Exactly one of the first two is set, or the boundary broke; a `problem` comes with its repetition."""

    repetition: Repetition | None = None
    problem: str | None = None
    """Why the gold call is no gold after all."""
    failure: Failure | None = None


def first_result(record: VerificationRecord) -> Observation | None:
    """What the gold call of an accepted record showed when it was verified."""
    last = record.rounds[-1] if record.rounds else None
    return last.traces[last.best].observation if last is not None and last.best is not None else None


async def repeated(record: VerificationRecord, tool: ToolSpec, calls: Calls) -> Repeated:
    """Execute the gold call of an accepted `record` of `tool` again; without a gold call there is nothing to repeat."""
    first = first_result(record)
    if first is None or not isinstance(record.label, ValidInvocation):
        return Repeated()
    if tool.moving:
        return Repeated(repetition=Repetition(observation=first, declared=True))
    second = await calls.execute(record.label.gold, repeat=0, stage=STAGE)
    if isinstance(second, Failure):
        return Repeated(failure=second)
    blocked = blocked_by(second)
    if blocked in _UNKNOWN:
        detail = f"the gold call could not be executed again: {second.kind.value} {second.detail}".rstrip()
        return Repeated(failure=Failure(kind=FailureKind.PROVIDER_ERROR, detail=detail))
    found = Repetition(observation=second, moving=moving_parts(first, second))
    if blocked is None:
        return Repeated(repetition=found)
    shown = second.detail or second.text
    return Repeated(repetition=found, problem=f"the gold call failed when it was executed again ({blocked}): {shown}")
