"""`plugineval build` where it does not go well: what was rejected is counted with its cause, an outage is named."""

import itertools
import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from doubles.cli import Called, endpoint, plugineval
from doubles.mcp_client import plugin_table
from doubles.openai_server import Document, Reply, message, refusal

COUNTING = Path(__file__).parents[2] / "journeys" / "counting.py"


def built(home: Path, answer: Callable[[Document], Reply], *options: str) -> Called:
    """A build whose proposals come from an endpoint."""
    home.mkdir(exist_ok=True)
    with endpoint(answer) as server:
        model = f'[models.fast]\nmodel = "x"\nbase_url = "{server.base_url}"\nmax_retries = 0\n'
        plugin = plugin_table("counting", COUNTING) + f'env = {{CALLS = "{home / "calls.txt"}"}}\n'
        (home / "plugineval.toml").write_text(f'{plugin}{model}[roles]\ngenerators = ["fast"]\n')
        return plugineval("build", "--plugin", "counting", "--name", "n", "--size", 4, "--home", home, *options)


def elsewhere(request: Document) -> Reply:
    """A generator that knows one tool only, which is not there."""
    return message(json.dumps({"call": {"tool": "get_weather", "arguments": {}}}))


def test_what_failed_is_named_before_abstentions_however_many_these_are(tmp_path: Path) -> None:
    asked = itertools.count()

    def answer(request: Document) -> Reply:
        abstains = {"abstain": {"reason": "none left"}}
        return message(json.dumps(abstains)) if next(asked) % 3 else elsewhere(request)

    said = built(tmp_path / "home", answer).out
    counts = [int(found) for found in re.findall(r"fast: (\d+) proposals (?:abstained|called another tool)", said)]
    assert counts[0] > counts[1]
    assert f"Likely: fast: {counts[1]} proposals called another tool" in said


@pytest.mark.parametrize("name", ["", "  ", "a" * 81, "red \x1b[31m", "two\nlines"])
def test_a_name_that_nobody_could_read_in_a_table_is_refused_before_anything_starts(tmp_path: Path, name: str) -> None:
    (tmp_path / "plugineval.toml").write_text(plugin_table("counting", COUNTING))
    refused = plugineval("build", "--plugin", "counting", "--name", name, "--home", tmp_path, "--json")
    assert (refused.code, refused.error["field"]) == (2, "name")
    assert not (tmp_path / "plugineval.db").exists()


@pytest.mark.requirement("X11")
def test_a_build_says_what_its_candidates_failed_by_and_that_nothing_came_of_it(tmp_path: Path) -> None:
    called = built(tmp_path / "home", elsewhere, "--json")
    assert called.code == 0, called.err
    first = called.printed["reasons"][0]
    assert (first["by"], first["kind"], first["unit"]) == ("fast", "wrong_tool", "proposal")
    assert first["count"] > 1
    assert "get_weather" in first["example"]
    people = built(tmp_path / "again", elsewhere)
    assert people.code == 0
    assert f"fast: {first['count']} proposals called another tool (called get_weather, not " in people.out
    assert "WARNING: No example expects a call" in people.out
    assert f"Likely: fast: {first['count']} proposals called another tool" in people.out
    listed = plugineval("benchmarks", "--home", tmp_path / "again").out
    assert re.search(rf"n: \d of 4 examples, ended by {called.printed['stop_reason']}", listed)
    *_, last = people.out.splitlines()
    assert last.startswith("Next: mend what the reasons above name")
    assert "a `look` that shows the paths and ids there are" in last
    assert "plugineval doctor --plugins" in last


@pytest.mark.requirement("X3")
def test_an_outage_is_told_with_role_model_and_cause_and_the_command_that_goes_on(tmp_path: Path) -> None:
    down: Callable[[Document], Reply] = lambda _: refusal(401, "the key was revoked")  # noqa: E731
    called = built(tmp_path / "home", down, "--json")
    error = called.error
    assert (called.code, error["kind"]) == (3, "IncompleteError")
    assert "generator fast: access_denied: HTTP 401: the key was revoked" in error["problem"]
    assert error["next_step"].startswith(f"run `plugineval resume {error['job_id']} --home ")
    assert called.err.count("Next: ") == 1
    assert called.err.startswith(f"Building: job {error['job_id']}\n")
