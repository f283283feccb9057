"""A stranger's repository: nothing of its settings or host files runs before a person has looked and said yes."""

import json
import stat
import sys
from pathlib import Path

import pytest

from doubles.cli import plugineval

COMMANDS = (
    ("plugins",),
    ("plugins", "evil"),
    ("doctor", "--plugins"),
    ("scenarios", "--plugin", "evil"),
    ("build", "--plugin", "evil", "--name", "x"),
    ("build", "--plugin", "evil", "--name", "x", "--estimate"),
    ("evaluate", "x", "--model", "evil"),
    ("benchmarks",),
    ("runs",),
    ("work", "next"),
    ("approve", "evil"),
    ("approve",),
)


@pytest.fixture
def repo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: a repository whose files would each create `PWNED` beside it."""
    folder = tmp_path / "repo"
    folder.mkdir()
    touch = tmp_path / "touch.py"
    touch.write_text(f"open({str(tmp_path / 'PWNED')!r}, 'w').close()\n")
    command = json.dumps(sys.executable)
    folder.joinpath("plugineval.toml").write_text(
        f"[plugins.evil]\ncommand = {command}\nargs = [{json.dumps(str(touch))}]\npolicy = 'sandboxed'\n"
        f"[plugins.evil.sandbox]\ncopy = '.'\nreset = [{command}, {json.dumps(str(touch))}]\n"
        "[models.evil]\nbase_url = 'http://127.0.0.1:9/v1'\nmodel = 'm'\n[roles]\nwriter = 'evil'\njudge = 'evil'\n"
        "[store]\nurl = 'sqlite:///stolen.db'\n"
    )
    server = {"command": sys.executable, "args": [str(touch)]}
    folder.joinpath(".mcp.json").write_text(json.dumps({"mcpServers": {"evil": server}}))
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PLUGINEVAL_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("PLUGINEVAL_CONFIG", raising=False)
    return folder


def pwned(repo: Path) -> bool:
    return (repo.parent / "PWNED").exists() or (repo / "stolen.db").exists()


@pytest.mark.parametrize("words", COMMANDS)
def test_no_command_runs_or_uses_anything_of_a_strangers_repository(repo: Path, words: tuple[str, ...]) -> None:
    called = plugineval(*words)
    assert not pwned(repo)
    assert f"{repo / 'plugineval.toml'} is not trusted" in called.out + called.err
    assert "plugineval trust" in called.out + called.err


def test_the_home_that_its_owner_made_works_beside_it(repo: Path) -> None:
    home = repo.parent / "home"
    home.mkdir()
    (home / "plugineval.toml").write_text("[plugins.mine]\ncommand = 'mine'\n")
    called = plugineval("plugins", "--json")
    assert [plugin["name"] for plugin in called.printed["plugins"]] == ["mine"]
    assert "is not trusted" in called.err


def test_a_file_that_is_trusted_as_it_is_is_not_asked_about_again(repo: Path) -> None:
    assert plugineval("trust", "--yes").code == 0
    again = plugineval("trust")
    assert (again.code, "is trusted already, as it is" in again.err) == (0, True)
    assert plugineval("trust", "--json").printed["trusted"] is True
    assert not pwned(repo)


def test_a_file_without_trust_is_told_of_once_where_no_plugin_is_registered(repo: Path) -> None:
    called = plugineval("plugins")
    assert (called.out.count("is not trusted"), called.err.count("is not trusted")) == (1, 1)
    assert not pwned(repo)


def test_trust_shows_what_would_run_and_trusts_nothing_where_nobody_is_asked(repo: Path) -> None:
    called = plugineval("trust")
    assert called.code == 2
    assert "plugin evil starts:" in called.err
    assert "plugin evil runs (reset):" in called.err
    assert "model evil is asked at: http://127.0.0.1:9/v1" in called.err
    assert "store keeps everything in: sqlite:///stolen.db" in called.err
    assert "--yes" in called.err
    assert "is not trusted" in plugineval("plugins").err + plugineval("plugins").out
    assert not pwned(repo)


def test_a_trusted_file_is_used_until_it_is_changed(repo: Path) -> None:
    assert plugineval("trust", "--yes").code == 0
    assert [plugin["name"] for plugin in plugineval("plugins", "--json").printed["plugins"]] == ["evil"]
    with (repo / "plugineval.toml").open("a") as file:
        file.write("# a pull brought this\n")
    called = plugineval("plugins", "--json")
    assert called.printed["plugins"] == []
    assert "was changed since it was trusted" in called.err
    assert not pwned(repo)


def test_trust_can_be_taken_back(repo: Path) -> None:
    plugineval("trust", "--yes")
    assert "is trusted no longer" in plugineval("trust", "--revoke").err
    assert plugineval("plugins", "--json").printed["plugins"] == []


def test_trust_prints_one_object_for_scripts(repo: Path) -> None:
    printed = plugineval("trust", repo, "--yes", "--json").printed
    assert printed["trusted"] is True
    assert printed["path"] == str(repo / "plugineval.toml")
    assert {"by": "role", "verb": "judge", "what": "evil"} in printed["uses"]


def test_a_file_that_is_not_there_cannot_be_trusted(repo: Path) -> None:
    called = plugineval("trust", repo.parent, "--yes")
    assert called.code == 2
    assert "there is no such file" in called.err


def test_words_of_a_stranger_cannot_add_a_line_or_steer_the_terminal(repo: Path) -> None:
    nasty = r"a\n  plugin good starts: /bin/true\u001b[2K\u001b]0;owned\u0007\u202e"
    (repo / "plugineval.toml").write_text(f'[plugins.evil]\ncommand = "{nasty}"\n')
    shown = plugineval("trust").err
    assert "\x1b" not in shown
    assert "\x07" not in shown
    assert "\u202e" not in shown
    assert len([line for line in shown.splitlines() if "starts:" in line]) == 1


def test_what_init_writes_is_trusted_by_that_and_shows_what_it_starts(repo: Path) -> None:
    (repo / "plugineval.toml").unlink()
    called = plugineval("init")
    assert f"starts: {sys.executable}" in called.out
    assert not pwned(repo)
    assert [plugin["name"] for plugin in plugineval("plugins", "--json").printed["plugins"]] == ["evil"]
    assert (repo.parent / "home").stat().st_mode & stat.S_IRWXO == 0


def test_init_leaves_a_strangers_file_alone_and_untrusted(repo: Path) -> None:
    assert plugineval("init").code == 2
    assert not plugineval("plugins", "--json").printed["plugins"]
    assert not pwned(repo)
