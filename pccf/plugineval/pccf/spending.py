"""What an answer cost: calls, tokens, money. It travels inside every role's answer, so that a replay adds up the same.

Unknown is not nothing: a price that nobody stated leaves `cost` None, and so does every sum it is part of.
"""

from collections.abc import Iterable
from typing import Self

from pydantic import Field

from plugineval.pccf.values import Value


class Spent(Value):
    """Calls of models and plugins, tokens as their providers counted them, and money in US dollars."""

    calls: int = Field(default=0, ge=0)
    """Answers that a provider was asked for; tries that were repeated for an outage are not in it."""
    input_tokens: int = Field(default=0, ge=0)
    output_tokens: int = Field(default=0, ge=0)
    cost: float | None = Field(default=0.0, ge=0)
    """None: at least one call has no known price."""

    @property
    def tokens(self) -> int:
        """Input and output."""
        return self.input_tokens + self.output_tokens

    def __add__(self, other: "Spent") -> "Spent":
        """Both together."""
        return Spent(
            calls=self.calls + other.calls,
            input_tokens=self.input_tokens + other.input_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost=None if self.cost is None or other.cost is None else self.cost + other.cost,
        )

    @classmethod
    def total(cls, parts: Iterable["Spent | None"]) -> Self:
        """The sum of what there is; None counts as nothing."""
        found = cls()
        for part in parts:
            if part is not None:
                found = cls.model_validate((found + part).model_dump())
        return found
