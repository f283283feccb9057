"""A worker without the key of a model leaves what needs it to others, names the variable, and fails nothing."""

import os
from pathlib import Path
from typing import Any

import pytest

from doubles.fleet import Asked, Fleet
from doubles.forks import Fork

pytestmark = [pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX")]

CELLS = 40
KEY = "KEY_THAT_NOBODY_HAS"


def unable(fleet: Fleet) -> Fork:
    """A worker that knows the model and has no key of it; those after it need none."""
    fleet.models["m"] = f'api_key_env = "{KEY}"'
    worker = fleet.worker()
    fleet.models["m"] = ""
    return worker


def told(fleet: Fleet, worker: Fork, run: Fork) -> str:
    """Why it leaves the work to others, once whoever waits for the run has heard of it."""
    fleet.until(lambda: bool(fleet.heard(worker, "refused")), run)
    fleet.until(lambda: KEY in fleet.rows("select message from jobs")[0][0], run)
    fleet.until(lambda: "no worker takes" in run.err.read_text() and KEY in run.err.read_text(), run)
    (reason,) = {each["reason"] for each in fleet.heard(worker, "refused")}
    return str(reason)


def test_shards_of_a_model_are_left_to_a_worker_with_its_key(fleet: Fleet, asked: Asked) -> None:
    worker = unable(fleet)
    run = fleet.evaluate(CELLS)
    assert f"the environment variable {KEY} is not set" in told(fleet, worker, run)
    fleet.worker()
    outcome = fleet.ended(run)
    assert (outcome["rows"], outcome["errors"], set(fleet.asked_by())) == (CELLS, {}, {"w1"})


def test_why_each_worker_leaves_it_to_others_is_kept_and_shown(fleet: Fleet, asked: Asked) -> None:
    keyless, ignorant = unable(fleet), fleet.worker(model=False)
    run = fleet.evaluate(CELLS)
    told(fleet, keyless, run)
    fleet.until(lambda: bool(fleet.heard(ignorant, "refused")), run)
    message = "select message from jobs"
    fleet.until(lambda: all(f":{worker.pid}: " in fleet.rows(message)[0][0] for worker in fleet.workers), run)
    (listed,) = fleet.runs()
    kept = listed["progress"]["troubles"]["notes"]
    names = {worker.pid: kept_by(kept, worker) for worker in fleet.workers}
    assert (KEY in names[keyless.pid], "no model" in names[ignorant.pid]) == (True, True), kept
    fleet.worker()
    outcome = fleet.ended(run)
    assert {note["what"] for note in outcome["troubles"]["notes"]} == {"refused"}
    assert len(outcome["troubles"]["notes"]) == len(fleet.workers) - 1
    assert f":{keyless.pid} refused m (" in run.err.read_text()


def kept_by(notes: list[dict[str, Any]], worker: Fork) -> str:
    """The reason of a worker, with its moment."""
    (note,) = [note for note in notes if note["worker"].endswith(f":{worker.pid}")]
    assert (note["model"], note["first_at"] <= note["last_at"]) == ("m", True)
    return str(note["reason"])


def test_a_build_is_left_to_a_worker_with_the_keys_of_its_roles(fleet: Fleet, asked: Asked, tmp_path: Path) -> None:
    fleet.builds(tmp_path, concurrency=4)
    worker = unable(fleet)
    run = fleet.build(4)
    assert f"the environment variable {KEY} is not set" in told(fleet, worker, run)
    assert fleet.rows("select state from jobs") == [("queued",)]
    fleet.worker()
    assert fleet.ended(run)["accepted"] > 0
    assert set(fleet.asked_by()) == {"w1"}
