import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from pydantic import SecretStr

from plugineval.clients.hosts.document import server_entries
from plugineval.clients.hosts.host_file import Host, HostFile
from plugineval.clients.hosts.importing import import_hosts
from plugineval.clients.hosts.imports import HostImport, ImportedPlugin
from plugineval.clients.plugins.registration import ExecutionPolicy
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Json

SECRET = "sk-live-0123456789abcdef"


def file_of(folder: Path, name: str, document: Json | str, *, project: bool = True) -> HostFile:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(document if isinstance(document, str) else json.dumps(document))
    return HostFile(host=Host.OTHER, path=path, project=folder if project else None)


def imported(folder: Path, servers: dict[str, Json]) -> HostImport:
    return import_hosts([file_of(folder, ".mcp.json", {"mcpServers": servers})], folder=folder, home=Path("/srv/me"))


def only(found: HostImport) -> ImportedPlugin:
    assert found.skipped == ()
    (plugin,) = found.imported
    return plugin


def plain(values: Mapping[str, SecretStr]) -> dict[str, str]:
    return {name: value.get_secret_value() for name, value in values.items()}


def test_a_stdio_server_becomes_a_registration_that_executes_only_what_reads(tmp_path: Path) -> None:
    entry: Json = {"type": "stdio", "command": "uvx", "args": ["mcp-server-time", 8080], "env": {"LEVEL": "debug"}}
    plugin = only(imported(tmp_path, {"time": entry}))
    registration = plugin.registration
    assert (registration.name, registration.command) == ("time", "uvx")
    assert registration.args == ("mcp-server-time", "8080")
    assert plain(registration.env) == {"LEVEL": "debug"}
    assert registration.policy is ExecutionPolicy.READ_ONLY
    assert registration.cwd is None
    assert plugin.to_export == ()


@pytest.mark.parametrize("kind", ["http", "streamable-http", "streamableHttp", None])
def test_an_http_server_becomes_a_registration(tmp_path: Path, kind: str | None) -> None:
    entry: dict[str, Json] = {"url": "https://notes.example/mcp", "headers": {"X-Team": "blue"}}
    plugin = only(imported(tmp_path, {"notes": entry | ({"type": kind} if kind else {})}))
    assert plugin.registration.url == "https://notes.example/mcp"
    assert plain(plugin.registration.headers) == {"X-Team": "blue"}


@pytest.mark.parametrize(
    ("entry", "left", "export"),
    [
        ({"command": "c", "env": {"GITHUB_TOKEN": SECRET}}, "GITHUB_TOKEN", "GITHUB_TOKEN"),
        ({"command": "c", "env": {"DB": f"postgres://me:{SECRET}@h/db"}}, "postgres://me:${HUB_PASSWORD}@h/db", ""),
        ({"command": "c", "args": ["--api-key", SECRET]}, "${HUB_API_KEY}", "HUB_API_KEY"),
        ({"command": "c", "args": [f"--api-key={SECRET}"]}, "--api-key=${HUB_API_KEY}", "HUB_API_KEY"),
        ({"command": "docker", "args": ["-e", f"HUB_TOKEN={SECRET}"]}, "HUB_TOKEN=${HUB_TOKEN}", "HUB_TOKEN"),
        ({"command": "c", "args": [f"Authorization: Bearer {SECRET}"]}, "Bearer ${HUB_AUTHORIZATION}", ""),
        ({"url": "https://h/mcp", "headers": {"Authorization": f"Bearer {SECRET}"}}, "Bearer ${HUB_AUTHORIZATION}", ""),
        ({"url": f"https://h/mcp?apiKey={SECRET}&v=2"}, "https://h/mcp?apiKey=${HUB_APIKEY}&v=2", "HUB_APIKEY"),
        ({"url": "https://h/s/9b74c9897bac770ffc029102a200c5de/mcp"}, "https://h/s/${HUB_KEY}/mcp", "HUB_KEY"),
    ],
)
def test_a_secret_stays_behind_wherever_it_is_written(
    tmp_path: Path, entry: dict[str, Json], left: str, export: str
) -> None:
    plugin = only(imported(tmp_path, {"hub": entry}))
    everything = json.dumps(
        [plain(plugin.registration.env), plain(plugin.registration.headers), plugin.model_dump(mode="json")]
    )
    assert SECRET not in everything
    assert "9b74c9897bac770ffc029102a200c5de" not in everything
    assert left in everything
    assert len(plugin.to_export) == 1
    assert export in plugin.to_export[0]


