"""Whether an accepted gold is right, asked of somebody who knows better than the pipeline that accepted it (P62).

An oracle that cannot tell says None: such a gold is excluded from the false-positive rate and counted.
"""

from collections.abc import Sequence
from typing import Protocol

from plugineval.pccf.examples import Query
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.labels import gold_of
from plugineval.pccf.records import VerificationRecord
from plugineval.pccf.scenarios import Scenario
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Value, canonical_json


class Claim(Value):
    """An accepted gold: what was asked, of which tools, and what is held to be right."""

    record: VerificationRecord
    """Accepted, by Stage I."""
    scenario: Scenario
    tools: tuple[ToolSpec, ...]
    """One per required call; the target first."""

    @property
    def query(self) -> Query:
        """The request."""
        return self.record.query

    @property
    def target(self) -> str:
        """Offered name of the target tool."""
        return self.record.target

    @property
    def gold(self) -> tuple[Invocation | Abstention, ...]:
        """The calls in order, or the abstention."""
        labels = [each.label for each in (self.record, *self.record.further)]
        return tuple(gold_of(label) for label in labels if label is not None)


class Oracle(Protocol):
    """Who knows."""

    @property
    def id(self) -> str:
        """Who it is, for the report."""
        ...

    async def is_right(self, claim: Claim) -> bool | None:
        """Whether the gold answers the query; None: not known."""
        ...


class GoldVerdict(Value):
    """A person's word on a gold, by the id of its record, or by query and target.

    With `gold` it holds for that gold alone, else for whatever was accepted there.
    """

    record: str | None = None
    query: str | None = None
    target: str | None = None
    gold: tuple[dict[str, object], ...] | None = None
    """Calls as `{"tool": …, "arguments": {…}}`; empty: that no call is right."""
    right: bool

    def about(self, claim: Claim) -> bool:
        """Whether it is about `claim`."""
        named = self.record == claim.record.id if self.record is not None else self._asked(claim)
        return named and (
            self.gold is None or canonical_json(list(self.gold)) == canonical_json(shown_gold(claim.gold))
        )

    def _asked(self, claim: Claim) -> bool:
        return (self.query, self.target) == (claim.query.text, claim.target)


def shown_gold(gold: Sequence[Invocation | Abstention]) -> list[dict[str, object]]:
    """Calls as a person writes them; an abstention is none."""
    return [{"tool": each.tool, "arguments": each.arguments} for each in gold if isinstance(each, Invocation)]


class People:
    """An oracle of written verdicts; where none is about a claim, `otherwise` is asked."""

    def __init__(self, verdicts: Sequence[GoldVerdict], otherwise: Oracle) -> None:
        self._verdicts, self._otherwise = tuple(verdicts), otherwise

    @property
    def id(self) -> str:
        """Both, in the order in which they are asked."""
        return f"{len(self._verdicts)} verdicts of people, else {self._otherwise.id}"

    async def is_right(self, claim: Claim) -> bool | None:
        """The last verdict about the claim; a verdict for its very gold goes before one for whatever was accepted."""
        about = [verdict for verdict in self._verdicts if verdict.about(claim)]
        exact = [verdict for verdict in about if verdict.gold is not None]
        chosen = (exact or about)[-1:]
        return chosen[0].right if chosen else await self._otherwise.is_right(claim)
