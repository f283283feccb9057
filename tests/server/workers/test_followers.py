"""Who follows work of workers finds it again after a kill, and hears of a missing worker only where one is missing."""

import os
from datetime import UTC, datetime, timedelta

import pytest

from doubles.fleet import Asked, Fleet
from plugineval.server.app.job_cards import card_of
from plugineval.server.cli.session import BEGUN_WITHIN, waits_for_worker
from plugineval.server.store.states import Engine, JobState
from plugineval.server.store.summaries import Job

CELLS = 120


def _job(*, age: timedelta, idle: timedelta, engine: Engine = "workers") -> Job:
    now = datetime.now(UTC)
    none: dict[str, object] = {
        "result": None,
        "error": None,
        "cancel_requested": False,
        "owner_pid": None,
        "heartbeat_at": None,
    }
    at = {"created_at": now - age, "updated_at": now - idle, "engine": engine}
    made: dict[str, object] = {
        "id": "j",
        "kind": "evaluate",
        "params": {},
        "state": JobState.QUEUED,
        "done": 0,
        "total": None,
    }
    return Job.model_validate({**made, "message": "", **none, **at})


@pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX")
def test_the_last_work_is_also_a_run_that_goes_on_without_its_follower(fleet: Fleet, asked: Asked) -> None:
    fleet.worker()
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: asked.questions.total() > 0.2 * CELLS, run)
    run.kill()
    outcome = fleet.ended(fleet.resume("--last"))
    assert (outcome["rows"], outcome["errors"], asked.repeats) == (CELLS, {}, 0)
    fleet.waited(run)


def test_a_job_waits_for_a_worker_since_it_was_put_on_the_queue_and_not_since_it_was_made() -> None:
    long = BEGUN_WITHIN * 2
    assert waits_for_worker(_job(age=long, idle=long))
    assert not waits_for_worker(_job(age=long, idle=timedelta()))
    assert not waits_for_worker(_job(age=long, idle=long, engine="here"))


def test_a_job_on_the_queue_needs_no_resume_to_begin() -> None:
    queued, mine = (card_of(_job(age=BEGUN_WITHIN, idle=BEGUN_WITHIN, engine=engine)) for engine in _ENGINES)
    assert "job_get" in queued.next_step
    assert "job_resume" not in queued.next_step
    assert "job_resume" in mine.next_step


_ENGINES: tuple[Engine, Engine] = ("workers", "here")
