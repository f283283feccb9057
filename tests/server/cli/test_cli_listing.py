"""What was built and measured is listed, and is named by id, by the beginning of an id, or by a name of its own."""

from pathlib import Path

import pytest

from doubles.cli import addition, cases_file, endpoint, obedient, plugineval
from doubles.openai_server import refusal

NEVER = ("--model", "degenerate:never-call", "--repeats", 1)


def measured(home: Path) -> str:
    path = cases_file(home.parent, [addition("c", 1)])
    return str(plugineval("evaluate", path, *NEVER, "--home", home, "--json").printed["run_id"])


def test_runs_are_listed_and_a_report_is_found_by_name_or_beginning(tmp_path: Path) -> None:
    home = tmp_path / "home"
    run = measured(home)
    (listed,) = plugineval("runs", "--home", home, "--json").printed["runs"]
    assert (listed["id"], listed["source"], listed["rows"]) == (run, "cases.jsonl", 1)
    assert run in plugineval("runs", "--home", home).out
    for named in (run, run[:-2], "cases.jsonl"):
        assert plugineval("report", named, "--home", home, "--json").printed["run"]["id"] == run
    second = measured(home)
    refused = plugineval("report", "cases.jsonl", "--home", home, "--json").error
    assert {offered.partition(" (cases.jsonl, ")[0] for offered in refused["allowed"]} == {run, second}
    assert "report-" not in str(plugineval("report", "nothing", "--home", home, "--json").error["allowed"])


def test_an_empty_home_says_so_and_two_forms_at_once_are_refused(tmp_path: Path) -> None:
    for words in ("benchmarks", "runs"):
        assert plugineval(words, "--home", tmp_path, "--json").printed == {words: []}
        assert "Next: " in plugineval(words, "--home", tmp_path).out
    empty = plugineval("report", "--home", tmp_path, "--json").error
    assert "nothing has been measured yet" in empty["problem"]
    both = plugineval("report", "--home", tmp_path, "--json", "--markdown")
    assert (both.code, both.error["allowed"]) == (2, ["--json", "--markdown"])


@pytest.mark.requirement("X3")
def test_the_last_unfinished_work_is_also_a_run_with_rows_that_were_never_answered(tmp_path: Path) -> None:
    path, places = cases_file(tmp_path, [addition("c", 1)]), ("--home", tmp_path / "home", "--json")
    with endpoint(lambda _: refusal(401, "no")) as server:
        options = ("--model", "openai:m", "--base-url", server.base_url, "--repeats", 1)
        first = plugineval("evaluate", path, *options, *places)
        assert first.code == 3
        server.answer = obedient
        again = plugineval("resume", "--last", *places)
    assert (again.code, again.printed["run_id"]) == (0, first.printed["run_id"])
    assert plugineval("resume", "--last", *places).code == 2
