"""Commands that are stopped in the middle: what they say, what they leave behind, and how they go on."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil
import pytest

from doubles.cli import addition, cases_file, endpoint, obedient, plugineval, started
from doubles.openai_server import Document, OpenAIServer, Reply
from doubles.plugins import registering

CASES, ANSWERED, IN_FLIGHT = 60, 20, 4

pytestmark = [
    pytest.mark.skipif(os.name != "posix", reason="signals as they are on POSIX"),
    pytest.mark.requirement("X3"),
]


class Stuck:
    """Answers the first calls, then none: the run stands still with all its calls in flight."""

    def __init__(self) -> None:
        self.full = threading.Event()
        self._asked = 0

    def __call__(self, request: Document) -> Reply:
        self._asked += 1
        if self._asked >= ANSWERED + IN_FLIGHT:
            self.full.set()
        return obedient(request) if self._asked <= ANSWERED else Reply(manner="hang")


@contextmanager
def stuck_run(folder: Path) -> Generator[tuple[OpenAIServer, list[object], subprocess.Popen[str]]]:
    """An evaluation that stands still: its endpoint, the options that find it again, its process."""
    path = cases_file(folder, [addition(f"c{number}", number) for number in range(CASES)])
    places: list[object] = ["--home", folder / "home"]
    stuck = Stuck()
    with endpoint(stuck) as server:
        options = ("--model", "openai:m", "--base-url", server.base_url, "--repeats", 1, "--concurrency", IN_FLIGHT)
        process = started("evaluate", path, *options, *places, "--json")
        try:
            assert stuck.full.wait(30)
            yield server, places, process
        finally:
            process.kill()
            process.communicate()


def resumed(server: OpenAIServer, which: object, places: list[object]) -> tuple[dict[str, Any], int]:
    """What the resumed run printed, and how many calls it made."""
    server.answer = obedient
    asked = len(server.requests)
    called = plugineval("resume", which, *places, "--json")
    assert called.code == 0, called.err
    return called.printed, len(server.requests) - asked


def test_who_cannot_wait_for_the_end_sees_no_trace_and_loses_nothing(tmp_path: Path) -> None:
    with stuck_run(tmp_path) as (server, places, process):
        process.send_signal(signal.SIGINT)
        # In the midst of the closing; whether everything is closed by then is all the same.
        time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        _, err = process.communicate(timeout=30)
        assert process.returncode in (-signal.SIGINT, 130)
        assert "Traceback" not in err
        printed, calls = resumed(server, "--last", places)
    assert (printed["rows"], printed["errors"]) == (CASES, {})
    assert calls <= CASES - ANSWERED + IN_FLIGHT


def test_kill_9_loses_no_row_and_repeats_no_answered_call(tmp_path: Path) -> None:
    with stuck_run(tmp_path) as (server, places, process):
        process.kill()
        process.communicate()
        printed, calls = resumed(server, "--last", places)
    assert (printed["rows"], printed["errors"]) == (CASES, {})
    assert printed["models"][0]["confusion"]["TP"] == CASES
    assert calls <= CASES - ANSWERED + IN_FLIGHT
    assert calls + printed["calls_replayed"] == CASES


@pytest.mark.parametrize(("signum", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_run_says_how_to_go_on(tmp_path: Path, signum: signal.Signals, code: int) -> None:
    with stuck_run(tmp_path) as (server, places, process):
        process.send_signal(signum)
        out, err = process.communicate(timeout=30)
        assert process.returncode == code
        error = json.loads(out)["error"]
        assert (error["exit_code"], error["kind"]) == (code, "StoppedError")
        started, said = err.splitlines()
        assert (started, error["job_id"] in started) == (f"Measuring: job {error['job_id']}", True)
        assert "resume" in said
        database = sqlite3.connect(tmp_path / "home" / "plugineval.db")
        ((job, state),) = database.execute("SELECT id, state FROM jobs").fetchall()
        database.close()
        assert state == "interrupted"
        assert f"plugineval resume {job} --home {tmp_path / 'home'}" in error["next_step"]
        printed, calls = resumed(server, job, places)
    assert (printed["rows"], calls) == (CASES, CASES - ANSWERED)


@pytest.mark.parametrize("signum", [signal.SIGINT, signal.SIGTERM])
def test_a_stopped_build_leaves_no_plugin_behind(tmp_path: Path, signum: signal.Signals) -> None:
    settings = tmp_path / "plugineval.toml"
    script = Path(registering.HERE) / "unruly.py"
    arguments = json.dumps(["-S", str(script), "--hang"])
    settings.write_text(f"[plugins.slow]\ncommand = {json.dumps(sys.executable)}\nargs = {arguments}\n")
    build = ("build", "--plugin", "slow", "--name", "b", "--config", settings, "--home", tmp_path / "home")
    process = started(*build)
    family = waited_for(lambda: children_of(process.pid, str(script)))
    process.send_signal(signum)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 128 + signum
    assert "Next: run `plugineval resume " in err
    _, alive = psutil.wait_procs(family, timeout=10)
    assert alive == []


def children_of(pid: int, script: str) -> list[psutil.Process]:
    """All descendants, once the plugin is among them."""
    found = psutil.Process(pid).children(recursive=True)
    return found if any(script in each.cmdline() for each in found) else []


def waited_for(look: Callable[[], list[psutil.Process]]) -> list[psutil.Process]:
    """What `look` finds, as soon as it finds something."""
    limit = threading.Event()
    for _ in range(600):
        if found := look():
            return found
        limit.wait(0.05)
    raise AssertionError("the plugin was not started")


def test_nothing_interrupted_is_said_and_finished_work_is_left_alone(tmp_path: Path) -> None:
    path = cases_file(tmp_path, [addition("c", 1)])
    places = ("--home", tmp_path / "home", "--json")
    plugineval("evaluate", path, "--model", "degenerate:never-call", "--repeats", 1, *places)
    last = plugineval("resume", "--last", *places)
    assert (last.code, last.error["problem"]) == (2, "no job was interrupted or failed, and none left rows unanswered")
    unknown = plugineval("resume", "run-none", *places)
    assert (unknown.code, unknown.error["field"]) == (2, "job or run")
    neither = plugineval("resume", *places)
    assert neither.error["allowed"] == ["RUN_OR_JOB", "--last"]
