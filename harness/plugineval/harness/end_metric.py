"""The end metric apart from the tool call (B21): a right call is no solved task, and a solved task no right call."""

from collections import Counter

from plugineval.harness.outcomes import Confusion, GradedRow
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value


class EndRates(Value):
    """One model: both rates on the rows that have both, and where they part."""

    end: Rate
    call: Rate
    call_only: int
    """The call was right and the end was not reached."""
    end_only: int
    """The end was reached although the call was not right."""


class EndMetric(Value):
    """A metric of the whole application, measured outside and laid beside the calls."""

    name: str
    meaning: str
    models: dict[str, EndRates]


class EndTally:
    """Counts rows for which the end result is known; rows without a verdict on the call are left out."""

    def __init__(self, name: str, meaning: str) -> None:
        self._name = name
        self._meaning = meaning
        self._counts: Counter[tuple[str, bool, bool]] = Counter()
        self._repeats = 1

    def add(self, row: GradedRow, *, reached: bool) -> None:
        """Count one row whose end was `reached` or not."""
        if row.confusion is not None:
            self._repeats = max(self._repeats, row.repeat + 1)
            self._counts[row.model, row.confusion in {Confusion.TP, Confusion.TN}, reached] += 1

    def result(self) -> EndMetric:
        """Both metrics, side by side."""
        models = dict.fromkeys(model for model, _, _ in self._counts)
        return EndMetric(name=self._name, meaning=self._meaning, models={m: self._rates(m) for m in models})

    def _rates(self, model: str) -> EndRates:
        both, call_only = self._counts[model, True, True], self._counts[model, True, False]
        end_only = self._counts[model, False, True]
        total = both + call_only + end_only + self._counts[model, False, False]
        return EndRates(
            end=Rate.of(both + end_only, total, repeats=self._repeats),
            call=Rate.of(both + call_only, total, repeats=self._repeats),
            call_only=call_only,
            end_only=end_only,
        )
