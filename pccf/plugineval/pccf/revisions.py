"""A person's correction of one case: other gold calls, another label without any call, or the case taken out.

A correction is no proof: revised gold counts only after it passed the schema and was executed, like any other.
"""

from typing import Literal, Self

from pydantic import Field, model_validator

from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.values import Value

NoCall = Literal["tool_unnecessary", "target_irrelevant", "underspecified"]
"""The label shapes without a call (P6)."""


class Revision(Value):
    """What is done to one case, and why. Exactly one of `gold`, `label` and `remove` says what."""

    case: str
    reason: str = Field(min_length=1)
    by: str = ""
    """Who says so, as they want to be named in the changelog."""
    gold: tuple[Invocation, ...] = ()
    ordered: bool | None = None
    """Whether the gold calls must come in this order; None leaves it as it is."""
    label: NoCall | None = None
    remove: bool = False

    @model_validator(mode="after")
    def _says_one_thing(self) -> Self:
        said = [name for name in ("gold", "label", "remove") if getattr(self, name)]
        if len(said) != 1:
            problem = f"says {' and '.join(said)}" if said else "says nothing that is to be done"
            raise InvalidRecordError(problem, field=f"case {self.case}", allowed=("gold", "label", "remove"))
        return self

    @property
    def author(self) -> str:
        """Who stands for it in records."""
        return f"person:{self.by}" if self.by else "person"
