"""One thing that rules find in a case, and how sure they are: what they cannot tell is never called wrong (X5)."""

from enum import StrEnum
from typing import Literal

from plugineval.pccf.values import Value


class ImportKind(StrEnum):
    """What is odd."""

    UNPASSABLE = "unpassable"
    """No call that satisfies the schema can meet the gold."""
    SCHEMA = "schema"
    """The gold call itself breaks its tool's schema; another spelling of it may not."""
    ENUM = "enum"
    """A value that counts as right is none of those that the schema lists."""
    CONFLICT = "conflict"
    """The same request of the same tools with other gold."""
    DUPLICATE = "duplicate"
    BOTH_EMPTY = "both_empty"
    """Neither gold nor a negative: an empty answer proves nothing (D3)."""
    UNGROUNDED = "ungrounded"
    """A value that nobody can infer, such as an identifier, and that stands nowhere."""
    NEAR_DUPLICATE = "near_duplicate"
    COUNT = "count"
    """The request asks for another number of things than gold has calls."""

    @property
    def certain(self) -> bool:
        """Whether it is a fact of the file, and not only worth a look."""
        return self not in {ImportKind.UNGROUNDED, ImportKind.NEAR_DUPLICATE, ImportKind.COUNT}


class ImportFinding(Value):
    """One finding about one case."""

    case: str
    kind: ImportKind
    certain: bool
    place: str = ""
    """`TOOL.argument`, or the id of the other case."""
    detail: str


GroundedIn = Literal["query", "schema", "reading", "nowhere", "open"]
"""Where a gold value comes from: said as it is; a default or listed or described value; said in other words or counted
from the clock; nowhere, though only somebody who knows it could write it; or it cannot be told.
"""
