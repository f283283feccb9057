"""What executing the gold of a benchmark again ends with, in the shape that scripts read."""

from collections import Counter
from collections.abc import Sequence

from plugineval.pccf.values import Value
from plugineval.pccf.verification.reexecution import CaseCheck, Verdict


class CallDetail(Value):
    """One gold call that is not simply the same as it was."""

    case: str
    tool: str
    verdict: Verdict
    reason: str
    parts: tuple[str, ...] = ()
    """Where its result differs: JSON pointers, `text` or `kind`."""
    observed: str = ""
    """Kind of the observation, where the call drifted or failed."""


class VerifyOutcome(Value):
    """`cases` = `reexecuted` + `failed` + `not_executed`; `reexecuted` = the sum of the four below it."""

    benchmark_id: str
    name: str
    cases: int
    """Cases with a gold call."""
    reexecuted: int
    same: int
    moved: int
    uncompared: int
    """Executed, but the record holds no result to compare with."""
    drifted: int
    """Executed, but with another result, or on a tool whose description or schema changed."""
    failed: int
    unreachable: int = 0
    """Of those that failed: their plugin was not there. Resuming executes them again."""
    not_executed: int
    """The policy of the plugin forbids it."""
    without_call: int
    """Cases whose gold is to make no call."""
    details: tuple[CallDetail, ...] = ()
    calls: int = 0
    """Executions by this process, repetitions included."""
    calls_replayed: int = 0
    seconds: float = 0.0

    @property
    def sound(self) -> bool:
        """Whether every gold call was executed and showed what it should."""
        return not self.drifted and not self.failed and not self.not_executed

    @property
    def only_unreachable(self) -> bool:
        """Whether nothing is known to be wrong but plugins that were not there."""
        return not self.drifted and not self.not_executed and 0 < self.unreachable == self.failed


def counts_of(checks: Sequence[CaseCheck]) -> dict[str, int]:
    """The counts as `VerifyOutcome` calls them."""
    found = Counter(check.verdict for check in checks)
    return {
        "cases": len(checks),
        "reexecuted": sum(number for verdict, number in found.items() if verdict.executed),
        "unreachable": sum(check.unreachable for check in checks),
        **{verdict.value: found[verdict] for verdict in Verdict},
    }


def details_of(checks: Sequence[CaseCheck]) -> tuple[CallDetail, ...]:
    """Every call that is not the same, in the order of the cases."""
    return tuple(
        CallDetail(
            case=check.case,
            tool=call.tool,
            verdict=call.verdict,
            reason=call.reason,
            parts=call.parts,
            observed=call.observation.kind.value if call.observation else "",
        )
        for check in checks
        for call in check.calls
        if call.verdict is not Verdict.SAME
    )
