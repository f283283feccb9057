"""A run at an endpoint that fails in every way it can: nothing is lost or doubled, and every row says what broke."""

import signal
import sqlite3
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from doubles.cli import Called, addition, cases_file, endpoint, obedient, plugineval, started
from doubles.faults import KINDS, Faults, floor_s
from doubles.openai_server import Reply, refusal
from plugineval.clients.models.patience import FIRST_WAIT_S

CELLS = 200
CONCURRENCY = 64
TIMEOUT_S = 1.0
SHARES = {"rate": 0.2, "error status": 0.1, "malformed": 0.05, "dropped": 0.05}
CAUSES = {
    "error status": "provider_error",
    "overloaded": "provider_error",
    "rate": "rate_limited",
    "rate until": "rate_limited",
    "malformed": "malformed",
    "error in answer": "error_in_answer",
    "no choices": "no_choices",
    "other shape": "bad_response",
    "dropped": "dropped",
    "cut": "cut_short",
    "hang": "timeout",
    "length": "truncated",
    "filter": "content_filter",
    "refused": "request_refused",
    "key": "access_denied",
    "model": "unknown_model",
}


def settings(folder: Path, base_url: str, **values: object) -> Path:
    path = folder / "plugineval.toml"
    lines = [f'[models.m]\nbase_url = "{base_url}"\nmodel = "m"\nconcurrency = {CONCURRENCY}']
    path.write_text("\n".join([*lines, *(f"{name} = {value}" for name, value in values.items())]))
    return path


def evaluated(folder: Path, cells: int, *words: object) -> Called:
    cases = cases_file(folder, (addition(f"c{number}", number) for number in range(cells)))
    run = ("--model", "m", "--repeats", 1, "--concurrency", CONCURRENCY)
    return plugineval("evaluate", cases, *run, *words, *places(folder))


def places(folder: Path) -> tuple[object, ...]:
    return ("--config", folder / "plugineval.toml", "--home", folder / "home", "--json")


def rows_of(folder: Path, run: str) -> Iterator[tuple[str, str | None]]:
    """Case and exclusion of every stored row."""
    with sqlite3.connect(next((folder / "home").glob("*.db"))) as store:
        yield from store.execute("select case_id, exclusion from graded where run_id = ?", (run,))


@pytest.mark.requirement("E3", "X11")
def test_every_way_to_fail_is_excluded_under_its_own_cause_and_told_in_the_report(tmp_path: Path) -> None:
    faults = Faults(answer=obedient, always={f"case c{n}:": kind for n, kind in enumerate(KINDS)})
    with endpoint(faults) as server:
        settings(tmp_path, server.base_url, max_retries=0, timeout_s=0.3)
        called = evaluated(tmp_path, len(KINDS) + 1)
    counted = dict.fromkeys(CAUSES.values(), 0)
    for kind in KINDS:
        counted[CAUSES[kind]] += 1
    run = called.printed["run_id"]
    assert (called.code, called.printed["rows"], called.printed["errors"]) == (3, len(KINDS) + 1, counted)
    assert called.printed["models"][0]["outcomes"]["correct"] == 1
    report = plugineval("report", run, "--home", tmp_path / "home").out
    assert all(cause in report for cause in CAUSES.values())
    # What the model itself ended is an answer; everything else is asked for again.
    unanswered = len(KINDS) - 2
    assert f"{unanswered} of {len(KINDS) + 1} rows were never answered" in called.err


@pytest.mark.requirement("E3")
def test_a_run_through_faults_loses_no_row_doubles_none_and_takes_what_the_faults_cost(tmp_path: Path) -> None:
    faults = Faults(answer=obedient, shares=SHARES, always={"case c7:": "hang"})
    with endpoint(faults) as server:
        settings(tmp_path, server.base_url, timeout_s=TIMEOUT_S, max_retries=3)
        called = evaluated(tmp_path, CELLS)
        printed, run = called.printed, called.printed["run_id"]
        rows = list(rows_of(tmp_path, run))
        asked = len(server.requests)
        costs = {"rate": 0.1, "hang": TIMEOUT_S + FIRST_WAIT_S}
        floor = floor_s(faults.tries.values(), costs, backoff_s=FIRST_WAIT_S, concurrency=CONCURRENCY)
        faults.shares, faults.always = {}, {}
        resumed = plugineval("resume", run, *places(tmp_path))
    assert (printed["rows"], len(rows), len({case for case, _ in rows})) == (CELLS, CELLS, CELLS)
    assert printed["errors"]["timeout"] == 1
    assert set(printed["errors"]) <= set(CAUSES.values())
    assert printed["load"]["m"]["tries"] == asked
    assert printed["load"]["m"]["refused"] == sum(met.count("rate") for met in faults.tries.values())
    assert (resumed.code, resumed.printed["rows"], resumed.printed["errors"]) == (0, CELLS, {})
    assert set(faults.paid.values()) == {1}
    assert len(faults.paid) == CELLS
    assert printed["seconds"] <= 1.5 * floor + 1, f"{printed['seconds']} s, {floor:.1f} s of faults"


@pytest.mark.requirement("E3")
def test_what_calls_waited_for_is_told_in_the_notes_of_the_report(tmp_path: Path) -> None:
    faults = Faults(answer=obedient, shares={"rate": 0.5})
    with endpoint(faults) as server:
        settings(tmp_path, server.base_url)
        called = evaluated(tmp_path, 20)
    notes = plugineval("report", called.printed["run_id"], *places(tmp_path)).printed["run"]["notes"]
    assert any(note.startswith("Load of m's endpoint: ") and "refused" in note for note in notes)


def test_a_run_that_waits_for_its_endpoint_is_stopped_at_once(tmp_path: Path) -> None:
    def busy(_: object) -> Reply:
        return refusal(429, "later", headers=[("retry-after", "120")])

    with endpoint(busy) as server:
        settings(tmp_path, server.base_url)
        cases = cases_file(tmp_path, [addition("c0", 0)])
        process = started("evaluate", cases, "--model", "m", "--repeats", 1, *places(tmp_path))
        while not server.requests:
            assert process.poll() is None
            time.sleep(0.02)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=30)
        assert (process.returncode, time.monotonic() - began < 5) == (130, True)
