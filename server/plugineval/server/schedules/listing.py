"""What there is to tell of a schedule: when it comes next, and what came of the last time."""

from datetime import datetime
from typing import TYPE_CHECKING

from pydantic import AwareDatetime

from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.values import Value
from plugineval.server.jobs.drift_note import DriftNote
from plugineval.server.jobs.evaluation_outcome import EvaluationOutcome
from plugineval.server.schedules.claims import ScheduleClaims, ScheduleState
from plugineval.server.schedules.times import next_due
from plugineval.server.settings.schedules import Schedule
from plugineval.server.store.states import JobState

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
    last: LastTime | None = None


async def cards_of(store: "Store", schedules: tuple[Schedule, ...], now: datetime) -> tuple[ScheduleCard, ...]:
    """In the order of the settings."""
    claims = ScheduleClaims(store)
    return tuple([await _card(store, schedule, await claims.state(schedule.name), now) for schedule in schedules])


async def _card(store: "Store", schedule: Schedule, state: ScheduleState | None, now: datetime) -> ScheduleCard:
    return ScheduleCard(
        name=schedule.name,
        subject=schedule.subject,
        rhythm=schedule.rhythm,
        next_due=next_due(schedule, now if state is None else state.seen_at, now),
        last=None if state is None or state.due is None else await _last(store, state, state.due),
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