def test_two_secrets_never_share_a_variable_and_one_secret_keeps_one(tmp_path: Path) -> None:
    servers: dict[str, Json] = {
        "a": {"command": "a", "env": {"API_KEY": "one"}},
        "b": {"command": "b", "env": {"API_KEY": "two"}},
        "c": {"command": "c", "env": {"API_KEY": "one"}},
        "d": {"command": "d", "env": {"API_KEY": "${API_KEY}"}},
    }
    found = imported(tmp_path, servers)
    values = [plain(plugin.registration.env)["API_KEY"] for plugin in found.imported]
    assert values == ["${A_API_KEY}", "${B_API_KEY}", "${A_API_KEY}", "${API_KEY}"]
    assert found.to_export == ("A_API_KEY", "B_API_KEY", "API_KEY")


def test_variables_of_hosts_are_rewritten_in_our_spelling(tmp_path: Path) -> None:
    entry: Json = {
        "command": "c",
        "args": ["${workspaceFolder}/data", "${userHome}/x", "${env:REGION}", "${ZONE:-eu}", "${input:team-id}"],
        "env": {"PERPLEXITY_API_KEY": "${input:perplexity-key}"},
    }
    plugin = only(imported(tmp_path, {"p": entry}))
    assert plugin.registration.args == (f"{tmp_path}/data", "/srv/me/x", "${REGION}", "${ZONE:-eu}", "${TEAM_ID}")
    assert plain(plugin.registration.env) == {"PERPLEXITY_API_KEY": "${PERPLEXITY_API_KEY}"}
    assert plugin.to_export == ("REGION", "TEAM_ID", "PERPLEXITY_API_KEY")
    assert any("asks for team-id, perplexity-key" in note for note in plugin.notes)


@pytest.mark.requirement("X11")
@pytest.mark.parametrize(
    ("name", "entry", "reason"),
    [
        ("old", {"type": "sse", "url": "http://h/sse"}, "SSE"),
        ("odd", {"type": "websocket", "url": "ws://h"}, "'websocket' is not supported"),
        ("off", {"command": "c", "disabled": True}, "disabled"),
        ("empty", {}, "no command"),
        ("urlless", {"type": "http"}, "no url"),
        ("text", "uvx thing", "not an object"),
        ("asks", {"command": "${command:pick}"}, "${command:pick}"),
        ("plugineval", {"command": "anything"}, "PluginEval itself"),
        ("bench", {"command": "/venv/bin/plugineval", "args": ["serve"]}, "PluginEval itself"),
        ("bench", {"command": "uvx", "args": ["plugineval==1.0", "serve"]}, "PluginEval itself"),
        ("bench", {"command": "C:\\venv\\plugineval.exe"}, "PluginEval itself"),
    ],
)
def test_an_entry_that_cannot_be_used_is_listed_with_its_reason(
    tmp_path: Path, name: str, entry: Json, reason: str
) -> None:
    found = imported(tmp_path, {name: entry})
    assert found.imported == ()
    (skipped,) = found.skipped
    assert skipped.name == name
    assert reason in skipped.reason


def test_names_are_made_acceptable_and_numbered_where_they_collide(tmp_path: Path) -> None:
    servers: dict[str, Json] = {
        "my server": {"command": "a"},
        "my/server": {"command": "b"},
        "日本": {"command": "c"},
        "x" * 80: {"command": "d"},
    }
    names = [plugin.registration.name for plugin in imported(tmp_path, servers).imported]
    assert names == ["my-server", "my-server-2", "plugin", "x" * 64]


