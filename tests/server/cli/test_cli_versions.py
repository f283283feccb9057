"""Versions of a benchmark at the command line: revised, calibrated anew, told, exported and read back."""

import json
from pathlib import Path

import pytest

from doubles.cli import Called, plugineval
from doubles.measured import AREA, NEGATIVE, calls_made, home_with_benchmark
from plugineval.pccf.values import Json


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return home_with_benchmark(tmp_path / "home")


def revised(home: Path, *lines: dict[str, Json], benchmark: str = "rooms", options: tuple[str, ...] = ()) -> Called:
    file = home / "revisions.jsonl"
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return plugineval("revise", benchmark, "--file", file, "--home", home, "--json", *options)


def gold(width: int, height: int = 2) -> Json:
    return [{"name": AREA, "arguments": {"width": width, "height": height}}]


@pytest.mark.requirement("X1", "X4")
def test_revised_gold_is_executed_and_a_new_version_says_what_changed_and_why(home: Path) -> None:
    called = revised(
        home,
        {"case": "example-0003", "reason": "the plan says seven", "by": "QA", "gold": gold(7)},
        {"case": "example-0004", "reason": "nobody asks that", "remove": True},
    )
    assert called.code == 0, called.err
    made = called.printed
    assert (made["version"], made["parent"], made["examples"], made["executed"]) == (2, "bench-counting", 3, 1)
    assert calls_made(home) == ['["get_rectangle_area", {"height": 2, "width": 7}]']
    told = {change["case"]: (change["kind"], change["reason"], change["by"]) for change in made["changes"]}
    assert told == {
        "example-0003": ("gold_revised", "the plan says seven", "QA"),
        "example-0004": ("removed", "nobody asks that", ""),
    }
    history = plugineval("versions", "rooms", "--home", home, "--json").printed["versions"]
    assert [(line["version"], line["examples"]) for line in history] == [(1, 4), (2, 3)]
    assert history[0]["content_hash"] != history[1]["content_hash"] == made["content_hash"]


def test_a_name_means_the_newest_version_and_a_number_any_of_them(home: Path) -> None:
    newest = revised(home, {"case": "example-0004", "reason": "odd", "remove": True}).printed["benchmark_id"]
    ids = {
        name: plugineval("card", name, "--home", home, "--json").printed["id"]
        for name in ("rooms", "rooms@1", "rooms@2")
    }
    assert ids == {"rooms": newest, "rooms@1": "bench-counting", "rooms@2": newest}
    unknown = plugineval("card", "rooms@3", "--home", home, "--json")
    assert unknown.code == 2
    assert unknown.error["allowed"] == ["rooms@1", "rooms@2"]


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({"case": "example-0003", "reason": "x", "gold": gold(0)}, "breaks the tool's schema"),
        ({"case": "example-3", "reason": "x", "remove": True}, "there is no case 'example-3'"),
        ({"case": "example-0003", "gold": gold(7)}, "reason: is missing"),
        ({"case": "example-0003", "reason": "x", "remove": True, "gold": gold(7)}, "says gold and remove"),
        ({"case": "example-0003", "reason": "x", "label": "wrong"}, "tool_unnecessary, target_irrelevant"),
        ({"case": "example-0003", "reason": "x", "gold": [{"name": "nope"}]}, "there is no tool 'nope'"),
    ],
)
def test_a_revision_that_cannot_be_used_is_refused_and_changes_nothing(
    home: Path, line: dict[str, Json], told: str
) -> None:
    called = revised(home, line)
    assert called.code == 2
    assert told in called.err
    assert calls_made(home) == []
    assert len(plugineval("versions", "rooms", "--home", home, "--json").printed["versions"]) == 1


def test_only_the_newest_version_is_revised_so_that_a_history_never_forks(home: Path) -> None:
    newest = revised(home, {"case": "example-0004", "reason": "odd", "remove": True}).printed["benchmark_id"]
    again = revised(home, {"case": "example-0003", "reason": "odd", "remove": True}, benchmark="rooms@1")
    assert again.code == 2
    assert newest in str(again.error["next_step"])


