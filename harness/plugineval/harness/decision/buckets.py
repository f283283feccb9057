"""Where the failed attempts ended: the outcomes of all models under test on the rows they share (B10, B17)."""

from collections import Counter
from collections.abc import Sequence

from plugineval.harness.outcomes import Outcome
from plugineval.harness.statistics.case_results import CaseResults, Mark
from plugineval.harness.statistics.clusters import Clusters, clustered_rate
from plugineval.harness.uncertainty import Rate
from plugineval.pccf.values import Value


class Buckets(Value):
    """Failed attempts by outcome, over all models under test."""

    failures: int
    failed_cases: int
    """Cases on which any model failed in any repeat."""
    counts: dict[Outcome, int]
    """Every outcome but `correct`, commonest first."""
    share: Rate
    """The commonest outcome's share of the failures; its interval is clustered by case."""

    @property
    def dominant(self) -> Outcome | None:
        """The commonest outcome of a failed attempt; None without failures."""
        return next(iter(self.counts), None) if self.failures else None


def buckets_of(common: CaseResults) -> Buckets:
    """The failures of all arms of results that are on common rows."""
    counts: Counter[Outcome] = Counter({outcome: 0 for outcome in Outcome if outcome is not Outcome.CORRECT})
    for index in range(len(common.arms)):
        for marks, cases in common.marginal(index).items():
            for outcome in _failed([mark for mark in marks if mark is not None]):
                counts[outcome] += cases
    ordered = dict(sorted(counts.items(), key=lambda item: -item[1]))
    leading = next(iter(ordered))
    clusters = _clusters(common, leading)
    return Buckets(
        failures=counts.total(),
        failed_cases=sum(clusters.values()),
        counts=ordered,
        share=clustered_rate(clusters),
    )


def _clusters(common: CaseResults, leading: Outcome) -> Clusters:
    found: Counter[tuple[int, int]] = Counter()
    failures = common.per_word(_failed)
    led = common.per_word(lambda marks: _failed(marks).count(leading))
    for pattern, cases in common.patterns.items():
        failed = sum([len(failures[word]) for word in pattern.words])
        if failed:
            found[sum([led[word] for word in pattern.words]), failed] += cases
    return found


def _failed(marks: Sequence[Mark]) -> list[Outcome]:
    return [mark.outcome for mark in marks if mark.outcome is not None and mark.outcome is not Outcome.CORRECT]
