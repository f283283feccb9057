"""The gold calls of a verified example executed again: whether each still runs, and still shows the same.

A result may move (a clock, an id): what was declared as moving, what differed when the gold was executed twice, and
what differs between two executions today is no drift. Everything else that differs is, and so is a tool whose
description or schema is another one than the benchmark holds. Two executions today are a second apart; where that may
have been too soon for a slow clock, `settle` looks once more, after all other cases.
"""

import time
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

import anyio

from plugineval.pccf.doors import go_through
from plugineval.pccf.examples import Example
from plugineval.pccf.execution import PluginSession
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.ledger import CallKey, Ledger, recorded
from plugineval.pccf.observations import OUTAGES, Observation, ObservationKind
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Json, Value
from plugineval.pccf.verification.repetition import covered, moving_parts
from plugineval.pccf.verification.slow_clocks import APART_S, may_be_clock
from plugineval.pccf.verification.stored_results import Stored, stored_result

STAGE = "reexecute"
TICK_S = 1.1
"""Before a differing call is executed a second time: clocks that show seconds have moved by then."""
_UNRECORDED = OUTAGES | {ObservationKind.REFUSED}
_SHOWN = 300


class Verdict(StrEnum):
    """What came of a call or of a case, the worst last."""

    SAME = "same"
    UNCOMPARED = "uncompared"
    """Executed; the record holds no result to compare with."""
    MOVED = "moved"
    """Executed; only what was declared or found to move differs."""
    NOT_EXECUTED = "not_executed"
    """The policy of the plugin forbids it."""
    DRIFTED = "drifted"
    FAILED = "failed"

    @property
    def executed(self) -> bool:
        """Whether the call was answered with a result."""
        return self not in {Verdict.NOT_EXECUTED, Verdict.FAILED}


class CallCheck(Value):
    """One gold call today."""

    tool: str
    verdict: Verdict
    reason: str = ""
    parts: tuple[str, ...] = ()
    """Where the results differ, as `moving_parts` names it."""
    observation: Observation | None = None
    """Where the call drifted or failed: what it showed."""
    unreachable: bool = False
    """It failed because its plugin was not there: executing it again later may help."""


class CaseCheck(Value):
    """All gold calls of one case, up to the first that others need and that did not run."""

    case: str
    calls: tuple[CallCheck, ...]

    @property
    def verdict(self) -> Verdict:
        """The worst of its calls."""
        return max((call.verdict for call in self.calls), key=list(Verdict).index)

    @property
    def unreachable(self) -> bool:
        """Whether it failed for want of a plugin alone."""
        failed = [call for call in self.calls if call.verdict is Verdict.FAILED]
        return bool(failed) and all(call.unreachable for call in failed)


class ToolToday(Value):
    """A tool of the benchmark as its plugin offers it now, or why it does not."""

    tool: ToolSpec | None = None
    changes: tuple[str, ...] = ()
    """What is different from the benchmark's own snapshot."""
    forbidden: str = ""
    """Why the policy does not execute it; empty where it does."""
    missing: str = ""
    """Why there is no such tool."""
    unreachable: bool = False


def changes_of(old: ToolSpec, new: ToolSpec) -> tuple[str, ...]:
    """What a model sees differently, or a result is checked against differently."""
    pairs = {
        "description": (old.description, new.description),
        "input schema": (old.input_schema, new.input_schema),
        "output schema": (old.output_schema, new.output_schema),
    }
    return tuple(f"its {what} changed" for what, (before, after) in pairs.items() if before != after)


