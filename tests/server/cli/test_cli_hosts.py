import itertools
import json
import os
import sys
from pathlib import Path
from typing import Any, NamedTuple

import json5
import jsonschema_rs
import pytest
from mcp import Client, StdioServerParameters

from doubles.cli import Called, plugineval
from doubles.published_rules import MCP_SERVERS, SERVER_JSON, VSCODE

pytestmark = pytest.mark.anyio

SETTINGS = """
# "${IN_A_COMMENT}"
[plugins.notes]
url = "https://notes.example/mcp"
headers = { Authorization = "Bearer ${NOTES_TOKEN}" }

[models.fast]
base_url = "https://models.example/v1"
model = "m"
api_key_env = "FAST_API_KEY"
"""
FILES = {
    "claude-desktop": ".config/Claude/claude_desktop_config.json",
    "vscode": ".config/Code/User/mcp.json",
    "cursor": ".cursor/mcp.json",
}
RULES = {"claude-desktop": MCP_SERVERS, "vscode": VSCODE, "cursor": MCP_SERVERS}
VSCODE_FILE = '{\n  // mine\n  "servers": {\n    "time": { "command": "uvx", "args": ["mcp-server-time"] },\n  },\n}\n'


class Machine(NamedTuple):
    user: Path
    home: Path

    def file(self, host: str) -> Path:
        path = self.user / FILES[host]
        path.parent.mkdir(parents=True, exist_ok=True)
        return path


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    """A person's home directory and working directory, and a home of PluginEval with settings."""
    user, home, project = tmp_path / "user", tmp_path / "home", tmp_path / "project"
    for folder in (user, home, project):
        folder.mkdir()
    (home / "plugineval.toml").write_text(SETTINGS)
    monkeypatch.setenv("HOME", str(user))
    for name in ("XDG_CONFIG_HOME", "CLAUDE_CONFIG_DIR", "PLUGINEVAL_HOME", "PLUGINEVAL_CONFIG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.chdir(project)
    return Machine(user, home)


def hosts(machine: Machine, *words: object) -> Called:
    return plugineval("hosts", *words, "--home", machine.home)


def entry_in(path: Path) -> dict[str, Any]:
    document: dict[str, dict[str, dict[str, Any]]] = json5.loads(path.read_text())
    return (document.get("mcpServers") or document["servers"])["plugineval"]


@pytest.mark.parametrize("host", FILES)
def test_an_installation_keeps_to_what_its_host_publishes_and_asks_for_no_secret(machine: Machine, host: str) -> None:
    path = machine.file(host)
    called = hosts(machine, "install", host, "--yes")
    assert called.code == 0, called.err
    jsonschema_rs.validate(RULES[host], json.loads(path.read_text()))
    environment = entry_in(path)["env"]
    assert environment["PLUGINEVAL_HOME"] == str(machine.home)
    assert "IN_A_COMMENT" not in environment
    if host == "claude-desktop":
        assert set(environment) == {"PLUGINEVAL_HOME"}
        assert "NOTES_TOKEN, FAST_API_KEY" in called.err
    else:
        assert environment["FAST_API_KEY"] == "${env:FAST_API_KEY}"
        assert environment["NOTES_TOKEN"] == "${env:NOTES_TOKEN}"


@pytest.mark.parametrize(
    "words", [("claude-desktop",), ("claude-code", "--scope", "project"), ("vscode",), ("cursor",)]
)
async def test_the_server_that_was_written_down_starts_and_speaks_mcp(machine: Machine, words: tuple[str, ...]) -> None:
    path = machine.file(words[0]) if words[0] in FILES else Path(".mcp.json")
    assert hosts(machine, "install", *words, "--yes").code == 0
    entry = entry_in(path)
    # As a host does that knows no such variables: it hands the references over as they are.
    server = StdioServerParameters(
        command=entry["command"], args=entry["args"], env={**entry["env"], "PATH": os.environ["PATH"]}, cwd="/"
    )
    async with Client(server) as client:
        assert client.server_info is not None
        assert client.server_info.name == "PluginEval"
        assert len((await client.list_tools()).tools) > 10


def test_a_project_of_claude_code_gets_the_portable_file(machine: Machine) -> None:
    called = hosts(machine, "install", "claude-code", "--scope", "project", "--yes")
    assert "holds paths of this machine" in called.err
    document = json.loads(Path(".mcp.json").read_text())
    jsonschema_rs.validate(MCP_SERVERS, document)
    assert document["mcpServers"]["plugineval"]["type"] == "stdio"
    assert document["mcpServers"]["plugineval"]["env"]["FAST_API_KEY"] == "${FAST_API_KEY:-}"


def test_a_change_is_shown_and_nothing_is_changed_until_somebody_agrees(machine: Machine) -> None:
    path = machine.file("vscode")
    path.write_text(VSCODE_FILE)
    refused = hosts(machine, "install", "vscode")
    assert refused.code == 2
    assert '+    "plugineval": {' in refused.err
    assert "hosts install vscode --yes" in refused.err
    dry = hosts(machine, "install", "vscode", "--dry-run")
    assert dry.code == 0
    assert '+    "plugineval": {' in dry.out
    assert path.read_text() == VSCODE_FILE
    assert [*path.parent.iterdir()] == [path]


def test_installing_and_uninstalling_leave_the_file_as_it_was_with_a_copy_of_each(machine: Machine) -> None:
    path = machine.file("vscode")
    path.write_text(VSCODE_FILE)
    assert hosts(machine, "install", "vscode", "--yes").code == 0
    assert "// mine" in path.read_text()
    again = hosts(machine, "install", "vscode", "--json")
    assert (again.code, again.printed["changed"]) == (0, False)
    assert hosts(machine, "uninstall", "vscode", "--yes").code == 0
    assert path.read_text() == VSCODE_FILE
    assert len([*path.parent.glob("*.bak")]) == 2
    assert "does not list plugineval" in hosts(machine, "uninstall", "vscode").err


def test_the_entry_is_printed_for_whoever_puts_it_in_place_by_hand(machine: Machine) -> None:
    assert "plugineval" in json.loads(hosts(machine, "install", "cursor", "--print").out)["mcpServers"]
    line = hosts(machine, "install", "claude-code", "--print").out
    assert line.startswith("claude mcp add --transport stdio --env ")
    assert line.rstrip().endswith("plugineval serve")


def test_settings_that_a_host_would_not_find_by_itself_are_named(machine: Machine, tmp_path: Path) -> None:
    path, other = machine.file("cursor"), tmp_path / "other.toml"
    other.write_text("")
    assert hosts(machine, "install", "cursor", "--yes", "--config", other).code == 0
    assert entry_in(path)["env"] == {"PLUGINEVAL_HOME": str(machine.home), "PLUGINEVAL_CONFIG": str(other)}


def test_hosts_are_listed_with_their_files_and_whether_plugineval_is_in_them(machine: Machine) -> None:
    machine.file("cursor").write_text('{"mcpServers": {"plugineval": {"command": "/gone/plugineval"}}}')
    machine.file("vscode").write_text("{broken")
    machine.file("claude-desktop")
    assert hosts(machine, "install", "claude-desktop", "--yes").code == 0
    rows = hosts(machine, "--json").printed["hosts"]
    states = {(row["host"], row["scope"]): row["state"] for row in rows}
    assert states == {
        ("claude-desktop", "user"): "installed",
        ("claude-code", "user"): "no host",
        ("claude-code", "project"): "no file",
        ("vscode", "user"): "unreadable",
        ("vscode", "project"): "no file",
        ("cursor", "user"): "other",
        ("cursor", "project"): "no file",
    }
    assert "/gone/plugineval" in hosts(machine).out


def test_a_host_has_to_be_named_and_known(machine: Machine) -> None:
    assert "claude-desktop, claude-code, vscode, cursor" in hosts(machine, "install").err
    assert hosts(machine, "install", "emacs").code == 2


CLAUDE = """#!/bin/sh
printf '%s\\n' "$@" > "$HOME/called"
exit {code}
"""


def claude(machine: Machine, monkeypatch: pytest.MonkeyPatch, code: int = 0) -> None:
    program = machine.user / "bin" / "claude"
    program.parent.mkdir()
    program.write_text(CLAUDE.format(code=code))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")


def test_claude_code_adds_and_removes_for_the_user_by_its_own_command(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude(machine, monkeypatch)
    assert hosts(machine, "install", "claude-code", "--yes").code == 0
    words = (machine.user / "called").read_text().splitlines()
    assert words[:5] == ["mcp", "add", "--transport", "stdio", "--env"]
    assert words[words.index("--scope") :][:4] == ["--scope", "user", "--", "plugineval"]
    assert "FAST_API_KEY=${FAST_API_KEY:-}" in words
    pairs = [word.split("=", 1) for before, word in itertools.pairwise(words) if before == "--env"]
    added = {"type": "stdio", "command": words[-2], "args": ["serve"], "env": dict(pairs)}
    (machine.user / ".claude.json").write_text(json.dumps({"mcpServers": {"plugineval": added}}))
    again = hosts(machine, "install", "claude-code", "--yes", "--json")
    assert again.printed["changed"] is False
    assert hosts(machine, "uninstall", "claude-code", "--yes").code == 0
    assert (machine.user / "called").read_text().split() == ["mcp", "remove", "--scope", "user", "plugineval"]


def test_without_claude_code_the_command_is_offered_and_a_refusal_is_told(
    machine: Machine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(machine.user))
    missing = hosts(machine, "install", "claude-code", "--yes")
    assert missing.code == 2
    assert "claude mcp add --transport stdio" in missing.err
    assert "--scope project" in missing.err
    claude(machine, monkeypatch, code=1)
    monkeypatch.setenv("PATH", f"{machine.user}/bin:/usr/bin:/bin")
    assert "claude refused" in hosts(machine, "install", "claude-code", "--yes").err


def test_the_registry_gets_what_it_publishes_about_and_nobodys_name(machine: Machine) -> None:
    called = plugineval("hosts", "registry", "--namespace", "io.github.somebody")
    document = json.loads(called.out)
    jsonschema_rs.validate(SERVER_JSON, document)
    assert document["name"] == "io.github.somebody/plugineval"
    assert "mcp-name: io.github.somebody/plugineval" in called.err
    for namespace in ((), ("--namespace", "no domain"), ("--namespace", "io")):
        refused = plugineval("hosts", "registry", *namespace)
        assert refused.code == 2
        assert "--namespace io.github.USER" in refused.err
    assert not jsonschema_rs.is_valid(SERVER_JSON, {**document, "name": "no namespace"})
