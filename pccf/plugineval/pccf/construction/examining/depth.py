"""The inference depth of a positive as a second role tells it, without seeing the writer's steps (P26).

The depth that counts is the second role's; where it disagrees with the writer's steps the record says so. The depth
of a request of several calls is that of all its calls together.
"""

from collections.abc import Sequence
from functools import partial

from plugineval.pccf.calibration.difficulty import inference_difficulty
from plugineval.pccf.calling import RoleCalls, in_order
from plugineval.pccf.construction.examining.goldcalls import GoldCall
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.records import DepthVote
from plugineval.pccf.roles import DepthAnnotator, DepthVoted
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.values import Value

_NO_ANSWER = Failure(kind=FailureKind.BAD_RESPONSE, detail="the depth annotator gave neither a vote nor a failure")


class Depth(Value):
    """One vote per gold call, or the boundary that broke."""

    votes: tuple[DepthVote, ...] = ()
    failure: Failure | None = None

    @property
    def steps(self) -> tuple[str, ...]:
        """Of all calls."""
        return tuple(step for vote in self.votes for step in vote.steps)

    def against(self, stated: Sequence[str]) -> str:
        """How the votes differ from the writer's steps; empty where both give one difficulty."""
        told, said = inference_difficulty(self.steps), inference_difficulty(stated)
        if told is said:
            return ""
        return f"its writer states {len(stated)} inference steps ({said}), who verified them {len(self.steps)} ({told})"


class DepthGauge:
    """Asks one depth annotator through the journal."""

    def __init__(self, annotator: DepthAnnotator, calls: RoleCalls) -> None:
        self._annotator = annotator
        self._calls = calls

    async def gauge(self, calls: Sequence[GoldCall]) -> Depth:
        """The depth of all gold calls of one request."""
        answers = await in_order([partial(self._ask, call, index) for index, call in enumerate(calls)])
        return Depth(
            votes=tuple(answer.vote for answer in answers if answer.vote is not None),
            failure=next((answer.failure or _NO_ANSWER for answer in answers if answer.vote is None), None),
        )

    async def _ask(self, call: GoldCall, index: int) -> DepthVoted:
        query, made = call.record.query, call.made
        key = CallKey.known(
            stage="depth",
            model=self._annotator.id,
            case=call.record.id,
            repeat=index,
            request=[query.model_dump(mode="json"), made.tool.content_hash, made.invocation.model_dump(mode="json")],
        )
        return await self._calls.ask(key, DepthVoted, lambda: self._annotator.depth(query, made.tool, made.invocation))
