import json
import os
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from plugineval.pccf.errors import ConfigurationError
from plugineval.server.cli.init import Surroundings, init_command, initialise, installed_demo_plugins
from plugineval.server.settings.loading import load_settings

SECRET = "sk-live-0123456789abcdef"


@pytest.fixture
def around(tmp_path: Path) -> Surroundings:
    cwd, home = tmp_path / "project", tmp_path / "user"
    cwd.mkdir()
    home.mkdir()
    return Surroundings(cwd=cwd, home=home, platform="linux", environ={"PATH": os.environ["PATH"]})


def write(path: Path, servers: dict[str, object]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"mcpServers": servers}))
    return path


def test_what_the_project_and_the_user_already_use_is_registered_without_its_secrets(around: Surroundings) -> None:
    write(around.cwd / ".mcp.json", {"time": {"command": "uvx", "args": ["mcp-server-time"]}})
    write(around.home / ".cursor" / "mcp.json", {"hub": {"command": "hub", "env": {"HUB_TOKEN": SECRET}}})
    done = initialise(around, source=None, output=None, force=False)
    assert done.path == around.cwd / "plugineval.toml"
    assert done.unset == ("HUB_TOKEN",)
    assert SECRET not in done.path.read_text()
    settings = load_settings(config=done.path, home=around.home, environ={"HUB_TOKEN": "t"}, cwd=around.cwd)
    assert set(settings.plugins) == {"time", "hub"}
    assert settings.plugin("hub").env["HUB_TOKEN"].get_secret_value() == "t"


def test_a_missing_export_stops_the_plugin_that_needs_it_and_no_other(around: Surroundings) -> None:
    write(around.cwd / ".mcp.json", {"a": {"command": "a", "env": {"A_TOKEN": SECRET}}, "b": {"command": "b"}})
    done = initialise(around, source=None, output=None, force=False)
    settings = load_settings(config=done.path, home=around.home, environ={}, cwd=around.cwd)
    assert list(settings.plugins) == ["b"]
    with pytest.raises(ConfigurationError, match="A_TOKEN is not set"):
        settings.plugin("a")


def test_a_named_file_is_the_only_one_that_is_read(around: Surroundings) -> None:
    write(around.cwd / ".mcp.json", {"time": {"command": "t"}})
    other = write(around.home / "claude_desktop_config.json", {"math": {"command": "m"}})
    done = initialise(around, source=other, output=Path("sub/mine.toml"), force=False)
    assert [plugin.registration.name for plugin in done.found.imported] == ["math"]
    assert done.path == around.cwd / "sub" / "mine.toml"
    assert done.path.is_file()


def test_a_named_folder_is_searched_for_host_files(around: Surroundings) -> None:
    write(around.home / "app" / ".vscode" / "mcp.json", {"time": {"command": "t"}})
    done = initialise(around, source=around.home / "app", output=None, force=False)
    assert [plugin.registration.name for plugin in done.found.imported] == ["time"]
    with pytest.raises(ConfigurationError, match="holds no host configuration"):
        initialise(around, source=around.home, output=None, force=True)


def test_a_named_file_that_lists_no_servers_is_refused_and_nothing_is_written(around: Surroundings) -> None:
    path = around.home / "x.json"
    path.write_text("{}")
    with pytest.raises(ConfigurationError, match="lists no MCP servers"):
        initialise(around, source=path, output=None, force=False)
    assert not (around.cwd / "plugineval.toml").exists()


def test_without_any_host_the_demo_servers_that_are_installed_are_registered(around: Surroundings) -> None:
    bin_folder = around.home / "bin"
    bin_folder.mkdir()
    script = bin_folder / "mcp-server-time"
    script.write_text("#!/bin/sh\n")
    script.chmod(0o755)
    found = installed_demo_plugins({"PATH": str(bin_folder)})
    assert ("time", "mcp-server-time") in [(plugin.name, plugin.command) for plugin in found]
    done = initialise(around, source=None, output=None, force=False)
    assert done.found.imported == ()
    settings = load_settings(config=done.path, home=around.home, environ={}, cwd=around.cwd)
    assert tuple(settings.plugins) == tuple(plugin.name for plugin in done.starters)


def run(around: Surroundings, monkeypatch: pytest.MonkeyPatch, *arguments: str) -> tuple[int, str, str]:
    monkeypatch.chdir(around.cwd)
    monkeypatch.setenv("HOME", str(around.home))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    app = typer.Typer()
    app.command()(init_command)
    result = CliRunner().invoke(app, list(arguments))
    return result.exit_code, result.stdout, result.stderr


def test_the_command_shows_what_it_imported_what_it_skipped_and_what_to_export(
    around: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        around.cwd / ".mcp.json",
        {"hub": {"command": "hub", "env": {"HUB_TOKEN": SECRET}}, "old\x1b[2J": {"type": "sse", "url": "http://h"}},
    )
    code, stdout, _ = run(around, monkeypatch)
    assert code == 0
    assert "+ hub" in stdout
    assert "skipped, it uses the retired SSE transport" in stdout
    assert "export HUB_TOKEN=..." in stdout
    assert SECRET not in stdout
    assert "\x1b[2J" not in stdout


def test_the_command_prints_one_object_for_scripts(around: Surroundings, monkeypatch: pytest.MonkeyPatch) -> None:
    write(around.cwd / ".mcp.json", {"hub": {"command": "hub", "env": {"HUB_TOKEN": SECRET}}, "x": "y"})
    code, stdout, _ = run(around, monkeypatch, "--json")
    printed = json.loads(stdout)
    assert code == 0
    assert [plugin["name"] for plugin in printed["imported"]] == ["hub"]
    assert printed["skipped"][0]["reason"] == "the entry is not an object"
    assert printed["export"] == ["HUB_TOKEN"]
    assert SECRET not in stdout


def test_the_command_leaves_an_existing_file_alone_with_exit_code_2(
    around: Surroundings, monkeypatch: pytest.MonkeyPatch
) -> None:
    (around.cwd / "plugineval.toml").write_text("# mine")
    code, stdout, stderr = run(around, monkeypatch, "--json")
    assert code == 2
    assert json.loads(stdout)["error"]["kind"] == "ConfigurationError"
    assert "--force" in stderr
    assert (around.cwd / "plugineval.toml").read_text() == "# mine"
    code, stdout, _ = run(around, monkeypatch, "--force", "--json")
    assert code == 0
    assert Path(json.loads(stdout)["kept"]).read_text() == "# mine"
