"""The noise floor: how far a share moves when nothing changes but the run (B7). Less than that is no difference."""

from collections.abc import Callable, Iterator

from plugineval.harness.statistics.case_results import CaseResults, Mark


def noise_of(common: CaseResults, index: int, hit: Callable[[Mark], bool]) -> float | None:
    """Largest minus smallest share of hits over the repeats of one arm; None with fewer than two repeats."""
    shares = list(repeat_shares(common, index, hit))
    return max(shares) - min(shares) if len(shares) > 1 else None


def repeat_shares(common: CaseResults, index: int, hit: Callable[[Mark], bool]) -> Iterator[float]:
    """The share of hits in every repeat that has verdicts."""
    marginal = common.marginal(index)
    for repeat in range(max(map(len, marginal), default=0)):
        rows = hits = 0
        for marks, cases in marginal.items():
            mark = marks[repeat] if repeat < len(marks) else None
            if mark is not None:
                rows += cases
                hits += cases * hit(mark)
        if rows:
            yield hits / rows
