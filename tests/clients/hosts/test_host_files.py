from pathlib import Path

import pytest

from plugineval.clients.hosts.host_file import Host, named_file, project_files, user_files


def touch(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("{}")
    return path


def test_a_projects_files_come_in_a_fixed_order(tmp_path: Path) -> None:
    for name in (".cursor/mcp.json", ".vscode/mcp.json", ".mcp.json"):
        touch(tmp_path / name)
    assert [file.host for file in project_files(tmp_path)] == [Host.PROJECT, Host.VSCODE, Host.CURSOR]
    assert all(file.project == tmp_path for file in project_files(tmp_path))


def test_a_folder_without_host_files_has_none(tmp_path: Path) -> None:
    (tmp_path / ".mcp.json").mkdir()
    assert project_files(tmp_path) == ()
    assert user_files(home=tmp_path, platform="linux", environ={}) == ()


@pytest.mark.parametrize(
    ("platform", "environ", "where"),
    [
        ("darwin", {}, "Library/Application Support"),
        ("win32", {}, "AppData/Roaming"),
        ("linux", {}, ".config"),
    ],
)
def test_a_users_files_lie_where_each_platform_keeps_them(
    tmp_path: Path, platform: str, environ: dict[str, str], where: str
) -> None:
    desktop = touch(tmp_path / where / "Claude" / "claude_desktop_config.json")
    code = touch(tmp_path / where / "Code" / "User" / "mcp.json")
    cursor = touch(tmp_path / ".cursor" / "mcp.json")
    found = user_files(home=tmp_path, platform=platform, environ=environ)
    assert [file.path for file in found] == [desktop, code, cursor]
    assert {file.project for file in found} == {None}


def test_the_variables_of_a_platform_win_over_its_usual_place(tmp_path: Path) -> None:
    path = touch(tmp_path / "roaming" / "Claude" / "claude_desktop_config.json")
    environ = {"APPDATA": str(tmp_path / "roaming")}
    assert [file.path for file in user_files(home=tmp_path, platform="win32", environ=environ)] == [path]


def test_a_named_file_is_known_by_its_place(tmp_path: Path) -> None:
    assert named_file(tmp_path / ".vscode" / "mcp.json").project == tmp_path
    assert named_file(tmp_path / ".mcp.json").project == tmp_path
    desktop = named_file(tmp_path / "claude_desktop_config.json")
    assert (desktop.host, desktop.project) == (Host.CLAUDE_DESKTOP, None)
    assert named_file(tmp_path / "my-servers.json").host is Host.OTHER
