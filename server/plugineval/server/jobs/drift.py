"""A stored run against an older one, read from their reports and rows: nothing is measured and nothing is graded."""

from typing import TYPE_CHECKING

from plugineval.harness.drift import Drift, Drifting
from plugineval.harness.gradings import FIRST
from plugineval.harness.report import Report
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.jobs.reading import read_report

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


async def drift_between(store: "Store", old: str, new: str) -> Drift:
    """What moved from `old` to `new`, each a run or one grading of a run.

    `ConfigurationError` where both are the same, or share no model under test: floors never move; `IncompleteError`
    for a run without a report.
    """
    before, after = await read_report(store, old), await read_report(store, new)
    if (before.run.id, _grading(before)) == (after.run.id, _grading(after)):
        problem = f"{old!r} and {new!r} are the same run"
        raise ConfigurationError(problem, field="drift", next_step="name an older and a newer run")
    drifting = Drifting(before, after)
    async for row in await store.attempts.rows(before.run.id, _grading(before)):
        drifting.add_old(row)
    async for row in await store.attempts.rows(after.run.id, _grading(after)):
        drifting.add_new(row)
    found = drifting.result()
    if not found.models:
        raise _nothing_shared(_under_test(before), _under_test(after))
    return found


def _nothing_shared(before: list[str], after: list[str]) -> ConfigurationError:
    if not before:
        which = "the older run" if after else "both runs"
        problem, step = f"{which} measured floors only; nothing to compare", "measure a model, and repeat that run"
    else:
        problem = "no model under test was measured by both runs"
        step = "measure one of the older run's models again"
    return ConfigurationError(problem, field="drift", allowed=before, next_step=step)


def _under_test(report: Report) -> list[str]:
    return [model.id for model in report.models if model.floor is None]


def _grading(report: Report) -> str:
    return report.grading.id if report.grading else FIRST
