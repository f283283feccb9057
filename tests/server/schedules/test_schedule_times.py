"""When a schedule is due: in its time zone, once for all that was missed, and never for what was before it was seen."""

from datetime import UTC, datetime, timedelta

import pytest

from plugineval.server.schedules.claims import PLANNED_IN, Claim, ScheduleState, claimed
from plugineval.server.schedules.times import last_due, next_due
from plugineval.server.settings.schedules import Schedule

pytestmark = pytest.mark.requirement("B27")

SEEN = datetime(2026, 3, 27, 12, 0, tzinfo=UTC)
NIGHTLY = Schedule(name="nightly", run="run-a", cron="30 3 * * *", time_zone="Europe/Berlin")
TWICE = Schedule(name="twice", run="run-a", every="12h")


def at(day: int, hour: int, minute: int = 0) -> datetime:
    return datetime(2026, 3, day, hour, minute, tzinfo=UTC)


@pytest.mark.parametrize(
    ("now", "last", "following"),
    [
        (at(27, 13), None, at(28, 2, 30)),
        (at(28, 2, 29), None, at(28, 2, 30)),
        (at(28, 2, 30), at(28, 2, 30), at(29, 1, 30)),
        # The clocks go forward in the night of the 29th.
        (at(29, 1, 30), at(29, 1, 30), at(30, 1, 30)),
        (at(31, 9), at(31, 1, 30), datetime(2026, 4, 1, 1, 30, tzinfo=UTC)),
    ],
)
def test_a_cron_expression_is_read_in_its_time_zone(now: datetime, last: datetime | None, following: datetime) -> None:
    assert last_due(NIGHTLY, SEEN, now) == last
    assert next_due(NIGHTLY, SEEN, now) == following


def test_an_interval_counts_from_when_the_schedule_was_first_seen() -> None:
    assert last_due(TWICE, SEEN, at(27, 23, 59)) is None
    assert last_due(TWICE, SEEN, at(28, 0)) == at(28, 0)
    assert last_due(TWICE, SEEN, at(30, 7)) == at(30, 0)
    assert next_due(TWICE, SEEN, at(30, 7)) == at(30, 12)


def test_what_was_missed_is_made_up_for_once() -> None:
    state, nothing = claimed(None, TWICE, SEEN, "job-0")
    assert (state, nothing) == (ScheduleState(seen_at=SEEN), None)
    state, claim = claimed(state, TWICE, SEEN + timedelta(days=10, hours=1), "job-1")
    assert claim == Claim(SEEN + timedelta(days=10), "job-1")
    state = state.model_copy(update={"run_id": "run-b"})
    state, again = claimed(state, TWICE, SEEN + timedelta(days=10, hours=2), "job-2")
    assert again is None
    _, claim = claimed(state, TWICE, SEEN + timedelta(days=10, hours=12), "job-3")
    assert claim == Claim(SEEN + timedelta(days=10, hours=12), "job-3")


def test_a_clock_that_goes_behind_takes_no_time_twice() -> None:
    state, _ = claimed(None, TWICE, SEEN, "job-0")
    state, _ = claimed(state, TWICE, SEEN + timedelta(hours=36), "job-1")
    state = state.model_copy(update={"run_id": "run-b"})
    assert claimed(state, TWICE, SEEN + timedelta(hours=25), "job-2") == (state, None)


def test_a_claim_whose_process_died_before_its_job_was_there_is_made_good_by_one_other() -> None:
    state, _ = claimed(None, TWICE, SEEN, "job-0")
    due = SEEN + timedelta(hours=12)
    state, _ = claimed(state, TWICE, due, "job-1")
    assert claimed(state, TWICE, due + PLANNED_IN, "job-2")[1] is None
    later = due + PLANNED_IN + timedelta(seconds=1)
    state, claim = claimed(state, TWICE, later, "job-2")
    assert claim == Claim(due, "job-1")
    assert claimed(state, TWICE, later, "job-3")[1] is None


def test_a_claim_that_was_planned_or_could_not_be_is_nobodys_any_more() -> None:
    state = ScheduleState(seen_at=SEEN, due=SEEN, claimed_at=SEEN, job_id="job-1")
    later = SEEN + timedelta(hours=11)
    for fields in ({"run_id": "run-a"}, {"error": "no key"}):
        assert claimed(state.model_copy(update=fields), TWICE, later, "job-2")[1] is None
