"""What became of the gold of a run's cases since: another gold, a case that is gone, and cases that came to them.

Only the first two say that something was counted wrongly; a benchmark that grew measures more than the run did.
"""

from collections.abc import Iterable

from plugineval.harness.cases import Case
from plugineval.harness.scope import gold_print
from plugineval.pccf.values import Value

SHOWN = 3
"""Cases that are named; of the others the number is told."""


class GoldChanges(Value):
    """The cases of today beside those of a run, by their ids."""

    revised: tuple[str, ...] = ()
    """Cases that count something else as right."""
    gone: tuple[str, ...] = ()
    added: int = 0

    @property
    def revised_told(self) -> str:
        """Which gold is another one."""
        return f"of {_named(self.revised)}" if self.revised else ""

    @property
    def cases_told(self) -> str:
        """Which cases came and went."""
        gone = f"gone since: {_named(self.gone)}" if self.gone else ""
        added = f"added since: {self.added}" if self.added else ""
        return "; ".join(filter(None, (gone, added)))


def gold_changes(then: Iterable[Case], now: Iterable[Case]) -> GoldChanges:
    """What is different `now`; ids that both have and that count the same as right are no change."""
    before, today = ({case.id: gold_print(case) for case in cases} for cases in (then, now))
    return GoldChanges(
        revised=tuple(name for name, found in before.items() if today.get(name, found) != found),
        gone=tuple(name for name in before if name not in today),
        added=len(today.keys() - before.keys()),
    )


def _named(ids: tuple[str, ...]) -> str:
    more = len(ids) - SHOWN
    return ", ".join(ids[:SHOWN]) + (f" and {more} more" if more > 0 else "")
