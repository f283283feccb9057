"""Which due times were taken, and by which job: of all processes that look at a schedule, one gets each time.

The id of the job is written with the claim, before the job is: a process that dies in between leaves a claim that
another one makes good.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from pydantic import AwareDatetime

from plugineval.pccf.values import Value
from plugineval.server.schedules.times import last_due
from plugineval.server.settings.schedules import Schedule

if TYPE_CHECKING:
    from plugineval.server.store.agreements import Agreed
    from plugineval.server.store.store import Store

PLANNED_IN = timedelta(minutes=5)
"""A claim whose job is not there after that long is another's to make good."""


class ScheduleState(Value):
    """What is known of a schedule."""

    seen_at: AwareDatetime
    """Before that nothing was missed."""
    due: AwareDatetime | None = None
    """The last time that was taken."""
    claimed_at: AwareDatetime | None = None
    job_id: str | None = None
    run_id: str | None = None
    """Of that time; None where it was not planned yet, or could not be."""
    error: str = ""
    """Why it could not be planned."""
    baseline: str | None = None
    """The first run that the schedule made."""


class Claim(NamedTuple):
    """A time that is this process's to start, as `job_id`."""

    due: datetime
    job_id: str


class ScheduleClaims:
    """The claims on one store."""

    def __init__(self, store: "Store") -> None:
        self._agreements = store.agreements

    async def take(self, schedule: Schedule, now: datetime, job_id: str) -> Claim | None:
        """The newest due time, if nobody has taken it; the first look at a schedule only notes when that was."""

        def step(found: "Agreed") -> tuple[str, Claim | None]:
            state, claim = claimed(_read(found.body), schedule, now, job_id)
            return state.model_dump_json(), claim

        return await self._agreements.change(_name(schedule.name), step)

    async def state(self, name: str) -> ScheduleState | None:
        """What is known of a schedule; None where nobody has looked at it."""
        return _read((await self._agreements.read(_name(name))).body)

    async def seen(self, name: str, now: datetime) -> ScheduleState:
        """What is known of a schedule; where nobody has looked at it, this is the first look."""

        def step(found: "Agreed") -> tuple[str, ScheduleState]:
            state = _read(found.body) or ScheduleState(seen_at=now)
            return found.body or state.model_dump_json(), state

        known = await self.state(name)
        return known if known is not None else await self._agreements.change(_name(name), step)

    async def planned(self, name: str, claim: Claim, run_id: str) -> None:
        """The run of a claim is stored."""
        await self._note(name, claim, {"run_id": run_id})

    async def failed(self, name: str, claim: Claim, error: str) -> None:
        """It cannot be: the next time is another chance."""
        await self._note(name, claim, {"error": error})

    async def _note(self, name: str, claim: Claim, fields: dict[str, str]) -> None:
        def step(found: "Agreed") -> tuple[str, None]:
            state = _read(found.body)
            if state is None or state.job_id != claim.job_id:
                return found.body, None
            kept = {} if state.baseline or "run_id" not in fields else {"baseline": fields["run_id"]}
            return state.model_copy(update={**fields, **kept}).model_dump_json(), None

        await self._agreements.change(_name(name), step)


def claimed(
    state: ScheduleState | None, schedule: Schedule, now: datetime, job_id: str
) -> tuple[ScheduleState, Claim | None]:
    """The state after a look at `now`, and the claim that came of it."""
    if state is None:
        return ScheduleState(seen_at=now), None
    due = last_due(schedule, state.seen_at, now)
    if due is not None and (state.due is None or due > state.due):
        fresh = {"due": due, "claimed_at": now, "job_id": job_id, "run_id": None, "error": ""}
        return state.model_copy(update=fresh), Claim(due, job_id)
    abandoned = state.run_id is None and not state.error and state.claimed_at is not None
    if abandoned and state.due and state.job_id and now - (state.claimed_at or now) > PLANNED_IN:
        return state.model_copy(update={"claimed_at": now}), Claim(state.due, state.job_id)
    return state, None


def _read(body: str) -> ScheduleState | None:
    return ScheduleState.model_validate_json(body) if body else None


def _name(schedule: str) -> str:
    return f"schedule {schedule}"
