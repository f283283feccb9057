"""Limits of a build at the command line: it stops cleanly, keeps everything, and goes on when it is let go further."""

import json
import signal
import sqlite3
import time
from pathlib import Path
from typing import get_args

import pytest

from doubles.cli import Called, plugineval, started
from journeys.conftest import COUNTING, counting_home
from plugineval.pccf.metering import LimitReached
from plugineval.server.raising_limits import RAISED_BY

pytestmark = pytest.mark.requirement("P35", "X3")

LIMIT = 60


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return counting_home(tmp_path / "home").path


def build(home: Path, *options: object) -> Called:
    return plugineval("build", "--plugin", "counting", "--name", "n", "--size", 12, "--home", home, *options)


def executions(home: Path) -> int:
    return len((home / "calls.txt").read_text().splitlines())


def listed(home: Path) -> list[dict[str, object]]:
    lines: list[dict[str, object]] = plugineval("benchmarks", "--home", home, "--json").printed["benchmarks"]
    return lines


def journaled(home: Path) -> int:
    with sqlite3.connect(home / "plugineval.db") as connection:
        query = "select count(*) from calls where stage not in ('meter', 'snapshot')"
        return int(connection.execute(query).fetchone()[0])


def begun(home: Path) -> int:
    """Calls in the journal of a process that may not have made it yet."""
    try:
        return journaled(home)
    except sqlite3.OperationalError:
        return 0


def test_every_limit_that_can_end_a_build_has_an_option_that_raises_it() -> None:
    assert RAISED_BY.keys() == {*get_args(LimitReached)}


def test_a_limit_of_calls_stops_a_build_with_everything_that_was_verified(home: Path) -> None:
    called = build(home, "--max-calls", LIMIT, "--json")
    assert called.code == 0, called.err
    built = called.printed
    assert built["stop_reason"] == "call_limit"
    assert f"{LIMIT} calls were allowed" in built["stopped"]
    assert built["spending"]["spent"]["calls"] == LIMIT == journaled(home)
    assert 0 < built["examples"] < 12
    assert f"n: {built['examples']} of 12 examples, ended by call_limit" in plugineval("benchmarks", "--home", home).out
    (line,) = listed(home)
    assert line["construction"] == {"size": 12, "stop_reason": "call_limit"}
    assert "a limit ended its construction" in plugineval("card", "n", "--home", home).out
    measured = plugineval("evaluate", "n", "--model", "baseline:lexical", "--repeats", 1, "--home", home, "--json")
    assert measured.printed["rows"] == built["examples"]


def test_a_build_that_a_limit_ended_goes_on_and_repeats_nothing(home: Path, tmp_path: Path) -> None:
    first = build(home, "--max-calls", LIMIT)
    offered = next(line for line in first.out.splitlines() if line.startswith("More of it: "))
    job = offered.partition(" resume ")[2].split()[0]
    assert "--max-calls N" in offered
    more = plugineval("resume", job, "--max-calls", 100_000, "--home", home, "--json").printed
    assert more["stop_reason"] not in ("call_limit", "")
    assert more["calls_replayed"] >= LIMIT
    assert more["spending"]["spent"]["calls"] == journaled(home) > LIMIT

    whole = tmp_path / "whole"
    whole.mkdir()
    (whole / "plugineval.toml").write_text((home / "plugineval.toml").read_text().replace(str(home), str(whole)))
    at_once = build(whole, "--max-calls", 100_000, "--json").printed
    assert at_once["spending"]["spent"] == more["spending"]["spent"]
    assert executions(whole) == executions(home)
    assert [at_once[name] for name in ("examples", "coverage", "rejected")] == [
        more[name] for name in ("examples", "coverage", "rejected")
    ]
    assert more["undecided"] == 0
    with sqlite3.connect(home / "plugineval.db") as connection:
        query = "select count(*) from records where verdict = 'undecided' and benchmark_id = ?"
        assert connection.execute(query, (more["benchmark_id"],)).fetchone()[0] == 0
    complete = listed(whole)[0]["content_hash"]
    versions = {line["id"]: line for line in listed(home)}
    assert versions[more["benchmark_id"]]["content_hash"] == complete


