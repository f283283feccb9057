"""How a judge is asked: how often again, whether in both orders, and what a disagreement leads to."""

from typing import Literal

from pydantic import Field

from plugineval.pccf.values import Value


class JudgeConfig(Value):
    """The numbers of judging, printed in the report."""

    retries: int = Field(default=2, ge=0, le=10)
    """How often an answer that cannot be read is asked for again, with the problem told."""
    both_orders: bool = False
    """Ask twice, gold first and predicted first; the disagreement rate is a measure of the judge."""
    on_disagreement: Literal["failure", "third_vote"] = "failure"
    timeout_s: float | None = Field(default=300.0, gt=0)
    """Of one vote, its retries included; None: the model bounds itself, or waits for a person's agent."""
