"""The gold calls of an accepted positive, in order, each with the record and the execution that prove it."""

from collections.abc import Sequence

from plugineval.pccf.labels import ValidInvocation
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Value
from plugineval.pccf.verification import MadeCall
from plugineval.pccf.verification.repeating import first_result


class GoldCall(Value):
    """One required call: its own record (the first one's is that of the request), and what it showed."""

    record: VerificationRecord
    made: MadeCall


def gold_calls(record: VerificationRecord, tools: Sequence[ToolSpec]) -> tuple[GoldCall, ...]:
    """The gold calls of `record`, whose request needs `tools`; those that were never executed are left out."""
    found: list[GoldCall] = []
    for each, tool in zip((record, *record.further), tools, strict=True):
        shown = first_result(each)
        if isinstance(each.label, ValidInvocation) and shown is not None:
            found.append(GoldCall(record=each, made=MadeCall(tool=tool, invocation=each.label.gold, observation=shown)))
    return tuple(found)