def test_the_last_work_with_something_left_is_a_build_that_a_limit_ended_where_a_higher_one_is_said(home: Path) -> None:
    limited = build(home, "--max-calls", LIMIT, "--json").printed
    silent = plugineval("resume", "--last", "--home", home, "--json")
    assert silent.code == 2
    assert f"build {limited['job_id']} was ended by a limit: say a higher one" in silent.error["problem"]
    more = plugineval("resume", "--last", "--max-calls", 2 * LIMIT, "--home", home, "--json").printed
    assert (more["job_id"], more["calls_replayed"] >= LIMIT) == (limited["job_id"], True)


def test_the_last_work_with_something_left_is_a_build_that_failed_and_whose_plugin_was_mended(home: Path) -> None:
    settings = home / "plugineval.toml"
    good = settings.read_text()
    settings.write_text(good.replace(str(COUNTING), str(COUNTING) + ".gone"))
    failed = build(home, "--json")
    assert failed.code not in (0, 3)
    settings.write_text(good)
    assert plugineval("resume", "--last", "--home", home, "--json").printed["examples"] == 12


def test_work_that_was_interrupted_comes_before_a_slip_in_a_later_command(home: Path) -> None:
    settings = home / "plugineval.toml"
    good = settings.read_text()
    settings.write_text(good.replace("env = {", 'env = {DELAY = "0.3", '))
    process = started("build", "--plugin", "counting", "--name", "n", "--size", 12, "--home", home)
    assert process.stderr is not None
    job = process.stderr.readline().split()[-1]
    while process.poll() is None and begun(home) < LIMIT / 4:
        pass
    process.kill()
    process.communicate()
    settings.write_text(good.replace(str(COUNTING), str(COUNTING) + ".gone"))
    assert build(home, "--json").code == 2
    settings.write_text(good)
    resumed = plugineval("resume", "--last", "--home", home, "--json")
    assert resumed.printed["job_id"] == job
    assert f"Going on with build {job}, interrupted." in resumed.err
    later = plugineval("resume", "--last", "--home", home, "--json")
    assert later.printed["job_id"] != job
    assert ", failed." in later.err


def test_what_a_limit_ended_is_never_changed_and_going_on_makes_the_next_version(home: Path) -> None:
    limited = build(home, "--max-calls", LIMIT, "--json").printed
    plugineval("evaluate", "n", "--model", "baseline:lexical", "--repeats", 1, "--home", home)
    first = {line["id"]: line for line in listed(home)}
    assert (LIMIT, limited["benchmark_id"]) == (limited["spending"]["spent"]["calls"], *first)
    further = plugineval("resume", limited["job_id"], "--max-calls", 2 * LIMIT, "--home", home, "--json").printed
    assert further["stop_reason"] == "call_limit"
    assert "a limit ended its construction" in plugineval("card", "n", "--home", home).out
    assert "a limit ended its construction" not in plugineval("card", "n@1", "--home", home).out
    whole = plugineval("resume", limited["job_id"], "--max-calls", 100_000, "--home", home, "--json").printed
    versions = {line["id"]: line for line in listed(home)}
    assert versions[limited["benchmark_id"]] == first[limited["benchmark_id"]]
    assert {line["state"] for line in versions.values()} == {"complete"}
    ids = [limited["benchmark_id"], further["benchmark_id"], whole["benchmark_id"]]
    assert set(versions) == set(ids)
    assert [versions[name]["examples"] for name in ids] == [each["examples"] for each in (limited, further, whole)]
    told = plugineval("versions", "n", "--home", home).out
    assert "went on after a limit had ended it" in told
    assert [f"{number}" in told for number in (1, 2, 3)] == [True] * 3


def test_where_nothing_comes_of_going_on_there_is_no_new_version(home: Path) -> None:
    limited = build(home, "--max-calls", LIMIT, "--json").printed
    again = plugineval("resume", limited["job_id"], "--max-calls", LIMIT + 1, "--home", home, "--json").printed
    assert (again["benchmark_id"], again["stop_reason"]) == (limited["benchmark_id"], "call_limit")
    assert [line["id"] for line in listed(home)] == [limited["benchmark_id"]]