def test_the_same_server_in_two_files_is_imported_once_and_said_so(tmp_path: Path) -> None:
    first = file_of(tmp_path, ".mcp.json", {"mcpServers": {"time": {"command": "t"}, "x": {"command": "x"}}})
    second = file_of(tmp_path, "other.json", {"mcpServers": {"clock": {"command": "t"}, "x": {"command": "y"}}})
    found = import_hosts([first, second], folder=tmp_path, home=tmp_path)
    assert [plugin.registration.name for plugin in found.imported] == ["time", "x", "x-2"]
    assert "same server as time" in found.skipped[0].reason


def test_a_server_is_started_in_the_project_only_where_it_needs_to_be(tmp_path: Path) -> None:
    (tmp_path / "server.py").write_text("")
    servers: dict[str, Json] = {
        "own": {"command": "python", "args": ["server.py"]},
        "script": {"command": "./run.sh"},
        "far": {"command": "uvx", "args": ["server-time"]},
        "said": {"command": "c", "cwd": "sub"},
    }
    own, script, far, said = imported(tmp_path, servers).imported
    assert own.registration.cwd == tmp_path
    assert "server.py" in own.notes[0]
    assert script.registration.command == str(tmp_path / "run.sh")
    assert far.registration.cwd is None
    assert said.registration.cwd == tmp_path / "sub"


def test_what_is_not_carried_over_is_named(tmp_path: Path) -> None:
    entry: Json = {"command": "c", "autoApprove": ["x"], "timeout": 5, "envFile": ".env"}
    notes = only(imported(tmp_path, {"p": entry})).notes
    assert "not carried over: autoApprove, timeout" in notes
    assert any("envFile" in note for note in notes)


def test_comments_and_trailing_commas_of_an_editors_file_are_read(tmp_path: Path) -> None:
    text = """{
      // servers of this project
      "servers": { "time": { "command": "uvx", "args": ["http://not-a-comment"], }, },
      /* asked for */ "inputs": [],
    }"""
    found = import_hosts([file_of(tmp_path, ".vscode/mcp.json", text)], folder=tmp_path, home=tmp_path)
    assert only(found).registration.args == ("http://not-a-comment",)


def test_servers_of_the_user_and_of_this_project_are_read_from_one_file(tmp_path: Path) -> None:
    document: Json = {
        "mcpServers": {"mine": {"command": "a"}},
        "projects": {str(tmp_path): {"mcpServers": {"here": {"command": "b"}}}, "/else": {"mcpServers": {"no": {}}}},
    }
    assert list(server_entries(file_of(tmp_path, ".claude.json", document), tmp_path)) == ["mine", "here"]


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ('{\n "mcpServers": {\n "a" "b"\n}}', "line 3: this is not JSON"),
        ("[]", "lists no MCP servers"),
        ('{"theme": "dark"}', "mcpServers, servers"),
        ("[" * 100_000, "nested too deeply"),
        ("", "not JSON"),
    ],
)
def test_a_file_that_cannot_be_read_says_why(tmp_path: Path, text: str, says: str) -> None:
    file = file_of(tmp_path, ".mcp.json", text)
    with pytest.raises(ConfigurationError, match=says):
        server_entries(file, tmp_path)


def test_one_broken_file_does_not_hide_the_others(tmp_path: Path) -> None:
    broken = file_of(tmp_path, "broken.json", "{")
    sound = file_of(tmp_path, ".mcp.json", {"mcpServers": {"time": {"command": "t"}}})
    gone = HostFile(host=Host.OTHER, path=tmp_path / "gone.json")
    binary = file_of(tmp_path, "binary.json", "")
    binary.path.write_bytes(b"\xff\xfe\x00")
    found = import_hosts([broken, gone, binary, sound], folder=tmp_path, home=tmp_path)
    assert len(found.imported) == 1
    assert [file.path.name for file in found.unread] == ["broken.json", "gone.json", "binary.json"]


def test_an_environment_variable_keeps_its_name_and_a_secret_argument_takes_another(tmp_path: Path) -> None:
    entry: Json = {"command": "c", "args": ["API_KEY=sk-aaaaaaaaaaaa"], "env": {"API_KEY": "sk-bbbbbbbbbbbb"}}
    plugin = only(imported(tmp_path, {"p": entry}))
    assert plain(plugin.registration.env) == {"API_KEY": "${API_KEY}"}
    assert plugin.registration.args == ("API_KEY=${P_API_KEY}",)
