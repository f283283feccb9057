"""What a comparison of two calls found: differences, open doubts, and agreements that took a rule or a coercion.

Every finding names the rule that made it. Values that are the same to the letter leave none.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple

from plugineval.harness.equivalence.nodes import Node
from plugineval.harness.parameter_subtypes import ParameterSubtype
from plugineval.harness.questions import JudgedValue
from plugineval.pccf.values import Json


class FindingKind(StrEnum):
    """How one argument departs from gold."""

    ABSENT = "absent"
    """Gold has it, the prediction does not."""
    SURPLUS = "surplus"
    """The prediction has it, gold does not, and it is not the schema's default (D13)."""
    VALUE = "value"
    UNREADABLE = "unreadable"
    """The arguments as a whole could not be read."""
    UNSURE = "unsure"
    """No rule proves it either way."""
    COERCED = "coerced"
    """Equal after a lossless coercion, for the strict view (D14)."""
    AGREED = "agreed"
    """Equal by a rule, although not to the letter."""


class Finding(NamedTuple):
    """One finding. `path` is dotted from the argument down (`traveller.seat`, `tags[2]`)."""

    path: str
    kind: FindingKind
    gold: Json = None
    predicted: Json = None
    rule: str = ""
    reason: str = ""
    temporal: bool = False
    """The rule itself says that time differs; where it does not, names and formats decide the subtype."""
    node: Node | None = None
    subtype: ParameterSubtype | None = None
    """Of a difference, where a judge or a check said it."""

    @property
    def format(self) -> str:
        """The schema's `format` of the value, where it names one."""
        return self.node.format if self.node else ""


class Comparison(NamedTuple):
    """The findings for one pair of calls, by what they mean for the verdict."""

    differences: tuple[Finding, ...] = ()
    unsure: tuple[Finding, ...] = ()
    coerced: tuple[Finding, ...] = ()
    agreed: tuple[Finding, ...] = ()
    failed: tuple[Finding, ...] = ()
    """Doubts that a judge was asked about and could not settle."""
    judged: tuple[JudgedValue, ...] = ()
    """What a judge was asked about this pair of calls."""
    crashed: str = ""
    """What broke in a semantic check of the user."""

    @property
    def equal(self) -> bool:
        """Whether the two calls are proven to mean the same."""
        return not (self.differences or self.unsure or self.failed or self.crashed)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All of them."""
        return (*self.differences, *self.unsure, *self.failed, *self.coerced, *self.agreed)

    @property
    def cost(self) -> tuple[int, ...]:
        """Lexicographic, smaller is closer: is it different, is it open, how many of each, how many coercions."""
        different, unsettled = len(self.differences), len(self.unsure) + len(self.failed) + bool(self.crashed)
        return (different > 0, unsettled > 0, different, unsettled, len(self.coerced))

    @classmethod
    def of(cls, findings: Iterable[Finding]) -> "Comparison":
        """Findings, split."""
        found = tuple(findings)
        if not found:
            return AGREED
        if len(found) == 1:
            return _alone(found, found[0].kind)
        if _PARTS.isdisjoint([finding.kind for finding in found]):
            return cls(found)
        unsure, coerced, agreed = (tuple(each for each in found if each.kind is kind) for kind in _PARTED)
        return cls(tuple(each for each in found if each.kind not in _PARTS), unsure, coerced, agreed)


def _alone(found: tuple[Finding, ...], kind: FindingKind) -> Comparison:
    """One finding, which is what most calls with any have."""
    if kind not in _PARTS:
        return Comparison(found)
    if kind is FindingKind.UNSURE:
        return Comparison((), found)
    return Comparison((), (), found) if kind is FindingKind.COERCED else Comparison((), (), (), found)


_PARTED = (FindingKind.UNSURE, FindingKind.COERCED, FindingKind.AGREED)
_PARTS = frozenset(_PARTED)
AGREED = Comparison()
