"""What gold demands under one name: a value, one of several, or nothing."""

from collections.abc import Mapping
from typing import NamedTuple

from plugineval.harness.equivalence.defaults import gives
from plugineval.harness.equivalence.nodes import Node
from plugineval.pccf.gold import Accepted
from plugineval.pccf.values import Json


class Expected(NamedTuple):
    """`value`, or what `accepted` lists; `nothing` where the argument is not to be given, `omittable` where it may."""

    value: Json = None
    accepted: Accepted | None = None
    omittable: bool = False
    nothing: bool = False

    @classmethod
    def of(cls, gold: Mapping[str, Json | Accepted], name: str, parent: Node, child: Node) -> "Expected":
        """What `gold` demands under `name`; null on an optional argument demands nothing (D13)."""
        value = gold.get(name)
        if type(value) is Accepted:
            nothing = not (value.values or value.members or value.items)
            return cls(None, value, omittable=value.omittable or nothing, nothing=nothing)
        given = name in gold and gives(value, name, parent, child)
        return cls(value, None, not given, not given)

    @property
    def first(self) -> Json:
        """One right value, to show."""
        return self.value if self.accepted is None else next(iter(self.accepted.values), None)


def is_blank(value: Json) -> bool:
    """Null, or a text without a visible character."""
    return value is None or (isinstance(value, str) and not value.strip())
