"""What a model's tokens cost, as a person wrote it down: `prices` of a `[models.NAME]` table."""

from collections.abc import Mapping

from pydantic import Field

from plugineval.clients.models.usage import Tokens, tokens_of
from plugineval.pccf.spending import Spent
from plugineval.pccf.values import Json, Value

_PER = 1_000_000


class Prices(Value):
    """US dollars per million tokens; 0 for a model that costs nothing."""

    input_per_million: float = Field(ge=0, allow_inf_nan=False)
    output_per_million: float = Field(ge=0, allow_inf_nan=False)

    def cost(self, usage: Mapping[str, Json] | None) -> float | None:
        """Dollars of one answer; None where its usage does not say how many tokens it took."""
        tokens = tokens_of(usage)
        return None if tokens is None else self.cost_of(*tokens)

    def cost_of(self, input_tokens: float, output_tokens: float) -> float:
        """Dollars of so many tokens."""
        return (input_tokens * self.input_per_million + output_tokens * self.output_per_million) / _PER


def spent_on(usage: Mapping[str, Json] | None, prices: Prices | None) -> Spent:
    """What one answered call cost: no known price, or no usage, is an unknown cost and not a cost of 0."""
    tokens = tokens_of(usage) or Tokens(0, 0)
    cost = None if prices is None else prices.cost(usage)
    return Spent(calls=1, input_tokens=tokens.input, output_tokens=tokens.output, cost=cost)
