"""A request that needs several tools, verified call by call: accepted only where every call is (P44).

Every call is one Stage I of its own. Where each call uses what the one before returned, the conversation that
generators and evaluators see grows by the verified calls and their results; otherwise each call is proposed on the
request alone. The last result is always judged beside all others, so that nothing of the request is left open.
Record ids of the later calls derive from the first, so a resumed chain goes on at the call where it stopped.
"""

from collections.abc import Sequence
from typing import Protocol

from plugineval.pccf.invocations import Invocation
from plugineval.pccf.records import ProposalTrace, VerificationRecord
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import canonical_json
from plugineval.pccf.verification.parts import MadeCall, Part, part_tool, told
from plugineval.pccf.verification.request import VerificationRequest


class Verifier(Protocol):
    """Verifies one call: `plugineval.pccf.verification.StageOne`."""

    async def verify(self, request: VerificationRequest) -> VerificationRecord:
        """The record of one candidate."""
        ...


class ChainVerifier:
    """Verifies requests of one or more calls with one Stage I.

    The notes that tell a role which call is at issue stay in the records of `further`; the first record shows the
    request as its user made it.
    """

    def __init__(self, verifier: Verifier) -> None:
        self._verifier = verifier

    async def verify(
        self, request: VerificationRequest, then: Sequence[ToolSpec] = (), ordered: bool = False
    ) -> VerificationRecord:
        """The record of the first call, of `request.tool`, with those of the calls of `then` in `further`.

        Its verdict is that of the whole: the first call that was not accepted, named in the reason, rejects the
        request or leaves it undecided. `ordered` says that each call uses what the one before it returned.
        """
        if not then:
            return await self._verifier.verify(request)
        chain = _Chain(request, (request.tool, *then), ordered=ordered)
        records: list[VerificationRecord] = []
        made: list[MadeCall] = []
        while len(records) < len(chain.tools):
            record = await self._verifier.verify(chain.request(made))
            call = _made(record, chain.tools[len(records)])
            records.append(record)
            if problem := _problem(record, call, made):
                return chain.joined(records, problem)
            made += [call] if call else []
        return chain.joined(records, "")


class _Chain:
    def __init__(self, request: VerificationRequest, tools: tuple[ToolSpec, ...], *, ordered: bool) -> None:
        self.tools = tools
        self._request, self._ordered = request, ordered

    def request(self, made: Sequence[MadeCall]) -> VerificationRequest:
        """The request for the call after those `made`."""
        number, tool = len(made) + 1, self.tools[len(made)]
        part = Part(number=number, tools=tuple(map(part_tool, self.tools)), ordered=self._ordered)
        # A tool that is called twice must show which of its calls is already made.
        seen = made if self._ordered or any(call.tool == tool for call in made) else ()
        update: dict[str, object] = {
            "query": told(self._request.query, part, seen),
            "result_query": told(self._request.query, part, made) if part.last else None,
            "tool": tool,
            "after": tuple(made) if self._ordered else (),
        }
        if number > 1:
            update |= {"record_id": f"{self._request.record_id}-call-{number}", "votes": ()}
        return self._request.model_copy(update=update)

    def joined(self, records: Sequence[VerificationRecord], problem: str) -> VerificationRecord:
        """The first record with all others, and the verdict of the whole."""
        first, *further = records
        verdict = "accepted" if not problem else records[-1].verdict
        where = f"call {len(records)} of {len(self.tools)}, {records[-1].target}"
        reason = f"{where}: {problem}" if problem else f"all {len(records)} calls: {first.reason}"
        return first.model_copy(
            update={
                "query": self._request.query,
                "further": tuple(further),
                "verdict": "rejected" if problem and verdict == "accepted" else verdict,
                "reason": reason,
                "label": None if problem else first.label,
                "finished_at": records[-1].finished_at,
            }
        )


def _made(record: VerificationRecord, tool: ToolSpec) -> MadeCall | None:
    gold = _gold(record)
    if gold is None or gold.observation is None or not isinstance(gold.proposal, Invocation):
        return None
    return MadeCall(tool=tool, invocation=gold.proposal, observation=gold.observation)


def _gold(record: VerificationRecord) -> ProposalTrace | None:
    last = record.rounds[-1] if record.rounds else None
    if record.verdict != "accepted" or last is None or last.best is None:
        return None
    return last.traces[last.best]


def _problem(record: VerificationRecord, call: MadeCall | None, made: Sequence[MadeCall]) -> str:
    """Why the chain ends with `record`; empty where it goes on."""
    if record.verdict != "accepted":
        return record.reason
    if call is None:
        shape = record.label.shape if record.label else "nothing"
        return f"verified as {shape}, where a call is required; {record.reason}"
    asked = canonical_json(call.invocation)
    twice = any(canonical_json(other.invocation) == asked for other in made)
    return "it is the same call as one before it" if twice else ""
