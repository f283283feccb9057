"""What a comparison of two calls found: differences, and agreements that only a lossless coercion made."""

from enum import StrEnum
from typing import NamedTuple

from plugineval.pccf.values import Json


class DifferenceKind(StrEnum):
    """How one argument departs from gold."""

    ABSENT = "absent"
    """Gold has it, the prediction does not."""
    SURPLUS = "surplus"
    """The prediction has it, gold does not, and it is not the schema's default (D13)."""
    VALUE = "value"
    UNREADABLE = "unreadable"
    """The arguments as a whole could not be read."""
    COERCED = "coerced"
    """No difference: equal after a lossless coercion, for the strict view (D14)."""


class Difference(NamedTuple):
    """One finding. `path` is dotted from the argument down (`traveller.seat`, `tags[2]`)."""

    path: str
    kind: DifferenceKind
    gold: Json = None
    predicted: Json = None
    format: str = ""
    """The schema's `format` of the value, where it names one."""


class Comparison(NamedTuple):
    """The findings for one pair of calls."""

    differences: tuple[Difference, ...] = ()
    coerced: tuple[str, ...] = ()
    """Paths of the values that agreed by coercion."""

    @property
    def equal(self) -> bool:
        """Whether the two calls mean the same."""
        return not self.differences

    @classmethod
    def of(cls, findings: list[Difference]) -> "Comparison":
        """Findings, split into differences and coercions."""
        return cls(
            differences=tuple(f for f in findings if f.kind is not DifferenceKind.COERCED),
            coerced=tuple(f.path for f in findings if f.kind is DifferenceKind.COERCED),
        )
