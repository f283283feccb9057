"""How often and how soon a plugin that failed is started again: exponential backoff, then a rest.

A failure is a start that did not succeed or a connection that ended without a single answer.
"""

from pydantic import Field

from plugineval.pccf.values import Value


class RestartSchedule(Value):
    """Delays in seconds; `give_up_after` failures in a row lead to a rest in which every call is refused at once."""

    first_s: float = Field(default=0.1, ge=0)
    factor: float = Field(default=3.0, ge=1)
    longest_s: float = Field(default=5.0, ge=0)
    give_up_after: int = Field(default=5, ge=1)
    rest_s: float = Field(default=30.0, ge=0)

    def delay_s(self, failures: int) -> float:
        """How long after the latest of `failures` failures in a row the next start may be."""
        if failures <= 0:
            return 0.0
        if failures >= self.give_up_after:
            return self.rest_s
        return min(self.longest_s, self.first_s * self.factor ** (failures - 1))
