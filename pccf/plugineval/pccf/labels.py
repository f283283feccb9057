"""The annotation y = (l1, l2, theta*): exactly four shapes (P5, P6), the others cannot be written down (P7).

l1 says whether the query needs any tool, l2 whether the target tool supports what is asked, theta* is the gold
invocation or ⊥. Where l1 = 0, l2 = 0 means "not assessed".
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.invocations import Abstention, Invocation
from plugineval.pccf.values import Value


class ToolUnnecessary(Value):
    """(0, 0, ⊥): the query needs no tool."""

    shape: Literal["tool_unnecessary"] = "tool_unnecessary"
    levels: Literal["00"] = "00"


class TargetIrrelevant(Value):
    """(1, 0, ⊥): a tool is needed, but the target does not support the request."""

    shape: Literal["target_irrelevant"] = "target_irrelevant"
    levels: Literal["10"] = "10"


class Underspecified(Value):
    """(1, 1, ⊥): the target fits, but the query does not determine its required arguments."""

    shape: Literal["underspecified"] = "underspecified"
    levels: Literal["11"] = "11"
    missing: tuple[str, ...] = ()


class ValidInvocation(Value):
    """(1, 1, theta): the target fits and theta is the verified gold call."""

    shape: Literal["valid_invocation"] = "valid_invocation"
    levels: Literal["11"] = "11"
    gold: Invocation


Label: TypeAlias = Annotated[
    ToolUnnecessary | TargetIrrelevant | Underspecified | ValidInvocation, Field(discriminator="shape")
]


def label_of(l1: int, l2: int, theta: Invocation | Abstention | None) -> Label:
    """The label (l1, l2, theta); `InvalidRecordError` for any combination outside the four shapes."""
    invocation = theta if isinstance(theta, Invocation) else None
    match (l1, l2, invocation):
        case (0, 0, None):
            return ToolUnnecessary()
        case (1, 0, None):
            return TargetIrrelevant()
        case (1, 1, None):
            return Underspecified(missing=theta.missing if isinstance(theta, Abstention) else ())
        case (1, 1, Invocation() as gold):
            return ValidInvocation(gold=gold)
        case _:
            pass
    raise InvalidRecordError(
        f"({l1}, {l2}, {'theta' if invocation else '⊥'}) is not a label",
        field="label",
        allowed=("(0,0,⊥)", "(1,0,⊥)", "(1,1,⊥)", "(1,1,theta)"),
    )


def gold_of(label: Label) -> Invocation | Abstention:
    """theta*: the gold invocation, or an abstention for the three other shapes."""
    if isinstance(label, ValidInvocation):
        return label.gold
    return Abstention(missing=label.missing if isinstance(label, Underspecified) else ())
