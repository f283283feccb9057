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

    `ConfigurationError` where both are the same, or share no model under test; `IncompleteError` for a run without a
    report.
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
        raise ConfigurationError(
            "no model under test was measured by both runs",
            field="drift",
            allowed=[model.id for model in before.models if model.floor is None],
            next_step="measure one of the older run's models again",
        )
    return found


def _grading(report: Report) -> str:
    return report.grading.id if report.grading else FIRST
