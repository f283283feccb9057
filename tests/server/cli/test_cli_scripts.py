"""What scripts rely on: one object on stdout, progress elsewhere, and commands that start without heavy imports."""

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from doubles.cli import MAIN, addition, cases_file, plugineval
from plugineval.server.cli import places_last
from plugineval.server.cli.options import SharedOptions

HEAVY = {"openai", "sqlalchemy", "sqlmodel", "alembic", "mcp", "scipy", "rapidfuzz", "dateparser", "httpx2", "tenacity"}
TIME = '[plugins.clock]\ncommand = "mcp-server-time"\n'


def test_build_prints_what_scripts_rely_on_and_its_benchmark_can_be_measured(tmp_path: Path) -> None:
    pytest.importorskip("mcp_server_time", reason="the demo's servers are not installed")
    config = tmp_path / "plugineval.toml"
    config.write_text(TIME)
    places = ("--config", config, "--home", tmp_path / "home", "--json")
    built = plugineval("build", "--plugin", "clock", "--size", 6, "--name", "times", *places)
    assert built.code == 0, built.err
    assert {"benchmark_id", "stop_reason", "rounds", "accepted", "rejected", "calls"} <= built.printed.keys()
    first = built.printed["rounds"][0]
    assert {"deficit_before", "deficit_after", "accepted", "rejected"} <= first.keys()
    assert built.printed["calls"] > 0
    beginning = built.printed["benchmark_id"][:-3]
    measured = plugineval("evaluate", beginning, "--model", "baseline:lexical", "--repeats", 1, *places)
    assert measured.code == 0, measured.err
    assert {"run_id", "rows", "errors", "models", "seconds"} <= measured.printed.keys()
    assert measured.printed["rows"] == built.printed["accepted"]


def test_plugins_are_listed_in_one_object(tmp_path: Path) -> None:
    config = tmp_path / "plugineval.toml"
    config.write_text('[plugins.a]\ncommand = "x"\n[plugins.b]\nurl = "https://h.example/${NOT_SET_ANYWHERE}"\n')
    listed = plugineval("plugins", "--config", config, "--home", tmp_path, "--json").printed["plugins"]
    assert [(entry["name"], entry["ready"]) for entry in listed] == [("a", True), ("b", False)]
    assert "init" in plugineval("plugins", "--home", tmp_path / "none").out


def test_no_report_is_printed_where_one_object_was_asked_for(tmp_path: Path) -> None:
    path = cases_file(tmp_path, [addition("c", 1)])
    run = ("evaluate", path, "--model", "degenerate:never-call", "--repeats", 1, "--home", tmp_path / "home")
    called = plugineval(*run, "--json")
    assert called.out.count("\n") == 1
    assert re.fullmatch(r"Measuring: job \S+\n", called.err)
    people = plugineval(*run)
    assert people.out.startswith("Scope: cases.jsonl")


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals as they are on POSIX")
def test_progress_is_shown_on_a_terminal_and_kept_off_stdout(tmp_path: Path) -> None:
    import pty

    path = cases_file(tmp_path, [addition(f"c{number}", number) for number in range(50)])
    words = ("evaluate", path, "--model", "degenerate:never-call", "--home", tmp_path / "home", "--json")
    ours, theirs = pty.openpty()
    try:
        done = subprocess.run(
            [sys.executable, "-c", MAIN, *map(str, words)], check=True, stdout=subprocess.PIPE, stderr=theirs, text=True
        )
        assert "Measuring" in os.read(ours, 65536).decode()
    finally:
        os.close(ours)
        os.close(theirs)
    assert json.loads(done.stdout)["rows"] == 150


def test_a_pipe_that_knows_only_ascii_gets_escapes_and_whole_json(tmp_path: Path) -> None:
    path = cases_file(tmp_path, [addition("c-é-🦉", 1)])
    words = ("evaluate", path, "--model", "degenerate:first-tool", "--repeats", 1, "--home", tmp_path / "home")
    environment = os.environ | {"PYTHONIOENCODING": "ascii"}
    command = [sys.executable, "-c", MAIN, *map(str, words)]
    people = subprocess.run(command, check=True, capture_output=True, env=environment)
    assert people.stdout.isascii()
    assert b"Models" in people.stdout
    scripts = subprocess.run([*command, "--json"], check=True, capture_output=True, env=environment)
    assert json.loads(scripts.stdout)["rows"] == 1


@pytest.mark.parametrize("word", ["--version", "--help"])
def test_a_word_about_itself_needs_nothing_heavy(word: str) -> None:
    code = (
        f"import sys; sys.argv = ['plugineval', {word!r}]\n"
        "from plugineval.server.cli import main\n"
        "try:\n    main()\n"
        f"finally:\n    print(sorted({HEAVY!r} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert done.stderr.strip() == "[]"


def test_the_next_command_works_on_the_same_files() -> None:
    shared = SharedOptions(config=Path("my settings.toml"), home=Path("/h"))
    words = shlex.split(shared.command("resume", "run-1"))
    assert words == ["plugineval", "resume", "run-1", "--config", "my settings.toml", "--home", "/h"]


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        (["--home", "a", "demo", "--json"], ["demo", "--home", "a", "--json"]),
        (["--config=b", "--home", "a", "runs"], ["runs", "--config=b", "--home", "a"]),
        (["demo", "--home", "a"], ["demo", "--home", "a"]),
        (["--version"], ["--version"]),
        (["--home"], ["--home"]),
        ([], []),
    ],
)
def test_the_places_may_be_written_before_the_command(typed: list[str], read: list[str]) -> None:
    assert places_last(typed) == read
