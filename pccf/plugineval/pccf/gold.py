"""A gold call: what is required, with every value that counts as right where a data set lists more than one.

Alternatives are kept per argument, also inside objects and lists; their product is never written out.
"""

from typing import Self, final

from plugineval.pccf.invocations import Invocation
from plugineval.pccf.values import Json, Value


@final
class Accepted(Value):
    """What one argument may be: one of `values`, or of the objects and lists whose parts have alternatives too."""

    values: tuple[Json, ...] = ()
    members: tuple[dict[str, "Accepted"], ...] = ()
    """Objects, each as the accepted values of its members."""
    items: tuple[tuple["Accepted", ...], ...] = ()
    """Lists, each as the accepted values of its items."""
    omittable: bool = False
    """Leaving the argument out is right too; without any value, only its default or leaving it out is."""


class GoldCall(Invocation):
    """The required call. `arguments` hold one right value each, `accepted` all right values where there are more."""

    accepted: dict[str, Accepted] = {}
    """Top-level argument -> what it may be."""
    unordered: tuple[str, ...] = ()
    """Paths of lists whose order does not matter, dotted from the argument down (D14)."""

    @classmethod
    def of(cls, invocation: Invocation) -> Self:
        """The gold call of a verified invocation."""
        return cls(tool=invocation.tool, arguments=invocation.arguments)
