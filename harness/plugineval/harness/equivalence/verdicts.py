"""What a rule says of one pair of values: equal, different or unsure, by name and with its reason.

A rule that does not recognise the kind of value says nothing (None), and the next one is asked. "Unsure" is an answer
too: the notation is recognised and its meaning is not settled (1/2/2024), so nobody after it may guess.
"""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, TypeAlias

from plugineval.harness.equivalence.nodes import Node
from plugineval.pccf.values import Json


class Agreement(StrEnum):
    """Three values, never two."""

    EQUAL = "equal"
    DIFFERENT = "different"
    UNSURE = "unsure"


class Ruling(NamedTuple):
    """What a rule decided. `temporal` marks a difference of time, for the parameter subtype (P51)."""

    agreement: Agreement
    rule: str
    """`dates.same_day`, `numbers.value`: where the rule lives and what it compared."""
    reason: str = ""
    temporal: bool = False
    coerced: bool = False
    """Equal only after a lossless coercion: invalid in the strict view (D14)."""
    semantic: bool = False
    """Settled by meaning (a conversion, a name for a code, algebra), not by notation: a policy may ask a judge."""


class CallContext:
    """What is the same for all values of one pair of calls. Built once per call pair; derived facts are cached."""

    def __init__(
        self,
        *,
        query: str = "",
        now: datetime | None = None,
        tool: str = "",
        tool_description: str = "",
        ask_meaning: bool = False,
    ) -> None:
        self.query = query
        self.now = now
        """The clock the query was asked at: what relative dates are anchored to."""
        self.tool = tool
        self.tool_description = tool_description
        self.ask_meaning = ask_meaning
        """Whether what is settled by meaning alone is left to a judge."""

    @cached_property
    def lower_query(self) -> str:
        """The query in lower case."""
        return self.query.casefold()


class Place:
    """Where two values are compared: the schema there, the argument's name, and the call's context."""

    __slots__ = ("context", "description", "format", "name", "node", "path")

    def __init__(self, node: Node, path: str, context: CallContext) -> None:
        self.node = node
        self.path = path
        self.context = context
        self.name = path.rsplit(".", 1)[-1].split("[", 1)[0]
        """The nearest argument name: `seat` for `traveller.seat`, `tags` for `tags[2]`."""
        self.description = node.description
        self.format = node.format


Rule: TypeAlias = Callable[[Json, Json, Place], Ruling | None]
"""(gold, predicted, place) -> a ruling, or None where the values are none of its business."""
