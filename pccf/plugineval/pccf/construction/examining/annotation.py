"""The votes at levels 1 and 2, asked of annotators who did not write the query (P1, P2, P9).

Every annotator votes without seeing the others. What the writer meant is an expectation only: votes against it reject
a candidate, and where annotators disagree among themselves nothing is settled: it is rejected as disputed. All votes
are kept as evidence either way.
"""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import Literal

from plugineval.pccf.calling import RoleCalls, in_order
from plugineval.pccf.examples import Query
from plugineval.pccf.ledger import CallKey
from plugineval.pccf.records import LevelVote
from plugineval.pccf.roles import LevelAnnotator, Voted
from plugineval.pccf.routing import Failure, FailureKind
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Value
from plugineval.pccf.verification.parts import Part, part_tool, told

Level = Literal[1, 2]

EXPECTED: dict[ScenarioKind, tuple[int, int]] = {
    ScenarioKind.TRIGGER: (1, 1),
    ScenarioKind.UNDERSPECIFIED: (1, 1),
    ScenarioKind.TYPE_A: (0, 0),
    ScenarioKind.TYPE_B: (1, 0),
    ScenarioKind.TYPE_C: (1, 0),
}

_NO_ANSWER = Failure(kind=FailureKind.BAD_RESPONSE, detail="the annotator gave neither a vote nor a failure")


def disputed_level(votes: Iterable[LevelVote]) -> Level | None:
    """The first level at which annotators disagree; None where each level has one answer."""
    answers: dict[Level, set[bool]] = {}
    for vote in votes:
        answers.setdefault(vote.level, set()).add(vote.positive)
    return next((level for level in sorted(answers) if len(answers[level]) > 1), None)


class Annotation(Value):
    """The votes, or those there are and the boundary that broke. Level 2 is asked only where level 1 is positive."""

    votes: tuple[LevelVote, ...] = ()
    failure: Failure | None = None

    @property
    def levels(self) -> tuple[int, int]:
        """(l1, l2); l2 = 0 where it was not assessed (P7), and a level is 1 only where all votes say so."""
        found = [[vote.positive for vote in self.votes if vote.level == level] for level in (1, 2)]
        l1, l2 = (int(bool(votes) and all(votes)) for votes in found)
        return l1, l2

    def dissent(self, kind: ScenarioKind) -> str | None:
        """Why these votes reject a candidate written as `kind`; None where they agree."""
        if (level := disputed_level(self.votes)) is not None:
            said = "; ".join(_said(vote) for vote in self.votes if vote.level == level)
            return f"the annotators disagree at level {level}: {said}"
        if self.levels == EXPECTED[kind]:
            return None
        reason = self.votes[-1].reason if self.votes else "no votes"
        return f"annotated {self.levels} where {kind.value} expects {EXPECTED[kind]}: {reason}"


def _said(vote: LevelVote) -> str:
    return f"{vote.annotator} says {'yes' if vote.positive else 'no'} ({vote.reason})"


def _parts(query: Query, tools: Sequence[ToolSpec]) -> list[tuple[Query, ToolSpec]]:
    """Each tool with the query as it is to be read for it."""
    if len(tools) == 1:
        return [(query, tools[0])]
    known = tuple(map(part_tool, tools))
    return [(told(query, Part(number=number, tools=known)), tool) for number, tool in enumerate(tools, 1)]


class Annotator:
    """Asks all annotators through the journal, at once."""

    def __init__(self, annotators: Sequence[LevelAnnotator], toolset: Toolset, calls: RoleCalls) -> None:
        self._annotators = tuple(annotators)
        self._toolset = toolset
        self._calls = calls

    async def annotate(self, case: str, query: Query, tools: Sequence[ToolSpec]) -> Annotation:
        """The votes on `query`: at level 1, and where that is positive at level 2 for each of `tools`.

        A request that needs several tools is supported only where each of them does its part.
        """
        found = await self.level(case, 1, query, tools[0])
        if found.failure is not None or not found.levels[0]:
            return found
        asked = await in_order([partial(self.level, case, 2, part, tool) for part, tool in _parts(query, tools)])
        # Where a tool does not do its part, its votes decide; those on the others would read like a dispute.
        against = next((each for each in asked if each.failure or not all(vote.positive for vote in each.votes)), None)
        counted = asked if against is None else [against]
        votes = (*found.votes, *(vote for each in counted for vote in each.votes))
        return Annotation(votes=votes, failure=against.failure if against else None)

    async def level(self, case: str, level: Level, query: Query, tool: ToolSpec) -> Annotation:
        """The votes of all annotators at one level."""
        ask = partial(self._vote, case, level, query, tool)
        answers = await in_order([partial(ask, index) for index in range(len(self._annotators))])
        return Annotation(
            votes=tuple(answer.vote for answer in answers if answer.vote is not None),
            failure=next((answer.failure or _NO_ANSWER for answer in answers if answer.vote is None), None),
        )

    async def _vote(self, case: str, level: Level, query: Query, tool: ToolSpec, index: int) -> Voted:
        annotator = self._annotators[index]
        key = CallKey.known(
            stage="vote",
            model=annotator.id,
            case=case,
            repeat=level + 2 * index,
            request=[query.model_dump(mode="json"), tool.content_hash, self._toolset.content_hash],
        )
        return await self._calls.ask(key, Voted, lambda: annotator.vote(level, query, tool, self._toolset))
