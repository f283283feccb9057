"""Whatever a person names may be begun or mistyped: a beginning that only one has is enough, a slip is told."""

from pathlib import Path

import pytest

from doubles.cli import addition, cases_file, endpoint, obedient, plugineval
from journeys.conftest import counting_home


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return counting_home(tmp_path / "home").path


def slip(name: str) -> str:
    """Its last two characters swapped."""
    return name[:-2] + name[-1] + name[-2]


def test_a_mistyped_benchmark_is_told_by_every_command_that_takes_one(home: Path) -> None:
    built = plugineval("build", "--plugin", "counting", "--name", "first", "--size", 4, "--home", home, "--json")
    assert built.code == 0, built.err
    for words in (("evaluate",), ("card",), ("versions",), ("verify",), ("export",), ("audit", "reference")):
        more = (home / "folder",) if words == ("export",) else ()
        refused = plugineval(*words, "frist", *more, "--home", home, "--json")
        assert (refused.code, "; did you mean 'first'?" in refused.error["problem"]) == (2, True), words
    mistyped = slip(built.printed["benchmark_id"])
    if mistyped != built.printed["benchmark_id"]:
        assert built.printed["benchmark_id"] in plugineval("card", mistyped, "--home", home, "--json").error["problem"]


def test_a_run_is_found_by_its_beginning_and_a_slip_is_told(tmp_path: Path) -> None:
    path, places = cases_file(tmp_path, [addition("c", 1)]), ("--home", tmp_path / "home", "--json")
    with endpoint(obedient) as server:
        asked = ("--model", "openai:m", "--base-url", server.base_url, "--repeats", 1)
        run = str(plugineval("evaluate", path, *asked, *places).printed["run_id"])
        for words in (("report",), ("resume",), ("decide",), ("record", "--out", tmp_path / "kept.jsonl")):
            command, *options = words
            told = plugineval(command, run[:-2], *options, *places)
            assert told.code == 0, (words, told.err, told.out)
            refused = plugineval(command, f"{run[:-1]}!", *options[:-1], *(["other"] if options else []), *places)
            assert (refused.code, f"did you mean {run!r}" in refused.error["problem"]) == (2, True), words


def test_a_beginning_that_several_jobs_have_is_refused_with_what_they_are(tmp_path: Path) -> None:
    path, places = cases_file(tmp_path, [addition("c", 1)]), ("--home", tmp_path / "home", "--json")
    runs = [
        str(plugineval("evaluate", path, "--model", "degenerate:never-call", *places).printed["run_id"])
        for _ in range(2)
    ]
    refused = plugineval("resume", "run-", *places).error
    assert refused["problem"] == "'run-' is the beginning of several ids"
    assert all(any(run in offered and "evaluate" in offered for offered in refused["allowed"]) for run in runs)


@pytest.mark.parametrize("option", ["--out", "--output"])
def test_the_file_that_a_command_writes_is_out_everywhere_and_output_still_works(home: Path, option: str) -> None:
    file = home / "catalog.toml"
    assert plugineval("scenarios", "--plugin", "counting", option, file, "--home", home).code == 0
    assert file.exists()
    for command in ("scenarios", "init", "judge", "record", "queries", "hosts"):
        shown = plugineval(command, "--help").out
        assert ("--out " in shown, "--output" in shown) == (True, False), command
