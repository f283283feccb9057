"""The end of a run: what is written once all its rows are there, by whoever measured them."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

from plugineval.harness.cases import Case
from plugineval.harness.gradings import Grading
from plugineval.harness.report import Report
from plugineval.harness.run import RunInfo
from plugineval.pccf.config import BuildLimits
from plugineval.server.jobs.context import JobContext
from plugineval.server.jobs.drift_note import drift_note
from plugineval.server.jobs.evaluate_report import keep_report
from plugineval.server.jobs.params import EvaluateParams
from plugineval.server.sharing.budgeted import COUNTED
from plugineval.server.sharing.run_budget import limit_told

if TYPE_CHECKING:
    from plugineval.server.store.summaries import OutcomeCount

LIMITED = "Hard limits: at most "
_UNITS = {"calls": "calls", "tokens": "tokens", "cost": "dollars", "minutes": "minutes of work"}


class EndedRun(NamedTuple):
    """A run, and what is known of it now that all its rows are there."""

    info: RunInfo
    cases: Sequence[Case]
    prompt_hashes: Mapping[str, str]
    notes: Sequence[str]
    """On top of those it began with."""
    grading: Grading
    """Its own, with what came of grading."""


async def finish_run(context: JobContext, ended: EndedRun) -> "tuple[Report, Sequence[OutcomeCount]]":
    """Write its end, make and keep its report, and say so; the report, and its rows counted."""
    store, info = context.store, ended.info
    changes = {"finished_at": datetime.now(UTC), "prompt_hashes": dict(ended.prompt_hashes)}
    before = (note for note in info.notes if not note.startswith(LIMITED))
    finished = info.model_copy(update={**changes, "notes": (*before, *ended.notes)})
    await store.runs.finish(finished)
    report = await keep_report(store, finished, ended.cases, ended.grading)
    for kind in ("runs", "reports"):
        await context.workspace.announce(f"plugineval://{kind}/{info.id}")
    return report, await store.attempts.outcomes(info.id)


def limit_notes(limits: BuildLimits) -> tuple[str, ...]:
    """Which hard limits a run had, and what they count, for its report; those before a higher one are forgotten."""
    said = [f"{value:,} {_UNITS[name]}" for name, value in limits if value is not None]
    return (f"{LIMITED}{', '.join(said)}, {COUNTED}",) if said else ()


async def told_beside(context: JobContext, params: EvaluateParams) -> dict[str, object]:
    """What an outcome holds that no row tells: lines refused, what moved since the baseline, the limit reached."""
    return {
        "refused_cases": params.refused_cases,
        "drift": await drift_note(context.store, params.baseline, params.run_id),
        "limit": await limit_told(context.store, context.job_id, params.limits),
    }
