"""`plugineval ablate` on a real plugin: one journal for all variants, kept with its job, gone on with after a kill."""

import json
import sqlite3
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from doubles.cli import Called, plugineval, started
from doubles.mcp_client import plugin_table

COUNTING = Path(__file__).parents[2] / "journeys" / "counting.py"
PROMISED = {
    "name",
    "plugins",
    "config",
    "pass_rate",
    "cumulative_pass_rate",
    "false_positive_rate",
    "coverage_multiple",
    "difficulty_deviation",
    "calls",
    "calls_replayed",
    "tests",
}


@pytest.fixture
def home(tmp_path: Path) -> Path:
    folder = tmp_path / "home"
    folder.mkdir()
    tables = [plugin_table(name, COUNTING) + f'env = {{CALLS = "{folder / "calls.txt"}"}}\n' for name in ("one", "two")]
    (folder / "plugineval.toml").write_text("\n".join(tables))
    return folder


def ablated(home: Path, *options: object) -> Called:
    return plugineval("ablate", "--plugin", "one", "--size", 6, "--home", home, *options)


def journaled(home: Path) -> int:
    with sqlite3.connect(home / "plugineval.db") as connection:
        query = "select count(*) from calls where stage not in ('meter', 'snapshot')"
        return int(connection.execute(query).fetchone()[0])


def begun(home: Path) -> int:
    try:
        return journaled(home)
    except sqlite3.OperationalError:
        return 0


def variants(called: Called) -> dict[str, dict[str, Any]]:
    assert called.code == 0, called.err
    return {each["name"]: each for each in called.printed["variants"]}


@pytest.mark.requirement("P62", "P63", "P64", "P65", "P68")
def test_one_object_holds_one_object_per_variant_and_no_call_is_made_twice(home: Path) -> None:
    called = ablated(home, "--sweep", "R=1,2", "--sweep", "K=1", "--json")
    found = variants(called)
    names = ["full", "no_content_validation", "no_refinement", "single_shot", "one_generator", "R=1", "R=2", "K=1"]
    assert list(found) == names
    assert all(each.keys() >= PROMISED for each in found.values())
    made = sum(each["calls"] + each["judging_calls"] for each in found.values())
    assert made == called.printed["calls"] == journaled(home)
    assert (found["R=1"]["calls"], found["R=1"]["same_as"]) == (0, "no_refinement")
    executed = (home / "calls.txt").read_text().splitlines()
    alone = found["full"]["calls"]
    assert found["single_shot"]["calls"] == 0 < found["single_shot"]["calls_replayed"] < alone
    assert len(executed) < alone
    assert found["single_shot"]["coverage_multiple"]["value"] == 1.0
    assert plugineval("benchmarks", "--home", home, "--json").printed["benchmarks"] == []


@pytest.mark.requirement("P67")
def test_plugins_come_one_by_one_and_the_tables_name_them(home: Path) -> None:
    picture = home / "figure.svg"
    called = ablated(
        home, "--plugin", "two", "--plugins-from", 1, "--variant", "single-shot", "--figure", picture, "--json"
    )
    assert called.code == 0, called.err
    rows = [(each["plugins"], each["name"]) for each in called.printed["variants"]]
    both = ["one", "two"]
    assert rows == [(["one"], "full"), (["one"], "single_shot"), (both, "full"), (both, "single_shot")]
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")
    shown = plugineval("ablate", "--job", called.printed["job_id"], "--home", home)
    assert "2 plugins: single_shot" in shown.out
    assert "not people" in shown.out


@pytest.mark.requirement("P62")
def test_people_overrule_the_evaluators_without_a_call(home: Path) -> None:
    golds = home / "golds.jsonl"
    first = ablated(home, "--variant", "full", "--golds", golds, "--json")
    assert variants(first)["full"]["false_positive_rate"]["numerator"] == 0
    lines = [json.loads(line) for line in golds.read_text().splitlines()]
    assert all(line["right"] is None for line in lines), "no verdict of the evaluators leads a person on"
    left_open = plugineval("ablate", "--job", first.printed["job_id"], "--truth", golds, "--home", home, "--json").error
    assert left_open["field"] == f"{golds}, line 1: right"
    assert (left_open["allowed"], "delete the line" in left_open["next_step"]) == (["true", "false"], True)
    truth = home / "truth.jsonl"
    truth.write_text(json.dumps({**lines[0], "right": "wrong"}) + "\n")
    before = journaled(home)
    again = plugineval("ablate", "--job", first.printed["job_id"], "--truth", truth, "--home", home, "--json")
    rate = variants(again)["full"]["false_positive_rate"]
    assert (rate["numerator"], rate["denominator"]) == (1, len(lines))
    assert again.printed["judged_by"].startswith("1 verdicts of people")
    assert journaled(home) == before
    assert variants(plugineval("ablate", "--job", first.printed["job_id"], "--home", home, "--json")) == variants(again)