class Reexecution:
    """Checks cases one by one; answers that are no outage are kept in the ledger, so that a resumed check goes on."""

    def __init__(
        self,
        today: Mapping[str, ToolToday],
        session: PluginSession,
        ledger: Ledger,
        *,
        tick_s: float = TICK_S,
        apart_s: float = APART_S,
    ) -> None:
        """`today`: offered name -> tool, for every tool that a gold call names. `apart_s` 0: nobody looks later."""
        self._today = today
        self._session = session
        self._ledger = ledger
        self._tick_s, self._apart_s = tick_s, apart_s
        self._doubts: dict[tuple[str, int], _Doubt] = {}

    @property
    def doubts(self) -> int:
        """Calls that drifted as far as is known, and that `settle` executes once more."""
        return len(self._doubts)

    async def settle(self, check: CaseCheck) -> CaseCheck:
        """The case with its doubtful calls executed once more, `apart_s` after they were seen to differ."""
        settled = [await self._settled(call, self._doubts.get((check.case, n))) for n, call in enumerate(check.calls)]
        return check.model_copy(update={"calls": tuple(settled)})

    async def check(self, example: Example, record: VerificationRecord | None) -> CaseCheck:
        """Execute the gold calls of `example`, which has some, in order."""
        checks: list[CallCheck] = []
        done: list[tuple[ToolSpec, Invocation]] = []
        for place, gold in enumerate(example.gold):
            stored = Stored() if record is None else stored_result(record, gold, self._served_name(gold))
            call = _GoldCall(example.id, place, gold, stored, tuple(done) if example.ordered else ())
            checks.append(await self._check(call))
            tool = self._today[gold.tool].tool
            if tool is not None:
                done.append((tool, gold))
            if example.ordered and not checks[-1].verdict.executed:
                break
        return CaseCheck(case=example.id, calls=tuple(checks))

    def _served_name(self, gold: Invocation) -> str:
        tool = self._today[gold.tool].tool
        return gold.tool if tool is None else tool.name

    async def _check(self, call: "_GoldCall") -> CallCheck:
        today, named = self._today[call.gold.tool], call.gold.tool
        if today.tool is None:
            return CallCheck(tool=named, verdict=Verdict.FAILED, reason=today.missing, unreachable=today.unreachable)
        if today.forbidden:
            return CallCheck(tool=named, verdict=Verdict.NOT_EXECUTED, reason=today.forbidden)
        seen = await self._execute(call, today.tool)
        if not seen.evaluable:
            said = ": ".join(part for part in (seen.detail, " ".join(seen.text.split())[:_SHOWN]) if part)
            return CallCheck(
                tool=named,
                verdict=Verdict.FAILED,
                reason="; ".join((*today.changes, f"{seen.kind.value}: {said}")),
                observation=seen,
                unreachable=seen.kind in OUTAGES,
            )
        found = await self._compared(call, today.tool, seen)
        if not today.changes:
            return found
        reasons = "; ".join((*today.changes, *([found.reason] if found.verdict is Verdict.DRIFTED else [])))
        return found.model_copy(update={"verdict": Verdict.DRIFTED, "reason": reasons})

    async def _compared(self, call: "_GoldCall", tool: ToolSpec, seen: Observation) -> CallCheck:
        first, named = call.stored.observation, call.gold.tool
        if tool.moving or call.stored.declared:
            return CallCheck(tool=named, verdict=Verdict.MOVED, reason="declared as moving; not compared")
        if first is None:
            return CallCheck(tool=named, verdict=Verdict.UNCOMPARED, reason="its record holds no result of this call")
        parts = moving_parts(first, seen)
        if not parts:
            return CallCheck(tool=named, verdict=Verdict.SAME)
        where = ", ".join(parts)
        if covered(parts, call.stored.moving):
            reason = f"differs at {where}, which moved during construction"
            return CallCheck(tool=named, verdict=Verdict.MOVED, reason=reason, parts=parts)
        await anyio.sleep(self._tick_s)
        at = time.monotonic()
        again = await self._execute(call, tool, repeat=1)
        if again.evaluable and covered(parts, moving_parts(seen, again)):
            reason = f"differs at {where}, as two executions today do"
            return CallCheck(tool=named, verdict=Verdict.MOVED, reason=reason, parts=parts)
        if self._apart_s and not self._today[named].changes and may_be_clock(parts, first, seen):
            self._doubts[call.case, call.place] = _Doubt(call, tool, seen, at + self._apart_s)
        reason = f"its result differs at {where}: {_shown(first)} before, {_shown(seen)} now"
        return CallCheck(tool=named, verdict=Verdict.DRIFTED, reason=reason, parts=parts, observation=seen)

    async def _settled(self, check: CallCheck, doubt: "_Doubt | None") -> CallCheck:
        if doubt is None:
            return check
        again = await self._execute(doubt.call, doubt.tool, repeat=2, not_before=doubt.due)
        if not again.evaluable:
            return check
        if covered(check.parts, moving_parts(doubt.seen, again)):
            reason = f"differs at {', '.join(check.parts)}, and did again {self._apart_s:g} s later: it moves slowly"
            return CallCheck(tool=check.tool, verdict=Verdict.MOVED, reason=reason, parts=check.parts)
        return check.model_copy(update={"reason": f"{check.reason}, and the same {self._apart_s:g} s later"})

    async def _execute(
        self, call: "_GoldCall", tool: ToolSpec, *, repeat: int = 0, not_before: float = 0.0
    ) -> Observation:
        request: list[Json] = [call.place, tool.name, call.gold.arguments]
        key = CallKey(stage=STAGE, model=tool.key, case=call.case, repeat=repeat, request=request)

        async def make() -> Observation:
            await anyio.sleep(max(0.0, not_before - time.monotonic()))
            await go_through()
            return await self._session.call(tool, call.gold.arguments, after=call.after)

        return await recorded(self._ledger, key, Observation, make, keep=lambda seen: seen.kind not in _UNRECORDED)


class _GoldCall:
    def __init__(
        self,
        case: str,
        place: int,
        gold: Invocation,
        stored: Stored,
        after: Sequence[tuple[ToolSpec, Invocation]],
    ) -> None:
        self.case, self.place, self.gold, self.stored, self.after = case, place, gold, stored, after


class _Doubt(NamedTuple):
    """A call that drifted, unless it shows a slow clock."""

    call: _GoldCall
    tool: ToolSpec
    seen: Observation
    due: float
    """Before that, by the monotonic clock, it is too soon to look again."""


def _shown(observation: Observation) -> str:
    text = observation.text.strip()
    return f"{observation.kind.value} {text[:_SHOWN]!r}" + ("..." if len(text) > _SHOWN else "")