@pytest.mark.parametrize("allowed", [10, LIMIT])
def test_a_limit_that_is_used_up_already_is_refused(home: Path, allowed: int) -> None:
    limited = build(home, "--max-calls", LIMIT, "--json").printed
    refused = plugineval("resume", limited["job_id"], "--max-calls", allowed, "--home", home, "--json")
    assert (refused.code, refused.error["field"]) == (2, "limits.calls")
    assert refused.error["problem"] == f"{LIMIT} calls are used already"
    assert refused.error["next_step"] == f"give more than {LIMIT} calls"


def test_a_build_that_no_limit_ended_is_left_as_it_is(home: Path) -> None:
    whole = build(home, "--json").printed
    refused = plugineval("resume", whole["job_id"], "--max-calls", 500, "--home", home, "--json")
    assert "was not ended by a limit" in refused.error["problem"]


def test_a_killed_build_goes_on_within_the_limit_that_it_had(home: Path) -> None:
    settings = home / "plugineval.toml"
    settings.write_text(settings.read_text().replace("env = {", 'env = {DELAY = "0.5", '))
    limit = 150
    process = started(
        "build", "--plugin", "counting", "--name", "n", "--size", 12, "--home", home, "--max-calls", limit
    )
    # The first call of the plugin lasts, so that there is time to kill what made it.
    while process.poll() is None and not (home / "calls.txt").exists():
        time.sleep(0.01)
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    resumed = plugineval("resume", "--last", "--home", home, "--json")
    assert resumed.code == 0, resumed.out
    done = resumed.printed
    assert done["stop_reason"] == "call_limit"
    assert done["calls"] + done["calls_replayed"] >= limit
    assert done["spending"]["spent"]["calls"] == limit == journaled(home)


@pytest.mark.parametrize(
    ("option", "value", "field"),
    [("--max-calls", 0, "limits.calls"), ("--max-cost", -1, "limits.cost"), ("--max-minutes", 0, "limits.minutes")],
)
def test_a_limit_that_is_none_is_refused_by_its_name(home: Path, option: str, value: int, field: str) -> None:
    refused = build(home, option, value, "--json")
    assert (refused.code, refused.error["field"]) == (2, field)


def test_minutes_of_work_are_a_limit_too(home: Path) -> None:
    called = build(home, "--max-minutes", 0.0001, "--json")
    assert (called.printed["stop_reason"], called.printed["examples"]) == ("time_limit", 0)
    assert called.code == 3
    assert "n: 0 of 12 examples, ended by time_limit" in plugineval("benchmarks", "--home", home).out
    assert "`plugineval resume JOB --max-minutes N` goes on with it" in plugineval("card", "n", "--home", home).out
    people = build(home, "--max-minutes", 0.0001)
    assert "Likely: the limit ended it before any call was verified" in people.out
    *_, last = people.out.splitlines()
    assert last.startswith("Next: allow more: plugineval resume ")
    assert "--max-minutes N" in last


def test_an_estimate_asks_nothing_and_is_told_before_and_after_a_build(home: Path) -> None:
    estimated = build(home, "--estimate", "--json").printed
    assert not (home / "calls.txt").exists()
    assert not (home / "plugineval.db").exists()
    expected = estimated["calls"]["expected"]
    table = build(home, "--estimate").out
    assert "argument evaluator" in table
    told = f"estimated {expected:,.0f} calls"
    called = build(home)
    assert told in called.err
    made = called.out.partition(f"{told}, made ")[2].partition(";")[0]
    assert int(made.replace(",", "")) == journaled(home)


def test_money_is_limited_only_where_every_model_has_a_price(home: Path) -> None:
    settings = home / "plugineval.toml"
    settings.write_text(settings.read_text() + '[models.fast]\nmodel = "x"\n[roles]\nrouter = "fast"\n')
    refused = build(home, "--max-cost", 1.5, "--json")
    assert (refused.code, refused.error["field"]) == (2, "models.fast.prices")
    assert "input_per_million" in refused.error["next_step"]
    assert not (home / "plugineval.db").exists()
    assert json.loads(refused.out)
