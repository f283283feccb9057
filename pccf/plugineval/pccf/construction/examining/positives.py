"""What an accepted call still has to show: that it executes again with a result to compare, and how deep it lies.

A second execution that fails rejects the query: gold that does not re-execute is no gold. A boundary that breaks, or
a hard limit, leaves it undecided.
"""

from collections.abc import Sequence

from plugineval.pccf.calibration.difficulty import inference_difficulty
from plugineval.pccf.calling import in_order
from plugineval.pccf.construction.examining.depth import Depth, DepthGauge
from plugineval.pccf.construction.examining.drafts import Observed
from plugineval.pccf.construction.examining.goldcalls import GoldCall, gold_calls
from plugineval.pccf.construction.plan import Verifier
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.verification import MadeCall, Repeated

NOT_REPEATED = "no second execution, "
NO_DEPTH = "no depth vote, "
"""How the reason of a record begins that a boundary left undecided here."""


class Positives:
    """Settles accepted positives; `repeat` says whether gold calls are executed a second time."""

    def __init__(self, verifier: Verifier, gauge: DepthGauge, *, repeat: bool) -> None:
        self._verifier, self._gauge, self._repeat = verifier, gauge, repeat

    async def settle(
        self, record: VerificationRecord, tools: Sequence[ToolSpec], stated: tuple[str, ...], *, ordered: bool
    ) -> tuple[VerificationRecord, Observed | None]:
        """`record` with its repetitions and depth votes, and what was observed where it stays accepted.

        `stated` are the writer's steps; of a real query there are none, and none to disagree with. `ordered` says
        that each call was verified after those before it.
        """
        calls = gold_calls(record, tools)
        repetitions: list[Repeated] = []
        depths: list[Depth] = []

        async def repeat() -> None:
            repetitions.extend(await self._repeated(calls, ordered=ordered))

        async def gauge() -> None:
            depths.append(await self._gauge.gauge(calls))

        await in_order([repeat, gauge])
        depth = depths[0]
        shown = _shown(record, repetitions, depth, stated)
        if failed := _failed(repetitions, depth):
            verdict, reason = failed
            return shown.model_copy(update={"verdict": verdict, "reason": reason, "label": None}), None
        return shown, Observed(difficulty=inference_difficulty(depth.steps), steps=depth.steps)

    async def _repeated(self, calls: Sequence[GoldCall], *, ordered: bool) -> list[Repeated]:
        """Each call meets what it met when it was verified: what the earlier ones left, or the untouched state."""
        found: list[Repeated] = []
        made: list[MadeCall] = []
        for call in calls if self._repeat else ():
            found.append(await self._verifier.repeat(call.record, call.made.tool, tuple(made)))
            made += [call.made] if ordered else []
            if found[-1].failure or found[-1].problem:
                break
        return found


def _shown(
    record: VerificationRecord, repetitions: Sequence[Repeated], depth: Depth, stated: tuple[str, ...]
) -> VerificationRecord:
    own = [repeated.repetition for repeated in repetitions]
    further = tuple(
        each.model_copy(update={"repetition": own[place] if place < len(own) else None})
        for place, each in enumerate(record.further, 1)
    )
    against = depth.against(stated) if stated and not depth.failure else ""
    return record.model_copy(
        update={
            "repetition": own[0] if own else None,
            "further": further,
            "depth_votes": depth.votes,
            "stated_steps": stated,
            "reason": f"{record.reason}; {against}" if against else record.reason,
        }
    )


def _failed(repetitions: Sequence[Repeated], depth: Depth) -> tuple[str, str] | None:
    """A verdict other than accepted, with its reason."""
    if problem := next((repeated.problem for repeated in repetitions if repeated.problem), None):
        return "rejected", problem
    broken = next((repeated.failure for repeated in repetitions if repeated.failure), None)
    if broken is not None:
        return "undecided", f"{NOT_REPEATED}{broken.kind.value}: {broken.detail}"
    if depth.failure is not None:
        return "undecided", f"{NO_DEPTH}{depth.failure.kind.value}: {depth.failure.detail}"
    return None
