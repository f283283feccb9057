"""Lists whose order does not matter: where the schema says `uniqueItems`, the description says so, or the case does."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from plugineval.harness.assignment import assign
from plugineval.harness.equivalence.findings import Comparison
from plugineval.harness.equivalence.nodes import Node
from plugineval.pccf.values import Json

T = TypeVar("T")
MOST_ITEMS = 64
"""Items that are not the same on both sides; every one is compared with every other."""
_UNORDERED = re.compile(
    r"\bany order\b|\border (?:does not|doesn't|is not|isn't) (?:matter|important|relevant|significant)\b|"
    r"\b(?:regardless|irrespective|independent) of (?:the )?order\b|\border (?:is )?(?:irrelevant|ignored)\b|"
    r"\bunordered\b|\bset of\b",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"\border(?:ed|ing)?\b|\bsequence\b|\bsorted\b|\brank(?:ed|ing)?\b|\bpriorit|\bsteps?\b|\bfirst\b|\bthen\b",
    re.IGNORECASE,
)
_INDEX = re.compile(r"\[\d+\]")


def is_set(node: Node, path: str, unordered: frozenset[str]) -> bool:
    """Whether the list at `path` is one whose order does not matter."""
    if "prefixItems" in node.schema:
        return False
    if node.schema.get("uniqueItems") is True or _INDEX.sub("", path) in unordered:
        return True
    return _UNORDERED.search(node.description) is not None


def speaks_of_order(node: Node) -> bool:
    """Whether the description has a word about the order of the list."""
    return _ORDER.search(node.description) is not None


class Matching(NamedTuple):
    """The best pairing of two lists of the same length: the comparison of each pair, in the order of gold."""

    pairs: tuple[Comparison, ...]

    @property
    def different(self) -> bool:
        """Whether some item has no partner."""
        return any(comparison.differences for comparison in self.pairs)

    @property
    def equal(self) -> bool:
        """Whether every item has a partner that is proven equal."""
        return all(comparison.equal for comparison in self.pairs)


def match(gold: Sequence[T], predicted: Sequence[Json], compare: Callable[[int, T, Json], Comparison]) -> Matching:
    """Pair the items at least cost; `compare` takes the index in gold."""
    found = [[compare(index, wanted, got) for got in predicted] for index, wanted in enumerate(gold)]
    chosen = assign([[comparison.cost for comparison in row] for row in found])
    return Matching(tuple(found[row][column] for row, column in chosen))
