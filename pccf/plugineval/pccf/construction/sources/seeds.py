"""Real queries (P8): what each of them is, is found out before anything is written.

Level 1 is asked once per query, level 2 for each (query, tool) pair by itself (P2), but not for every pair: for the
`seed_targets` tools that are the most alike to the query, and for those in `seed_tools`. Every tool that was not asked
for is listed.

- No tool needed: a Type A negative of the most alike tool.
- Supported by tools that may be executed: Stage I for the most alike of them; where it is not accepted, for the next.
- Supported only by a tool that may not be executed: a Type B negative of the most alike tool that does not support it.
- Supported by none: a Type C negative of the most alike tool.
"""

from collections.abc import Sequence
from functools import partial

from plugineval.pccf.calling import in_order
from plugineval.pccf.config import BuildConfig
from plugineval.pccf.construction.examining.annotation import Annotation, Annotator, disputed_level
from plugineval.pccf.coverage.lookalikes import profile
from plugineval.pccf.coverage.similarity import SIMILARITY
from plugineval.pccf.examples import Query
from plugineval.pccf.records import LevelVote
from plugineval.pccf.routing import Failure
from plugineval.pccf.scenarios import ScenarioKind
from plugineval.pccf.tools import Toolset, ToolSpec
from plugineval.pccf.values import Value, content_hash


class Reading(Value):
    """One way to read a real query: for which tool it is a case of which kind, by which votes."""

    target: str
    kind: ScenarioKind
    """Trigger stands for underspecified too: Stage I tells which."""
    lookalike: str | None = None
    votes: tuple[LevelVote, ...] = ()


class SeedFinding(Value):
    """What the votes say of one real query."""

    query: Query
    need: tuple[LevelVote, ...] = ()
    """At level 1."""
    support: dict[str, tuple[LevelVote, ...]] = {}
    """Tool -> the votes at level 2, in the order in which the tools are alike."""
    not_asked: tuple[str, ...] = ()
    """Tools for which level 2 was not asked."""
    nearest: str
    """The tool that is the most alike."""
    failure: Failure | None = None
    readings: tuple[Reading, ...] = ()
    """In the order in which they are tried; none where nothing is settled."""

    @property
    def problem(self) -> str:
        """Why there is no reading, where all annotators answered."""
        if any(vote.positive for votes in self.support.values() for vote in votes) and not disputed_level(self.votes):
            return "every tool that was asked for supports it, and none of them may be executed"
        return "the annotators disagree"

    @property
    def votes(self) -> tuple[LevelVote, ...]:
        """All of them."""
        return (*self.need, *(vote for votes in self.support.values() for vote in votes))


class SeedReader:
    """Asks about real queries among the tools of one construction."""

    def __init__(self, annotator: Annotator, toolset: Toolset, executable: frozenset[str], config: BuildConfig) -> None:
        self._annotator, self._toolset, self._executable, self._config = annotator, toolset, executable, config

    async def read(self, query: Query) -> SeedFinding:
        """The votes on `query`, and how they can be read."""
        case = f"seed-{content_hash(query)[:20]}"
        ranked = self._ranked(query)
        need = await self._annotator.level(case, 1, query, ranked[0])
        found = SeedFinding(query=query, need=need.votes, nearest=ranked[0].offered_name, failure=need.failure)
        if need.failure is not None or disputed_level(need.votes):
            return found
        if not need.votes[0].positive:
            reading = Reading(target=found.nearest, kind=ScenarioKind.TYPE_A, votes=need.votes)
            return found.model_copy(update={"readings": (reading,)})
        asked = self._asked(ranked)
        support = await in_order([partial(self._annotator.level, case, 2, query, tool) for tool in asked])
        return self._with_support(found, ranked, dict(zip((t.offered_name for t in asked), support, strict=True)))

    def nearest(self, query: Query) -> ToolSpec:
        """The tool that is the most alike."""
        return self._ranked(query)[0]

    def _ranked(self, query: Query) -> list[ToolSpec]:
        """The most alike first; ties keep the order of the set."""
        return sorted(self._toolset.tools, key=lambda tool: -SIMILARITY.score(query.text, profile(tool)))

    def _asked(self, ranked: Sequence[ToolSpec]) -> list[ToolSpec]:
        always = frozenset(self._config.seed_tools)
        first = self._config.seed_targets
        return [tool for place, tool in enumerate(ranked) if place < first or tool.offered_name in always]

    def _with_support(
        self, found: SeedFinding, ranked: Sequence[ToolSpec], support: dict[str, Annotation]
    ) -> SeedFinding:
        failure = next((each.failure for each in support.values() if each.failure), None)
        known = found.model_copy(
            update={
                "support": {name: each.votes for name, each in support.items()},
                "not_asked": tuple(tool.offered_name for tool in ranked if tool.offered_name not in support),
                "failure": failure,
            }
        )
        return known if failure else known.model_copy(update={"readings": tuple(self._readings(known))})

    def _readings(self, found: SeedFinding) -> list[Reading]:
        agreed = {name: votes for name, votes in found.support.items() if disputed_level(votes) is None}
        serving = [name for name, votes in agreed.items() if votes[0].positive]
        others = [name for name, votes in agreed.items() if not votes[0].positive]
        usable = [name for name in serving if name in self._executable]
        chosen: list[tuple[str, ScenarioKind, str | None]]
        if usable:
            chosen = [(name, ScenarioKind.TRIGGER, None) for name in usable]
        elif serving:
            chosen = [(name, ScenarioKind.TYPE_B, serving[0]) for name in others[:1]]
        else:
            chosen = [(name, ScenarioKind.TYPE_C, None) for name in others[:1]]
        return [
            Reading(target=name, kind=kind, lookalike=other, votes=(*found.need, *agreed[name]))
            for name, kind, other in chosen
        ]
