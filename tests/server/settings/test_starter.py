import os
import stat
import tomllib
from pathlib import Path

import pytest
from pydantic import SecretStr

from plugineval.clients.plugins.registration import ExecutionPolicy, PluginRegistration
from plugineval.pccf.errors import ConfigurationError
from plugineval.server.settings.loading import load_settings
from plugineval.server.settings.starter import StarterPlugin, starter_text
from plugineval.server.settings.writing import write_settings

STDIO = PluginRegistration(
    name="hub",
    command="C:\\tools\\hub.exe",
    args=("--mode", 'say "hi"\n'),
    env={"TOKEN": SecretStr("${HUB_TOKEN}")},
    cwd=Path("/data"),
    policy=ExecutionPolicy.NEVER,
)
HTTP = PluginRegistration(name="notes", url="https://notes.example/mcp", headers={"X-Key": SecretStr("${NOTES_KEY}")})


def test_what_is_written_reads_back_as_the_same_registrations(tmp_path: Path) -> None:
    text = starter_text([StarterPlugin(STDIO, ("from a file",)), StarterPlugin(HTTP)])
    write_settings(tmp_path / "plugineval.toml", text, force=False)
    environ = {"HUB_TOKEN": "t", "NOTES_KEY": "k"}
    settings = load_settings(config=None, home=tmp_path, environ=environ, cwd=tmp_path)
    hub = settings.plugin("hub")
    assert hub.model_copy(update={"env": {}, "command": None}) == STDIO.model_copy(update={"env": {}, "command": None})
    assert hub.command == str(tmp_path / "C:\\tools\\hub.exe") if os.name == "nt" else hub.command == STDIO.command
    assert hub.env["TOKEN"].get_secret_value() == "t"
    assert settings.plugin("notes").headers["X-Key"].get_secret_value() == "k"


def test_a_remark_of_a_foreign_file_cannot_write_settings(tmp_path: Path) -> None:
    remark = 'not carried over: x\n[plugins.evil]\ncommand = "rm"\r\x1b[2J'
    tables = tomllib.loads(starter_text([StarterPlugin(HTTP, (remark,))]))
    assert list(tables["plugins"]) == ["notes"]


def test_without_plugins_the_file_holds_commented_examples_and_is_sound(tmp_path: Path) -> None:
    text = starter_text([])
    assert tomllib.loads(text) == {}
    for example in ("# [plugins.math]", "# [models.fast]", "# [roles]", "sandboxed"):
        assert example in text


def test_the_commented_examples_work_when_their_comment_signs_go(tmp_path: Path) -> None:
    lines = starter_text([]).split("\n")
    start = lines.index("# [plugins.math]")
    prose = ("# A model is", "# Who builds", "# key, and it is")
    live = [line.removeprefix("#").removeprefix(" ") for line in lines[start:] if not line.startswith(prose)]
    (tmp_path / "plugineval.toml").write_text("\n".join(live))
    settings = load_settings(config=None, home=tmp_path, environ={"NOTES_TOKEN": "t"}, cwd=tmp_path)
    assert set(settings.plugins) == {"math", "notes"}
    assert settings.roles.router == "fast"


def test_a_file_that_is_there_is_never_replaced_unasked(tmp_path: Path) -> None:
    path = tmp_path / "plugineval.toml"
    path.write_text("mine")
    with pytest.raises(ConfigurationError, match=r"already there.*--force"):
        write_settings(path, "new", force=False)
    assert path.read_text() == "mine"
    assert list(tmp_path.iterdir()) == [path]


def test_force_keeps_every_file_that_was_there_before(tmp_path: Path) -> None:
    path = tmp_path / "plugineval.toml"
    path.write_text("first")
    assert write_settings(path, "second", force=True) == tmp_path / "plugineval.toml.bak"
    assert write_settings(path, "third", force=True) == tmp_path / "plugineval.toml.bak1"
    kept = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert kept == {"plugineval.toml": "third", "plugineval.toml.bak": "first", "plugineval.toml.bak1": "second"}


@pytest.mark.skipif(os.name == "nt", reason="modes are a matter of POSIX")
def test_only_its_owner_can_read_the_file(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "plugineval.toml"
    write_settings(path, "x", force=False)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_write_that_fails_leaves_the_old_file_and_no_rubbish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "plugineval.toml"

    def full(handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(ConfigurationError, match="No space left"):
        write_settings(path, "new", force=False)
    assert list(tmp_path.iterdir()) == []


def test_a_link_keeps_pointing_to_the_file_that_is_written(tmp_path: Path) -> None:
    real, link = tmp_path / "real.toml", tmp_path / "plugineval.toml"
    real.write_text("old")
    link.symlink_to(real)
    write_settings(link, "new", force=True)
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_directory_is_not_written_over(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="is a directory"):
        write_settings(tmp_path, "x", force=True)
