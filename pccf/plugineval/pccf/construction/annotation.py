"""The votes at levels 1 and 2, asked of an annotator who did not write the query (P1, P2, P9).

What the writer meant is an expectation only: a vote against it rejects the candidate, with the vote as evidence.
"""

from typing import Literal

from plugineval.pccf.calling import RoleCalls
from plugineval.pccf.examples import Query
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.records import LevelVote
from plugineval.pccf.roles import LevelAnnotator, Voted
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Value

EXPECTED: dict[ScenarioKind, tuple[int, int]] = {
    ScenarioKind.TRIGGER: (1, 1),
    ScenarioKind.UNDERSPECIFIED: (1, 1),
    ScenarioKind.TYPE_A: (0, 0),
    ScenarioKind.TYPE_B: (1, 0),
    ScenarioKind.TYPE_C: (1, 0),
}

_NO_ANSWER = Failure(kind=FailureKind.BAD_RESPONSE, detail="the annotator gave neither a vote nor a failure")


class Annotation(Value):
    """The votes, or those there are and the boundary that broke. Level 2 is asked only where level 1 is positive."""

    votes: tuple[LevelVote, ...] = ()
    failure: Failure | None = None

    @property
    def levels(self) -> tuple[int, int]:
        """(l1, l2); l2 = 0 where it was not assessed (P7)."""
        l1, l2, *_ = (*(int(vote.positive) for vote in self.votes), 0, 0)
        return l1, l2

    def dissent(self, kind: ScenarioKind) -> str | None:
        """Why these votes reject a candidate written as `kind`; None where they agree."""
        if self.levels == EXPECTED[kind]:
            return None
        reason = self.votes[-1].reason if self.votes else "no votes"
        return f"annotated {self.levels} where {kind.value} expects {EXPECTED[kind]}: {reason}"


class Annotator:
    """Asks one annotator through the journal."""

    def __init__(self, annotator: LevelAnnotator, toolset: Toolset, calls: RoleCalls) -> None:
        self._annotator = annotator
        self._toolset = toolset
        self._calls = calls

    async def annotate(self, case: str, query: Query, tool: ToolSpec) -> Annotation:
        """The votes on (`query`, `tool`)."""
        votes: list[LevelVote] = []
        levels: tuple[Literal[1], Literal[2]] = (1, 2)
        for level in levels:
            voted = await self._vote(case, level, query, tool)
            if voted.vote is None:
                return Annotation(votes=tuple(votes), failure=voted.failure or _NO_ANSWER)
            votes.append(voted.vote)
            if not voted.vote.positive:
                break
        return Annotation(votes=tuple(votes))

    async def _vote(self, case: str, level: Literal[1, 2], query: Query, tool: ToolSpec) -> Voted:
        key = CallKey(
            stage="vote",
            model=self._annotator.id,
            case=case,
            repeat=level,
            request=[query.model_dump(mode="json"), tool.content_hash, self._toolset.content_hash],
        )
        return await self._calls.ask(key, Voted, lambda: self._annotator.vote(level, query, tool, self._toolset))
