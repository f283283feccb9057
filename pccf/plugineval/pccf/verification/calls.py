"""Every call Stage I makes, through the ledger: made once, bounded, and never raising for what its partner did.

A call is known by stage, player, record, and `repeat`: unique per round and generator. What a partner raises becomes
the failure of its boundary; only a person's mistake, a full store or a stopped job pass through.
"""

from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from functools import partial
from typing import TypeVar

import anyio
from pydantic.main import IncEx

from plugineval.pccf.doors import go_through
from plugineval.pccf.errors import ConfigurationError, IncompleteError, StoreError
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.ledger import CallKey, recorded
from plugineval.pccf.observations import OUTAGES, Observation, ObservationKind
from plugineval.pccf.records import Round
from plugineval.pccf.roles import Assessed, ProposalTask, Proposed
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.values import Json, Value, content_hash
from plugineval.pccf.verification.gates import plain_json, readable, storable
from plugineval.pccf.verification.request import VerificationRequest
from plugineval.pccf.verification.stage_roles import StageOneRoles

V = TypeVar("V", bound=Value)
_ELAPSED: IncEx = {"elapsed_ms": True}
_WHO: IncEx = {"evaluator": True}
_NOT_EVIDENCE: IncEx = {
    "traces": {
        "__all__": {
            "elapsed_ms": True,
            "observation": _ELAPSED,
            "failure": {"detail": True},
            # Who proposed and who judged is shown to nobody, so that another player of the role is asked the same.
            "generator": True,
            "argument_assessment": _WHO,
            "result_assessment": _WHO,
        }
    }
}
_UNRECORDED = OUTAGES | {ObservationKind.REFUSED}
"""A refused call never reached the plugin; a resumed job asks again, because a person may have approved it."""


class TimedProposal(Proposed):
    """A proposal and how long it took, so that a replay tells the same durations."""

    elapsed_ms: float = 0.0


class TimedAssessment(Assessed):
    """An assessment and how long it took."""

    elapsed_ms: float = 0.0


