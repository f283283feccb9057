import json
import os
from datetime import UTC, datetime
from pathlib import Path

import json5
import pytest

from plugineval.clients.hosts.installing import FileChange, installation, removal, snippet
from plugineval.clients.hosts.known_hosts import HOSTS, Around, KnownHost, Scope, chosen_scope, known_host
from plugineval.clients.hosts.own_entry import OwnServer, own_command, own_entry
from plugineval.clients.hosts.placing import put_in_place
from plugineval.pccf.errors import ConfigurationError

SERVER = OwnServer(
    command=("/v/bin/plugineval", "serve"), environment={"PLUGINEVAL_HOME": "/h"}, variables=("FAST_API_KEY",)
)
DESKTOP, VSCODE = known_host("claude-desktop"), known_host("vscode")
NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
SECRET = "ghp_0123456789abcdefABCDEF012345"
OTHERS = {"hub": {"command": "hub", "args": ["--token", "a-bare-word"], "env": {"HUB_TOKEN": SECRET}}}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "config.json"


def install(host: KnownHost, path: Path, server: OwnServer = SERVER) -> FileChange:
    change = installation(host, path, server, Scope.USER)
    if change.needed:
        put_in_place(path, before=change.before, after=change.after, now=NOW)
    return change


@pytest.mark.parametrize("host", HOSTS, ids=[host.name for host in HOSTS])
def test_an_installation_is_made_once_beside_the_others_and_taken_out_again(host: KnownHost, path: Path) -> None:
    text = json.dumps({host.table: OTHERS, "more": [1, 2]}, indent=4)
    path.write_text(text)
    assert install(host, path).needed
    assert json.loads(path.read_text())[host.table] == {**OTHERS, "plugineval": own_entry(SERVER, host)}
    assert not install(host, path).needed
    change = removal(host, path)
    assert change is not None
    assert change.after.decode() == text


def test_a_file_that_is_not_there_or_empty_is_made(path: Path) -> None:
    change = install(DESKTOP, path)
    assert change.before is None
    assert json.loads(path.read_text()) == snippet(DESKTOP, SERVER)
    path.write_text("")
    install(DESKTOP, path)
    assert json.loads(path.read_text()) == snippet(DESKTOP, SERVER)


def test_secrets_are_referred_to_where_the_host_fills_them_in_and_asked_for_elsewhere(path: Path) -> None:
    references = {host.name: own_entry(SERVER, host)["env"] for host in HOSTS}
    home = {"PLUGINEVAL_HOME": "/h"}
    assert references == {
        "claude-desktop": home,
        "claude-code": {"FAST_API_KEY": "${FAST_API_KEY:-}", **home},
        "vscode": {"FAST_API_KEY": "${env:FAST_API_KEY}", **home},
        "cursor": {"FAST_API_KEY": "${env:FAST_API_KEY}", **home},
    }
    assert install(DESKTOP, path).to_fill == ("FAST_API_KEY",)
    assert install(VSCODE, path).to_fill == ()


def test_what_a_person_wrote_into_our_entry_stays(path: Path) -> None:
    install(DESKTOP, path)
    document = json.loads(path.read_text())
    document["mcpServers"]["plugineval"]["env"]["FAST_API_KEY"] = "typed"
    document["mcpServers"]["plugineval"]["args"] += ["--config", "/x"]
    path.write_text(json.dumps(document))
    assert install(DESKTOP, path).to_fill == ()
    assert json.loads(path.read_text()) == document
    install(DESKTOP, path, SERVER.model_copy(update={"environment": {"PLUGINEVAL_HOME": "/other"}}))
    document["mcpServers"]["plugineval"]["env"]["PLUGINEVAL_HOME"] = "/other"
    assert json.loads(path.read_text()) == document


def test_comments_stay_where_the_host_reads_them_and_are_an_error_where_it_does_not(path: Path) -> None:
    text = '{\n  // mine\n  "servers": {}, "mcpServers": {},\n}\n'
    path.write_text(text)
    with pytest.raises(ConfigurationError, match=r"line 2: this is not JSON.*its host cannot read it"):
        installation(DESKTOP, path, SERVER, Scope.USER)
    install(VSCODE, path)
    assert "// mine" in path.read_text()
    assert json5.loads(path.read_text())["servers"] == {"plugineval": own_entry(SERVER, VSCODE)}


def test_byte_order_mark_and_line_ends_stay(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf{\r\n  "mcpServers": {"\xc3\xa4": {}}\r\n}\r\n')
    install(DESKTOP, path)
    content = path.read_bytes()
    assert content.startswith(b"\xef\xbb\xbf{\r\n")
    assert content.count(b"\n") == content.count(b"\r\n")
    assert "ä".encode() in content


def broken(path: Path) -> dict[str, tuple[bytes, str]]:
    return {
        "not JSON": (b'{"mcpServers": {', "this is not JSON"),
        "no object": (b"[]", "lists no MCP servers"),
        "no table": (b'{"mcpServers": []}', "mcpServers is not an object"),
        "not UTF-8": (b'{"a": "\xff"}', "is not UTF-8"),
        "twice": (b'{"mcpServers": {}, "mcpServers": {}}', "'mcpServers' is there twice"),
        "other command": (
            b'{"mcpServers": {"plugineval": {"command": "/old/bin/plugineval", "args": ["serve"]}}}',
            "starts another command: /old/bin/plugineval serve.*hosts uninstall claude-desktop",
        ),
        "other server": (b'{"mcpServers": {"plugineval": {"command": "npx"}}}', "another server is called plugineval"),
    }


@pytest.mark.parametrize("case", broken(Path()))
def test_a_file_that_cannot_be_changed_is_left_as_it_is_and_the_next_step_is_named(case: str, path: Path) -> None:
    content, problem = broken(path)[case]
    path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=problem) as caught:
        installation(DESKTOP, path, SERVER, Scope.USER)
    assert caught.value.next_step
    assert path.read_bytes() == content
    assert [*path.parent.iterdir()] == [path]


