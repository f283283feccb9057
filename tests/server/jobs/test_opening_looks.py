"""What a build shows its writer of a server before anything is written: real calls, under the policy that holds."""

import json
import threading
from pathlib import Path

import pytest

from doubles.cli import Called, plugineval, started
from doubles.notes import write_settings

pytestmark = pytest.mark.requirement("P34")

LOOK = "look = [{ tool = 'get_note', arguments = { name = '/sandbox/a.txt' } }, { tool = 'list_notes' }]"
WRITER = "\n[roles]\nwriter = 'agent'\n"


def settings(home: Path, look: str, policy: str = "sandboxed", writer: str = WRITER) -> None:
    write_settings(home, more=look, policy=policy)
    with (home / "plugineval.toml").open("a", encoding="utf-8") as file:
        file.write(writer)


def first_item(home: Path, catalog: Path) -> str:
    """The evidence of the first item that a build hands to its writer."""
    plan = ("--plugin", "notes", "--name", "n", "--size", "1", "--scenarios", catalog)
    running = started("build", *plan, "--home", home, "--json")
    overdue = threading.Timer(90, running.kill)
    overdue.start()
    assert running.stderr is not None
    assert any("waiting for work" in line for line in running.stderr)
    batch = plugineval("work", "next", "--home", home, "--json").printed
    running.kill()
    running.communicate()
    overdue.cancel()
    return str(batch["groups"][0]["items"][0]["evidence"])


def catalog_in(home: Path) -> Path:
    file = home / "notes.toml"
    assert derived(home, file).code == 0
    return file


def derived(home: Path, file: Path) -> Called:
    return plugineval("scenarios", "--plugin", "notes", "--out", file, "--home", home)


def test_the_writer_sees_what_the_looks_of_a_person_returned(tmp_path: Path) -> None:
    settings(tmp_path, LOOK, writer="")
    catalog = catalog_in(tmp_path)
    settings(tmp_path, LOOK)
    evidence = first_item(tmp_path, catalog)
    shown = json.loads(evidence.split('<data name="returned"')[1].split("\n", 1)[1].rsplit("\n</data", 1)[0])
    assert shown == ['get_note {"name":"/sandbox/a.txt"} returned: milk', "list_notes {} returned: a.txt"]


def test_a_look_that_policy_forbids_shows_nothing(tmp_path: Path) -> None:
    changing = "look = [{ tool = 'write_note', arguments = { name = 'b.txt', text = 'bread' } }]"
    settings(tmp_path, changing, policy="read_only", writer="")
    catalog = catalog_in(tmp_path)
    settings(tmp_path, changing, policy="read_only")
    assert "returned: wrote" not in first_item(tmp_path, catalog)


def test_a_look_at_a_tool_that_there_is_not_is_told_before_anything_is_asked(tmp_path: Path) -> None:
    settings(tmp_path, "look = [{ tool = 'get_notes' }]", writer="")
    built = plugineval("build", "--plugin", "notes", "--name", "n", "--size", "1", "--home", tmp_path, "--json")
    assert built.code == 2
    assert "plugins.notes.look.0.tool" in json.dumps(built.error)
    assert "get_note" in json.dumps(built.error)
