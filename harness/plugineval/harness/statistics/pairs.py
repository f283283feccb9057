"""Two arms on the same cases: the exact McNemar test, over cases and not over attempts (D11).

With one repeat this is McNemar's exact test. With several, a case counts for the arm that is right in more of its
repeats, ties count for neither: the exact sign test over cases, which repeats cannot make more certain than it is.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from math import comb, exp, fsum, lgamma, log, sqrt
from typing import NamedTuple

from plugineval.harness.statistics.case_results import CaseResults, Mark

_COUNTED_EXACTLY = 1000
_NEGLIGIBLE = 1e-17


class Discordance(NamedTuple):
    """Cases by which arm did better."""

    first: int
    second: int
    cases: int
    """All common cases, those without a difference included."""

    @property
    def total(self) -> int:
        """Cases on which the two differ."""
        return self.first + self.second


class PairedCases:
    """Per common case: hits of the first, hits of the second, attempts of each."""

    def __init__(self, triples: Iterable[tuple[tuple[int, int, int], int]]) -> None:
        self._triples: Counter[tuple[int, int, int]] = Counter()
        for triple, cases in triples:
            self._triples[triple] += cases

    @classmethod
    def of(cls, common: CaseResults, first: int, second: int, hit: Callable[[Mark], bool]) -> "PairedCases":
        """The pairs of two arms of results that are on common rows already."""
        tries = common.tries(hit)
        words: Counter[tuple[str, str]] = Counter()
        for pattern, cases in common.patterns.items():
            words[pattern.words[first], pattern.words[second]] += cases
        return cls(((tries[a][0], tries[b][0], tries[a][1]), cases) for (a, b), cases in words.items())

    @property
    def discordance(self) -> Discordance:
        """How many cases speak for which."""
        first = sum(cases for (a, b, _), cases in self._triples.items() if a > b)
        second = sum(cases for (a, b, _), cases in self._triples.items() if a < b)
        return Discordance(first, second, self._triples.total())

    @property
    def correlation(self) -> float:
        """Pearson's, of the two shares of a case; 0 where one of them never varies."""
        shares = [(a / m, b / m, cases) for (a, b, m), cases in self._triples.items() if m]
        total = sum(cases for *_, cases in shares)
        if not total:
            return 0.0
        # `fsum`, here and in the clusters: a number must not hang on the order in which rows came.
        mean_a = fsum(a * cases for a, _, cases in shares) / total
        mean_b = fsum(b * cases for _, b, cases in shares) / total
        product = fsum(cases * (a - mean_a) * (b - mean_b) for a, b, cases in shares)
        size = sqrt(
            fsum(cases * (a - mean_a) ** 2 for a, _, cases in shares)
            * fsum(cases * (b - mean_b) ** 2 for _, b, cases in shares)
        )
        return max(-1.0, min(1.0, product / size)) if size > 1e-12 else 0.0


def exact_mcnemar(first: int, second: int, *, enough: float = 1.0) -> float:
    """Two-sided p of `first` against `second` discordant cases, each with chance 1/2 under no difference.

    Of a p that is at least `enough`, only that much may be told.

    The lower tail of the binomial distribution, summed from its largest term downwards for as long as a term counts;
    scipy's `bdtr` is the same, and loading it would cost every report more than all of its tests.
    """
    if first == second:
        return 1.0
    total, lesser = first + second, min(first, second)
    term = tail = _largest_term(lesser, total)
    # The sum only grows: once there is enough of it, what is left cannot change the answer.
    while lesser and term > tail * _NEGLIGIBLE and 2 * tail < enough:
        term *= lesser / (total - lesser + 1)
        tail += term
        lesser -= 1
    return min(1.0, 2 * tail)


def _largest_term(lesser: int, total: int) -> float:
    """The chance of exactly `lesser` of `total`; beyond a thousand, where whole numbers grow long, by logarithms."""
    if total <= _COUNTED_EXACTLY:
        return comb(total, lesser) / (1 << total)
    return exp(lgamma(total + 1) - lgamma(lesser + 1) - lgamma(total - lesser + 1) - total * log(2))


def holm(values: Sequence[float]) -> tuple[float, ...]:
    """Holm's (1979) step-down correction of p values that are looked at together, in the order given."""
    adjusted = [1.0] * len(values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(values)), key=values.__getitem__)):
        highest = max(highest, min(1.0, (len(values) - rank) * values[index]))
        adjusted[index] = highest
    return tuple(adjusted)
