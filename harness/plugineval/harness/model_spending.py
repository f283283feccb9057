"""What a model's answers cost, counted as its rows pass: tokens, money, and money per row that it got right.

A cost is known only where the provider told tokens and a person wrote down a price; a sum says of how many rows.
"""

from plugineval.harness.row_facts import Cost
from plugineval.pccf.values import Value


class ModelSpending(Value):
    """One model over all its rows of the published descriptions, those without a verdict included."""

    rows: int
    correct: int
    """Rows with the outcome `correct`."""
    calls: int
    input_tokens: int | None
    output_tokens: int | None
    """Both of the `counted_rows`; None where there is none."""
    counted_rows: int
    """Rows whose tokens are known: those whose provider told them, and those that asked no provider."""
    cost: float | None
    """US dollars of the `priced_rows`; None where there is none."""
    priced_rows: int
    """Rows whose cost is known."""
    per_correct: float | None
    """`cost` / `correct`; None where either is nothing."""


class SpendingTally:
    """Takes the rows of one model, once each, in any order."""

    def __init__(self) -> None:
        self._rows = self._correct = self._counted = self._priced = 0
        self._calls = self._input_tokens = self._output_tokens = 0
        self._cost = 0.0

    def count(self, cost: Cost | None, *, correct: bool) -> None:
        """Count one row; `cost` None says that nothing is known of it."""
        self._rows += 1
        self._correct += correct
        if cost is not None:
            calls, input_tokens, output_tokens, dollars = cost
            self._counted += input_tokens + output_tokens > 0 or calls == 0
            self._calls += calls
            self._input_tokens += input_tokens
            self._output_tokens += output_tokens
            if dollars is not None:
                self._priced += 1
                self._cost += dollars

    def result(self) -> ModelSpending:
        """The sums so far."""
        cost = self._cost if self._priced else None
        return ModelSpending(
            rows=self._rows,
            correct=self._correct,
            calls=self._calls,
            input_tokens=self._input_tokens if self._counted else None,
            output_tokens=self._output_tokens if self._counted else None,
            counted_rows=self._counted,
            cost=cost,
            priced_rows=self._priced,
            per_correct=None if cost is None or not self._correct else cost / self._correct,
        )
