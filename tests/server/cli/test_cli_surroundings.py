"""Bad input and bad surroundings: each is one sentence with the next step, one exit code, and no loss."""

import json
import sqlite3
import sys
import tempfile
from collections.abc import Generator
from pathlib import Path

import pytest

from doubles.cli import Called, addition, cases_file, plugineval
from doubles.plugins import registering
from doubles.store import as_ordinary_user

UNRULY = str(Path(registering.HERE) / "unruly.py")
NEVER = ("--model", "degenerate:never-call", "--repeats", 1)


def refused(called: Called, code: int = 2) -> str:
    """The sentence of a refusal, which is the same on both streams."""
    error = called.error
    assert called.code == error["exit_code"] == code
    assert called.out.count("\n") == 1
    assert "Traceback" not in called.err
    assert str(error["problem"]) in called.err
    assert error["next_step"] or error["allowed"]
    return called.err


def plugin(*flags: str, **fields: object) -> str:
    values = {"command": sys.executable, "args": ["-S", UNRULY, *flags], **fields}
    return "[plugins.u]\n" + "".join(f"{name} = {json.dumps(value)}\n" for name, value in values.items())


def measured(home: Path) -> str:
    """A run that is stored in `home`."""
    path = cases_file(home.parent, [addition("c", 1)])
    return str(plugineval("evaluate", path, *NEVER, "--home", home, "--json").printed["run_id"])


@pytest.mark.parametrize(
    ("text", "words", "said"),
    [
        ('[plugins.math]\ncommand = "x\n', ("plugins",), ["line 2", "command", "not TOML"]),
        ('[plugins.math]\ncommand = "x"\ncomand = 2', ("plugins",), ["line 3", "plugins.math.comand", "'command'"]),
        ('[models.m]\nmodel = "x"\napi_key = "sk-1"', ("plugins",), ["line 3", "api_key_env"]),
        ('[roles]\nwriter = "nobody"', ("plugins",), ["line 2", "nobody", "[models.nobody]"]),
        (plugin(), ("plugins", "v"), ["there is no plugin 'v'", "u"]),
        (plugin(), ("build", "--plugin", "v", "--name", "b"), ["there is no plugin 'v'"]),
        (plugin("--hang", start_timeout_s=0.5), ("plugins", "u"), ["0.5 s", "licence server", "start_timeout_s"]),
        (plugin("--exit"), ("build", "--plugin", "u", "--name", "b"), ["exited", "unruly_core", "by hand"]),
        (plugin("--bad-schema"), ("build", "--plugin", "u", "--name", "b"), ["get_echo", "exclude"]),
        (plugin(command="no-such-command"), ("plugins", "u"), ["no-such-command", "install"]),
    ],
)
def test_what_is_wrong_in_the_settings_is_one_sentence_with_the_next_step(
    tmp_path: Path, text: str, words: tuple[str, ...], said: list[str]
) -> None:
    config = tmp_path / "plugineval.toml"
    config.write_text(text)
    sentence = refused(plugineval(*words, "--config", config, "--home", tmp_path / "home", "--json"))
    assert [part for part in said if part not in sentence] == []


@pytest.mark.parametrize(
    ("model", "said"), [("fsat", "there is no model 'fsat'"), ("openai:gpt", "OPENAI_API_KEY"), ("degenerate:x", "x")]
)
def test_a_model_that_cannot_be_used_is_refused_before_anything_is_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, model: str, said: str
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    path = cases_file(tmp_path, [addition("c", 1)])
    called = plugineval("evaluate", path, "--model", model, "--home", tmp_path / "home", "--json")
    assert said in refused(called)
    assert refused(plugineval("resume", "--last", "--home", tmp_path / "home", "--json"))


@pytest.mark.parametrize("words", [("report",), ("evaluate", "{cases}", *map(str, NEVER)), ("demo", "--size", "8")])
def test_a_home_that_cannot_be_used_is_one_sentence(tmp_path: Path, words: tuple[str, ...]) -> None:
    path = cases_file(tmp_path, [addition("c", 1)])
    words = tuple(word.format(cases=path) for word in words)
    (tmp_path / "file").write_text("")
    assert "cannot be made" in refused(plugineval(*words, "--home", tmp_path / "file" / "home", "--json"))
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "plugineval.db").write_text("this is no database, whatever it is called" * 50)
    assert "not a database" in refused(plugineval(*words, "--home", tmp_path / "other", "--json"))


@pytest.fixture
def open_folder() -> Generator[Path]:
    """A folder whose way is open to every user; pytest's own is its owner's alone."""
    with tempfile.TemporaryDirectory(prefix="plugineval-") as folder:
        yield Path(folder)


def test_a_read_only_home_is_one_sentence_and_loses_nothing(open_folder: Path) -> None:
    home, places = open_folder / "home", [open_folder, open_folder / "home"]
    run = measured(home)
    files = [open_folder / "cases.jsonl", *home.glob("plugineval.db*")]
    home.chmod(0o555)
    with as_ordinary_user(*places, *files):
        called = plugineval("evaluate", open_folder / "cases.jsonl", *NEVER, "--home", home, "--json")
    home.chmod(0o755)
    assert "read-only" in refused(called)
    assert plugineval("report", run, "--home", home, "--json").code == 0


def test_a_database_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    measured(home)
    database = sqlite3.connect(home / "plugineval.db")
    (before,) = database.execute("SELECT version_num FROM alembic_version").fetchone()
    database.execute("UPDATE alembic_version SET version_num = 'm9999'")
    database.commit()
    assert "newer version" in refused(plugineval("report", "--home", home, "--json"))
    database.execute("UPDATE alembic_version SET version_num = ?", (before,))
    database.commit()
    database.close()
    assert plugineval("report", "--home", home, "--json").code == 0


def test_there_is_no_report_before_the_first_run(tmp_path: Path) -> None:
    assert "plugineval demo" in refused(plugineval("report", "--home", tmp_path, "--json"))


@pytest.mark.parametrize(
    "words",
    [
        ("build",),
        ("build", "--plugin", "a", "--name", "b", "--size", "0"),
        ("report", "--nope"),
        ("report", "a", "b"),
        ("evaluate",),
        ("nothing",),
    ],
)
def test_a_mistyped_command_line_is_one_object_too(words: tuple[str, ...]) -> None:
    called = plugineval(*words, "--json")
    assert refused(called).startswith("command line: ")


def test_people_get_the_usage_of_a_mistyped_command_line() -> None:
    called = plugineval("report", "--nope")
    assert (called.code, called.out) == (2, "")
    assert "plugineval report -h" in called.err