@pytest.mark.requirement("X3", "P62")
def test_a_killed_ablation_goes_on_and_tells_the_same_as_one_that_was_not(home: Path, tmp_path: Path) -> None:
    settings = home / "plugineval.toml"
    quick = settings.read_text()
    settings.write_text(quick.replace("env = {", 'env = {DELAY = "0.02", '))
    process = started("ablate", "--plugin", "one", "--size", 6, "--home", home)
    assert process.stderr is not None
    process.stderr.readline()
    while process.poll() is None and begun(home) < 40:
        pass
    process.kill()
    process.communicate()
    settings.write_text(quick)
    resumed = plugineval("resume", "--last", "--home", home, "--json")
    whole = tmp_path / "whole"
    whole.mkdir()
    (whole / "plugineval.toml").write_text(quick.replace(str(home), str(whole)))
    numbers = [variants(each) for each in (resumed, ablated(whole, "--json"))]
    assert numbers[0] == numbers[1]
    assert resumed.printed["calls"] == journaled(home) == journaled(whole)


@pytest.mark.requirement("X3")
def test_a_limit_ends_it_with_what_there_is_and_a_higher_one_goes_on(home: Path) -> None:
    limited = ablated(home, "--max-calls", 30, "--json")
    full = variants(limited)["full"]
    assert (limited.printed["calls"], full["cut_short"], full["stop_reason"]) == (30, True, "call_limit")
    assert [name.split()[0] for name in limited.printed["not_run"]] == [
        "no_content_validation",
        "no_refinement",
        "single_shot",
        "one_generator",
    ]
    job = limited.printed["job_id"]
    assert "Go on with a higher limit" in plugineval("ablate", "--job", job, "--home", home).out
    more = plugineval("resume", job, "--max-calls", 5000, "--home", home, "--json")
    assert (len(variants(more)), more.printed["limit"], more.printed["not_run"]) == (5, "", [])
    refused = plugineval("resume", job, "--max-calls", 6000, "--home", home, "--json")
    assert "was not ended by a limit" in refused.error["problem"]
    assert plugineval("ablate", "--job", job[:9], "--home", home, "--json").printed["job_id"] == job


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--plugin", "one", "--variant", "nothing"], "there is no variant 'nothing'"),
        (["--plugin", "one", "--sweep", "Q=1"], "is no sweep"),
        (["--plugin", "one", "--plugins-from", "2"], "cannot begin with 2 of 1 plugins"),
        (["--plugin", "nobody"], "nobody"),
        ([], "names no plugin"),
        (["--job", "nowhere"], "there is no job or run 'nowhere'"),
    ],
)
def test_what_cannot_be_run_is_refused_before_anything_is_asked(home: Path, options: list[str], said: str) -> None:
    refused = plugineval("ablate", "--home", home, "--json", *options)
    assert refused.code == 2
    assert said in refused.error["problem"]
    assert not (home / "calls.txt").exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("{", "is not JSON"),
        ('{"right": true}', "says of no gold"),
        ('{"record": "r", "right": "perhaps"}', "right"),
        ("[]", "says of no gold"),
        ('{"record": "r", "right": null}', "is not answered yet"),
        ('{"record": "r"}', "is not answered yet"),
    ],
)
def test_a_verdict_that_says_nothing_is_refused_by_its_line(home: Path, line: str, said: str) -> None:
    truth = home / "truth.jsonl"
    truth.write_text(f'{{"record": "r", "right": true}}\n{line}\n')
    refused = ablated(home, "--truth", truth, "--json")
    assert refused.code == 2
    assert "line 2" in refused.error["field"]
    assert said in refused.error["problem"]


def test_files_that_are_there_are_not_written_over(home: Path) -> None:
    picture = home / "figure.svg"
    picture.write_text("mine")
    refused = ablated(home, "--figure", picture, "--json")
    assert (refused.code, picture.read_text()) == (2, "mine")
    assert not (home / "calls.txt").exists()