class Calls:
    """The calls of one verification."""

    def __init__(self, roles: StageOneRoles, request: VerificationRequest) -> None:
        self._roles = roles
        self._request = request
        self._subject: dict[str, Json] = {
            "query": request.query.model_dump(mode="json"),
            "tool": request.tool.content_hash,
        }

    async def propose(self, history: tuple[Round, ...], *, index: int, repeat: int) -> TimedProposal:
        """Generator m = `index` sees the query, the target and all evidence so far (P19)."""
        generator = self._roles.generator(index)
        evidence = content_hash([round_.model_dump(mode="json", exclude=_NOT_EVIDENCE) for round_ in history])
        key = self._key("propose", generator.id, repeat, {"history": evidence, "index": index})
        task = ProposalTask(query=self._request.query, tool=self._request.tool, history=history)

        async def ask() -> Proposed:
            answer = await generator.propose(task, index=index)
            return answer.model_copy(update={"proposal": answer.proposal and storable(answer.proposal)})

        async def make() -> TimedProposal:
            answer, elapsed = await self._made(ask)
            if isinstance(answer, Failure):
                return TimedProposal(failure=answer, elapsed_ms=elapsed)
            failure = answer.failure or (None if answer.proposal else _nothing("proposal"))
            return TimedProposal(
                proposal=answer.proposal,
                failure=failure,
                prompt_hash=answer.prompt_hash,
                by=answer.by,
                spent=answer.spent,
                elapsed_ms=elapsed,
            )

        return await recorded(self._roles.ledger, key, TimedProposal, make)

    async def assess_arguments(self, proposal: Invocation | Abstention, *, repeat: int) -> TimedAssessment:
        """S_arg of one proposal."""
        evaluator = self._roles.arguments
        ask = partial(evaluator.assess_arguments, self._request.query, self._request.tool, proposal)
        content: dict[str, Json] = {"proposal": proposal.model_dump(mode="json")}
        return await self._assessed(self._key("assess_arguments", evaluator.id, repeat, content), ask)

    async def execute(self, invocation: Invocation, *, repeat: int, stage: str = "execute") -> Observation | Failure:
        """What the plugin shows, or that a limit forbids to ask it; an outage (`DIED`) is not recorded."""
        tool, arguments = self._request.tool, invocation.arguments
        after = [(call.tool, call.invocation) for call in self._request.after]
        content: dict[str, Json] = {"arguments": arguments}
        if after:
            content["after"] = [made.model_dump(mode="json") for _, made in after]
        key = self._key(stage, tool.key, repeat, content)

        async def ask() -> Observation:
            return readable(await self._roles.session.call(tool, arguments, after=after))

        async def make() -> Observation:
            answer, elapsed = await self._made(ask)
            if isinstance(answer, Observation):
                return answer
            if answer.kind is FailureKind.LIMIT_REACHED:
                raise _LimitReached(answer)
            return Observation(
                kind=ObservationKind.DIED, tool=tool.name, arguments=arguments, detail=answer.detail, elapsed_ms=elapsed
            )

        try:
            return await recorded(
                self._roles.ledger, key, Observation, make, keep=lambda shown: shown.kind not in _UNRECORDED
            )
        except _LimitReached as reached:
            return reached.failure

    async def assess_result(self, invocation: Invocation, shown: Observation, *, repeat: int) -> TimedAssessment:
        """S_out of one valid response."""
        evaluator, query = self._roles.results, self._request.result_query or self._request.query
        ask = partial(evaluator.assess_result, query, self._request.tool, invocation, shown)
        content: dict[str, Json] = {
            "query": query.model_dump(mode="json"),
            "invocation": invocation.model_dump(mode="json"),
            "observation": shown.model_dump(mode="json", exclude={"elapsed_ms"}),
        }
        return await self._assessed(self._key("assess_result", evaluator.id, repeat, content), ask)

    async def _assessed(self, key: CallKey, ask: Callable[[], Awaitable[Assessed]]) -> TimedAssessment:
        async def make() -> TimedAssessment:
            answer, elapsed = await self._made(ask)
            if isinstance(answer, Failure):
                return TimedAssessment(failure=answer, elapsed_ms=elapsed)
            failure = answer.failure or (None if answer.assessment else _nothing("assessment"))
            return TimedAssessment(
                assessment=answer.assessment, failure=failure, spent=answer.spent, elapsed_ms=elapsed
            )

        return await recorded(self._roles.ledger, key, TimedAssessment, make)

    def _key(self, stage: str, model: str, repeat: int, content: dict[str, Json]) -> CallKey:
        request: dict[str, Json] = {**self._subject, **content}
        return CallKey.known(stage=stage, model=model, case=self._request.record_id, repeat=repeat, request=request)

    async def _made(self, ask: Callable[[], Awaitable[V]]) -> tuple[V | Failure, float]:
        limiter = self._roles.limiter
        async with limiter if limiter is not None else nullcontext():
            await go_through()
            # Asked with the slot in hand: whoever waited for it must not spend what others have spent meanwhile.
            refusal = self._roles.meter.refusal() if self._roles.meter is not None else None
            return (refusal, 0.0) if refusal is not None else await self._bounded(ask)

    async def _bounded(self, ask: Callable[[], Awaitable[V]]) -> tuple[V | Failure, float]:
        started = anyio.current_time()
        answer: V | Failure = Failure(kind=FailureKind.TIMEOUT, detail=f"no answer in {self._roles.call_timeout_s} s")
        with anyio.move_on_after(self._roles.call_timeout_s):
            try:
                answer = _sound(await ask())
            except (ConfigurationError, StoreError, IncompleteError):
                raise
            except Exception as error:  # noqa: BLE001 - the one boundary: whatever a role or plugin adapter raises is data
                kind = FailureKind.TIMEOUT if isinstance(error, TimeoutError) else FailureKind.BAD_RESPONSE
                answer = Failure(kind=kind, detail=_told(error))
        return answer, (anyio.current_time() - started) * 1000


class _LimitReached(Exception):
    """Carries a refusal past the ledger, which must not keep it."""

    def __init__(self, failure: Failure) -> None:
        super().__init__()
        self.failure = failure


def _sound(answer: V) -> V:
    """`answer` checked again: it must survive being written and read, whatever it was built with."""
    return type(answer).model_validate(plain_json(answer))


def _told(error: Exception) -> str:
    return f"{type(error).__name__}: {error}"[:2000].encode("utf-8", "backslashreplace").decode()


def _nothing(what: str) -> Failure:
    return Failure(kind=FailureKind.BAD_RESPONSE, detail=f"neither a {what} nor a failure came back")
