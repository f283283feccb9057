"""Real queries at the command line: shown masked before a build, and the first thing that a build examines."""

import json
from pathlib import Path

import pytest

from doubles.cli import plugineval
from doubles.measured import home_with_benchmark

LINES = (
    "What is the area of a rectangle of width 12 metres and height 7 metres?",
    "Convert 5 miles to foot for ann@corp.com.",
    "Who wrote Faust?",
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.txt"
    path.write_text("\n".join(LINES))
    return path


def test_queries_shows_what_a_build_would_read_and_writes_it_masked(log: Path, tmp_path: Path) -> None:
    out = tmp_path / "masked.jsonl"
    called = plugineval("queries", log, "--out", out, "--json")
    assert (called.code, called.printed["masked"]) == (0, {"email": 1})
    again = plugineval("queries", out, "--json").printed
    assert [query["messages"] for query in again["queries"]] == [
        query["messages"] for query in called.printed["queries"]
    ]
    assert "corp.com" not in out.read_text()
    log.write_text(log.read_text() + "\n{broken\n")
    assert plugineval("queries", log).code == 3
    assert plugineval("queries", tmp_path / "none.txt", "--json").error["field"].endswith("none.txt")


@pytest.mark.requirement("P8", "D10")
def test_a_build_examines_real_queries_first_and_keeps_their_origin(log: Path, tmp_path: Path) -> None:
    home = home_with_benchmark(tmp_path / "home")
    called = plugineval(
        "build", "--plugin", "counting", "--name", "real", "--size", 8, "--queries", log, "--home", home, "--json"
    )
    assert called.code == 0, called.err
    assert "3 real queries" in called.err
    assert called.printed["rounds"][0]["number"] == 0
    assert called.printed["coverage_multiple"] is not None
    folder = tmp_path / "out"
    assert plugineval("export", "real", folder, "--home", home).code == 0
    examples = [json.loads(line) for line in (folder / "examples.jsonl").read_text().splitlines()]
    real = [each for each in examples if each["query"]["origin"] == "real"]
    assert any("rectangle of width 12" in each["query"]["messages"][0]["content"] for each in real)
    assert "corp.com" not in "".join(path.read_text() for path in folder.iterdir())
    assert "real" in plugineval("card", "real", "--home", home).out
