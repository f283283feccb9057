"""The two headline rates and the one way to take a share of a tally (P49)."""

from collections.abc import Callable

from plugineval.harness.outcomes import Confusion
from plugineval.harness.tally import Cell, Tally
from plugineval.harness.uncertainty import Rate


def share(tally: Tally, hit: Callable[[Cell], bool], among: Callable[[Cell], bool], repeats: int) -> Rate:
    """Rows that are `among` and `hit`, of the rows that are `among`."""
    inside = tally.where(among)
    return Rate.of(inside.count(hit), inside.count(), repeats=repeats)


def recall_of(tally: Tally, repeats: int) -> Rate:
    """TP / (TP + FN)."""
    return share(tally, lambda cell: cell.verdict.confusion is Confusion.TP, lambda cell: cell.positive, repeats)


def specificity_of(tally: Tally, repeats: int) -> Rate:
    """TN / (TN + FP): negatives on which nothing forbidden was called."""
    return share(tally, lambda cell: cell.verdict.confusion is Confusion.TN, lambda cell: cell.negative, repeats)


def accuracy_of(tally: Tally, repeats: int) -> Rate:
    """(TP + TN) / (TP + FN + TN + FP)."""
    right = {Confusion.TP, Confusion.TN}
    return share(
        tally, lambda cell: cell.verdict.confusion in right, lambda cell: cell.verdict.confusion is not None, repeats
    )
