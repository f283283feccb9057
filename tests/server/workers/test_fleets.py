"""Workers are killed, paused, told to leave and left without a model: every cell is measured once all the same."""

import json
import os
import signal
from pathlib import Path
from typing import Any

import pytest

from doubles.cli import plugineval
from doubles.fleet import ALL, Asked, Fleet
from doubles.postgres import Postgres

pytestmark = [pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX")]

CELLS, IN_FLIGHT = 240, 4


def whole(fleet: Fleet, outcome: dict[str, Any], asked: Asked, *, repeats: int = 0, cells: int = CELLS) -> None:
    """Every cell is there once, rightly, and no more was paid for than could be in flight."""
    counts = "select count(*), count(distinct case_id), min(outcome), max(outcome) from graded where run_id = :run"
    assert fleet.rows(counts, run=outcome["run_id"]) == [(cells, cells, "correct", "correct")]
    assert fleet.rows("select count(*) from reports where run_id = :run", run=outcome["run_id"]) == [(1,)]
    assert (len(asked.questions), asked.repeats <= repeats) == (cells, True), asked.repeats
    assert fleet.rows("select distinct state from shards") == [("done",)]


def test_two_workers_share_a_run_and_nothing_is_asked_twice(fleet: Fleet, asked: Asked) -> None:
    workers = [fleet.worker(), fleet.worker()]
    outcome = fleet.ended(fleet.evaluate(CELLS))
    whole(fleet, outcome, asked)
    assert (outcome["rows"], outcome["calls"], outcome["calls_replayed"]) == (CELLS, CELLS, 0)
    shares = fleet.asked_by()
    assert max(shares.values()) <= 0.75 * CELLS
    assert [fleet.end(worker).code for worker in workers] == [0, 0]


@pytest.mark.requirement("X3")
def test_the_shards_of_a_killed_worker_are_taken_over(fleet: Fleet, asked: Asked) -> None:
    _, doomed = fleet.worker(), fleet.worker()
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: asked.questions.total() > 0.4 * CELLS, run)
    doomed.kill()
    whole(fleet, fleet.ended(run), asked, repeats=IN_FLIGHT)


def test_a_worker_that_wakes_up_from_a_long_sleep_asks_nothing_and_changes_nothing(fleet: Fleet, asked: Asked) -> None:
    _, sleeper = fleet.worker(), fleet.worker()
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: asked.questions.total() > 0.4 * CELLS, run)
    os.kill(sleeper.pid, signal.SIGSTOP)
    outcome = fleet.ended(run)
    by_the_sleeper = fleet.asked_by()["w1"]
    kept = fleet.rows("select model, case_id, at, body from attempts order by case_id")
    os.kill(sleeper.pid, signal.SIGCONT)
    fleet.until(lambda: len(fleet.heard(sleeper, "lost")) > 0)
    assert fleet.asked_by()["w1"] == by_the_sleeper
    ((noted,),) = fleet.rows("select body from agreements where name like 'troubles %'")
    assert {(note["what"], note["model"]) for note in json.loads(noted)["notes"]} == {("lost", "m")}
    assert fleet.rows("select model, case_id, at, body from attempts order by case_id") == kept
    whole(fleet, outcome, asked, repeats=IN_FLIGHT)
    # It is as good as any other afterwards.
    fleet.end(fleet.workers[0])
    asked.questions.clear()
    whole(fleet, fleet.ended(fleet.evaluate(60)), asked, cells=60)


def test_a_worker_that_is_told_to_leave_finishes_its_calls_and_others_go_on(fleet: Fleet, asked: Asked) -> None:
    _, leaving = fleet.worker(), fleet.worker()
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: asked.questions.total() > 0.4 * CELLS, run)
    assert fleet.end(leaving).code == 0
    assert fleet.heard(leaving, "gave_back")
    whole(fleet, fleet.ended(run), asked)


def test_ctrl_c_stops_a_run_for_all_workers_and_resume_goes_on(fleet: Fleet, asked: Asked) -> None:
    workers = [fleet.worker(), fleet.worker()]
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: asked.questions.total() > 0.3 * CELLS, run)
    stopped = fleet.end(run, signal.SIGINT)
    assert stopped.code == 128 + signal.SIGINT
    assert "resume" in json.loads(stopped.out)["error"]["next_step"]
    fleet.until(lambda: fleet.rows("select count(*) from shards where state = 'running'") == [(0,)])
    so_far = asked.questions.total()
    assert so_far < CELLS
    outcome = fleet.ended(fleet.resume())
    whole(fleet, outcome, asked, repeats=IN_FLIGHT * len(workers))