def test_a_positive_relabelled_as_a_negative_changes_kind_and_loses_what_it_was_calibrated_for(home: Path) -> None:
    made = revised(home, {"case": NEGATIVE, "reason": "it asks for an area", "gold": gold(8)}).printed
    facts = plugineval("card", made["benchmark_id"], "--home", home, "--json").printed
    assert (facts["contents"]["positives"], facts["uncalibrated"]) == (4, 0)
    back = revised(home, {"case": "example-0003", "reason": "small talk", "label": "tool_unnecessary"}).printed
    facts = plugineval("card", back["benchmark_id"], "--home", home, "--json").printed
    assert (facts["contents"]["positives"], facts["contents"]["negatives"]["type_a"], facts["uncalibrated"]) == (
        3,
        1,
        1,
    )


@pytest.mark.requirement("X4")
def test_a_report_on_an_older_version_expires_when_gold_was_revised(home: Path) -> None:
    run = plugineval("evaluate", "rooms", "--model", "degenerate:never-call", "--home", home, "--json").printed
    before = plugineval("report", run["run_id"], "--home", home)
    assert "revised" not in before.out
    revised(home, {"case": "example-0003", "reason": "the plan says seven", "gold": gold(7)})
    after = plugineval("report", run["run_id"], "--home", home)
    assert "EXPIRED" in after.out
    assert "gold" in after.out.split("EXPIRED")[1][:300]


@pytest.mark.requirement("D9")
def test_another_router_makes_another_version_with_the_difficulties_that_it_shows(home: Path) -> None:
    called = plugineval("recalibrate", "rooms", "--router", "baseline:lexical", "--runs", 3, "--home", home, "--json")
    assert called.code == 0, called.err
    [change] = called.printed["changes"]
    assert (change["kind"], change["before"]) == ("recalibrated", {"difficulty": "hard", "p_k": 0.0})
    assert change["after"] == {"difficulty": "easy", "p_k": 1.0}
    facts = plugineval("card", "rooms", "--home", home, "--json").printed
    assert (facts["router"]["model"], facts["router"]["seeds"]) == ("baseline:lexical", [0, 1, 2])
    unknown = plugineval("recalibrate", "rooms", "--router", "nobody", "--home", home, "--json")
    assert (unknown.code, unknown.error["kind"]) == (2, "UnknownNameError")


@pytest.mark.requirement("X1")
def test_an_exported_benchmark_reads_back_as_the_same_one_in_another_home(home: Path, tmp_path: Path) -> None:
    revised(home, {"case": "example-0003", "reason": "the plan says seven", "gold": gold(7)})
    first, second = tmp_path / "first", tmp_path / "second"
    assert plugineval("export", "rooms", first, "--home", home).code == 0
    read = plugineval("import", first, "--home", tmp_path / "other", "--json").printed
    assert read["new"] is True
    assert plugineval("import", first, "--home", tmp_path / "other", "--json").printed["new"] is False
    assert plugineval("export", read["benchmark_id"], second, "--home", tmp_path / "other").code == 0
    mine, theirs = (
        {p.name: p.read_bytes() for p in folder.iterdir() if p.name != "CARD.md"} for folder in (first, second)
    )
    mine_header, theirs_header = (json.loads(files.pop("benchmark.json")) for files in (mine, theirs))
    assert mine == theirs
    assert mine_header["benchmark"] == theirs_header["benchmark"]
    assert mine_header["content_hash"] == theirs_header["content_hash"]


@pytest.mark.parametrize("name", ["examples.jsonl", "records.jsonl", "CARD.md"])
def test_a_file_that_was_touched_after_the_export_is_refused_by_name(home: Path, tmp_path: Path, name: str) -> None:
    folder = tmp_path / "out"
    plugineval("export", "rooms", folder, "--home", home)
    (folder / name).write_text((folder / name).read_text() + "\n")
    called = plugineval("import", folder, "--home", tmp_path / "other", "--json")
    assert called.code == 2
    assert name in str(called.error["field"])
    assert plugineval("benchmarks", "--home", tmp_path / "other", "--json").printed["benchmarks"] == []


def test_a_folder_that_holds_something_is_not_written_into(home: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    called = plugineval("export", "rooms", tmp_path, "--home", home, "--json")
    assert (called.code, called.error["problem"]) == (2, "is not empty")


def test_the_card_says_what_the_benchmark_covers_and_what_it_cannot_tell(home: Path) -> None:
    card = plugineval("card", "rooms", "--home", home).out
    assert "4 examples: 3 positives, negatives type_a 1" in card
    assert "no positives for `convert_length`" in card
    assert "calibrated on `frozen`" in card
    assert "no real query is in it" in card
