"""What there is to tell of a schedule: when it comes next, whether it could start, and what came of the last time.

Whoever was told of a next time may rely on it: the listing is a look like any other, and the first one is noted.
"""

from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import AwareDatetime

from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.values import Value
from plugineval.server.jobs.drift_note import DriftNote
from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome
from plugineval.server.schedules.checking import obstacle_of
from plugineval.server.schedules.claims import ScheduleClaims, ScheduleState
from plugineval.server.schedules.times import next_due
from plugineval.server.settings.schedules import Schedule
from plugineval.server.store.states import JobState
from plugineval.server.workspace import Workspace

if TYPE_CHECKING:
    from plugineval.server.store.store import Store


class LastTime(Value):
    """The last time that was taken."""

    due: AwareDatetime
    job_id: str | None = None
    run_id: str | None = None
    state: JobState | None = None
    error: str = ""
    drift: DriftNote | None = None


class ScheduleCard(Value):
    """One schedule."""

    name: str
    subject: str
    rhythm: str
    next_due: AwareDatetime
    problem: str = ""
    """Why it cannot start, as things are; empty where it can."""
    last: LastTime | None = None


async def cards_of(workspace: Workspace, now: datetime) -> tuple[ScheduleCard, ...]:
    """Of the settings, in their order."""
    return tuple([await _card(workspace, schedule, now) for schedule in workspace.settings.schedules])


async def _card(workspace: Workspace, schedule: Schedule, now: datetime) -> ScheduleCard:
    store = await workspace.store()
    state = await ScheduleClaims(store).seen(schedule.name, now)
    return ScheduleCard(
        name=schedule.name,
        subject=schedule.subject,
        rhythm=schedule.rhythm,
        next_due=next_due(schedule, state.seen_at, now),
        problem=str(await obstacle_of(workspace, schedule) or ""),
        last=None if state.due is None else await _last(store, state, state.due),
    )


async def _last(store: "Store", state: ScheduleState, due: datetime) -> LastTime:
    if state.job_id is None or state.run_id is None:
        return LastTime(due=due, error=state.error)
    try:
        job = await store.jobs.get(state.job_id)
    except UnknownNameError:
        return LastTime(due=due, run_id=state.run_id, error=state.error)
    ended = job.state is JobState.COMPLETED
    drift = EvaluationOutcome.model_validate(job.result).drift if ended else None
    said = {"job_id": job.id, "run_id": state.run_id, "state": job.state, "error": job.error or "", "drift": drift}
    return LastTime.model_validate({"due": due, **said})