def test_a_follower_that_is_killed_leaves_the_run_to_the_workers(fleet: Fleet, asked: Asked) -> None:
    fleet.worker()
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: asked.questions.total() > 0.2 * CELLS, run)
    job_id = fleet.rows("select id from jobs")[0][0]
    run.kill()
    whole(fleet, fleet.ended(fleet.resume(job_id)), asked)


def test_a_worker_without_the_model_says_so_and_leaves_it_to_others(fleet: Fleet, asked: Asked) -> None:
    unable = fleet.worker(model=False)
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: bool(fleet.heard(unable, "refused")), run)
    (told,) = {each["reason"] for each in fleet.heard(unable, "refused")}
    assert "unknown model" in told.lower() or "no model" in told.lower(), told
    fleet.until(lambda: "no worker takes the rest" in fleet.rows("select message from jobs")[0][0], run)
    fleet.until(lambda: "no worker takes the rest" in run.err.read_text(), run)
    fleet.worker()
    outcome = fleet.ended(run)
    whole(fleet, outcome, asked)
    assert set(fleet.asked_by()) == {"w1"}


def test_the_report_is_that_of_one_process(fleet: Fleet, tmp_path: Path) -> None:
    fleet.worker()
    fleet.worker()
    spread, alone = fleet.ended(fleet.evaluate(CELLS)), fleet.ended(fleet.evaluate(CELLS, "--no-preflight"))
    differing = {"run_id", "report_uri", "seconds", "load", "preflight", "grading"}
    assert {name: value for name, value in spread.items() if name not in differing} == {
        name: value for name, value in alone.items() if name not in differing
    }


@pytest.mark.requirement("B27")
def test_a_run_is_measured_again_by_workers_and_compared(fleet: Fleet, asked: Asked) -> None:
    fleet.worker()
    fleet.worker()
    first = fleet.ended(fleet.evaluate(CELLS))
    before = fleet.asked_by()
    again = fleet.ended(fleet.rerun(first["run_id"], *ALL))
    assert (again["rows"], again["drift"]["moved"], again["drift"]["baseline"]) == (CELLS, False, first["run_id"])
    assert set((fleet.asked_by() - before).keys()) == {"w0", "w1"}
    assert fleet.waited(fleet.rerun(first["run_id"], *ALL, "--max-calls", 10)).code == 3


def test_what_is_no_server_is_refused_with_a_next_step(tmp_path: Path) -> None:
    for words in (("worker",), ("evaluate", "nothing.jsonl", "--workers", "--model", "m"), ("rerun", "r", "--workers")):
        called = plugineval(*words, "--home", tmp_path / "home", "--json")
        assert called.code == 2
        assert "PostgreSQL" in called.error["problem"]
        assert "[store] url" in called.error["next_step"]


def test_a_run_that_no_worker_begins_says_what_it_waits_for(fleet: Fleet) -> None:
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: "plugineval worker" in run.err.read_text(), run)
    (listed,) = fleet.runs()
    assert (listed["progress"]["engine"], listed["progress"]["done"]) == ("workers", 0)
    run.kill()


def test_a_database_server_that_crashes_and_comes_back_costs_no_cell(
    fleet: Fleet, asked: Asked, postgres: Postgres
) -> None:
    fleet.worker()
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: asked.questions.total() > 0.3 * CELLS, run)
    postgres.kill()
    postgres.start()
    whole(fleet, fleet.ended(run), asked, repeats=IN_FLIGHT)
    assert fleet.end(fleet.workers[0]).code == 0


def test_cancelling_over_the_store_ends_a_run_for_every_worker(fleet: Fleet, asked: Asked) -> None:
    fleet.worker()
    fleet.worker()
    run = fleet.evaluate(CELLS)
    fleet.until(lambda: asked.questions.total() > 0.3 * CELLS, run)
    fleet.change("update jobs set cancel_requested = true")
    ended = fleet.waited(run)
    assert (ended.code, "cancelled" in ended.out) == (3, True), ended
    fleet.until(lambda: fleet.rows("select count(*) from shards where state = 'running'") == [(0,)])
    assert asked.questions.total() < CELLS
    assert fleet.rows("select state from runs") == [("cancelled",)]