def test_a_link_a_read_only_file_and_a_missing_folder_are_left_alone(path: Path, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    path.symlink_to(real)
    with pytest.raises(ConfigurationError, match=r"is a link to .*dotfiles.json"):
        installation(DESKTOP, path, SERVER, Scope.USER)
    real.chmod(0o444)
    with pytest.raises(ConfigurationError, match=r"is read-only.*chmod u\+w"):
        installation(DESKTOP, real, SERVER, Scope.USER)
    with pytest.raises(ConfigurationError, match="Claude Desktop has no such folder"):
        installation(DESKTOP, tmp_path / "none" / "x.json", SERVER, Scope.USER)
    assert real.read_text() == "{}"


def test_the_folder_of_a_project_is_made(tmp_path: Path) -> None:
    change = installation(VSCODE, tmp_path / ".vscode" / "mcp.json", SERVER, Scope.PROJECT)
    put_in_place(change.path, before=None, after=change.after, now=NOW)
    assert (tmp_path / ".vscode" / "mcp.json").is_file()


def test_a_server_of_somebody_else_is_not_taken_out(path: Path) -> None:
    path.write_text('{"mcpServers": {"plugineval": {"command": "npx"}}}')
    with pytest.raises(ConfigurationError, match="another server is called plugineval"):
        removal(DESKTOP, path)
    path.write_text('{"mcpServers": {}}')
    assert removal(DESKTOP, path) is None


def test_copies_are_kept_with_the_files_permissions_and_never_written_over(path: Path) -> None:
    path.write_text("{}")
    path.chmod(0o640)
    kept = [put_in_place(path, before=path.read_bytes(), after=b'{"n": %d}' % n, now=NOW) for n in range(3)]
    assert [copy.name for copy in kept if copy] == [
        "config.json.20261130T120000.bak",
        "config.json.20261130T120000-2.bak",
        "config.json.20261130T120000-3.bak",
    ]
    assert [copy.read_text() for copy in kept if copy] == ["{}", '{"n": 0}', '{"n": 1}']
    assert {place.stat().st_mode & 0o777 for place in path.parent.iterdir()} == {0o640}


def test_under_sudo_files_stay_those_of_the_person(path: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root gives files away")
    os.chown(path.parent, 1234, 1234)
    put_in_place(path, before=None, after=b"{}", now=NOW)
    put_in_place(path, before=b"{}", after=b"[]", now=NOW)
    assert {(place.stat().st_uid, place.stat().st_gid) for place in path.parent.iterdir()} == {(1234, 1234)}
    assert len([*path.parent.iterdir()]) == 2


def test_a_file_that_its_host_wrote_in_the_meantime_is_not_written_over(path: Path) -> None:
    path.write_text("{}")
    change = installation(DESKTOP, path, SERVER, Scope.USER)
    path.write_text('{"newer": 1}')
    with pytest.raises(ConfigurationError, match="was changed by somebody else"):
        put_in_place(path, before=change.before, after=change.after, now=NOW)
    assert path.read_text() == '{"newer": 1}'
    assert [*path.parent.iterdir()] == [path]


def test_a_change_is_shown_without_the_secrets_of_the_others(path: Path) -> None:
    path.write_text(json.dumps({"mcpServers": OTHERS}, indent=1))
    shown = installation(DESKTOP, path, SERVER, Scope.USER).diff
    assert '+  "plugineval": {' in shown
    assert SECRET not in shown
    assert "a-bare-word" not in shown


def test_files_lie_where_each_platform_keeps_them(tmp_path: Path) -> None:
    def place(name: str, scope: Scope, platform: str, **environ: str) -> str:
        around = Around(folder=tmp_path / "p", home=tmp_path, platform=platform, environ=environ)
        return known_host(name).place(scope, around).relative_to(tmp_path).as_posix()

    roaming = str(tmp_path / "Roaming")
    assert place("claude-desktop", Scope.USER, "win32", APPDATA=roaming) == "Roaming/Claude/claude_desktop_config.json"
    assert place("vscode", Scope.USER, "darwin") == "Library/Application Support/Code/User/mcp.json"
    assert place("claude-code", Scope.USER, "linux", CLAUDE_CONFIG_DIR=str(tmp_path / "c")) == "c/.claude.json"
    assert place("claude-code", Scope.PROJECT, "linux") == "p/.mcp.json"
    assert place("vscode", Scope.PROJECT, "win32") == "p/.vscode/mcp.json"
    assert place("cursor", Scope.USER, "darwin") == ".cursor/mcp.json"


def test_unknown_hosts_and_scopes_name_the_known_ones() -> None:
    with pytest.raises(ConfigurationError, match="claude-code, claude-desktop, cursor, vscode"):
        known_host("emacs")
    with pytest.raises(ConfigurationError, match="Allowed: user"):
        chosen_scope(DESKTOP, Scope.PROJECT)


def test_the_command_is_an_absolute_path_that_is_there() -> None:
    command = Path(own_command()[0])
    assert command.is_absolute()
    assert os.access(command, os.X_OK)
