"""What a generator may answer: a whole invocation, an abstention, or something that cannot be read.

Proposals are judged whole (P11) and arguments are an unconstrained assignment (P10): they may violate the schema.
An unreadable answer is refused as such; it is never executed as an empty call and never counted as an abstention.
"""

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from plugineval.pccf.values import Arguments, Value


class Invocation(Value):
    """A call theta of the tool that a model sees as `tool`."""

    kind: Literal["invocation"] = "invocation"
    tool: str
    arguments: Arguments = {}


class Abstention(Value):
    """⊥: no call, because required information is missing or the capability is not there."""

    kind: Literal["abstention"] = "abstention"
    reason: str = ""
    missing: tuple[str, ...] = ()
    """Names of required arguments that the query does not determine."""


class Unreadable(Value):
    """An answer that is neither: the raw text and why it could not be read."""

    kind: Literal["unreadable"] = "unreadable"
    raw: str
    problem: str


Proposal: TypeAlias = Annotated[Invocation | Abstention | Unreadable, Field(discriminator="kind")]
