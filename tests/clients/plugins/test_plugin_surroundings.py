"""What reaches a plugin's process, where it works, and that no secret comes back out of it."""

import os
import stat
from pathlib import Path

import pytest

from doubles.plugins.registering import bench, unruly
from plugineval.clients.plugins.commands import resolve_command
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.errors import PluginUnavailableError
from plugineval.pccf.observations import ObservationKind

pytestmark = pytest.mark.anyio

SECRET = 'pa"ss/wörd-1234'


async def test_a_plugin_sees_the_allow_list_and_its_own_values_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-plugins")
    monkeypatch.setenv("LC_TIME", "C")
    monkeypatch.setenv("LC_SECRET", "sk-not-for-plugins")
    async with bench(unruly(env={"REGION": "eu-north-1"}), tmp_path) as plugin:
        seen = await plugin.json("get_environment")
    assert set(seen) - {"LC_CTYPE"} == {
        "HOME",
        "LC_TIME",
        "REGION",
        *({"PATH", "LANG", "TZ", "TMPDIR"} & set(os.environ)),
    }
    assert "sk-not-for-plugins" not in str(seen)


async def test_a_plugin_works_in_a_folder_of_its_own(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        seen = await plugin.json("get_directory")
    own = tmp_path / "plugins" / "unruly"
    assert seen == {"cwd": str(own / "work"), "home": str(own / "home")}
    for folder in (own.parent, own, own / "work", own / "home"):
        assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_a_registered_working_directory_is_used(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    async with bench(unruly(cwd=project), tmp_path / "home") as plugin:
        seen = await plugin.json("get_directory")
    assert seen["cwd"] == str(project)


async def test_a_missing_working_directory_is_named(tmp_path: Path) -> None:
    async with bench(unruly(cwd=tmp_path / "gone"), tmp_path) as plugin:
        with pytest.raises(PluginUnavailableError, match=r"plugins\.unruly\.cwd: .*gone does not exist"):
            await plugin.pool.snapshot("unruly")


async def test_a_home_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "plugins").write_text("a file where the folder should be")
    async with bench(unruly(), tmp_path) as plugin:
        with pytest.raises(PluginUnavailableError, match="cannot be written") as refusal:
            await plugin.pool.snapshot("unruly")
    assert refusal.value.next_step


async def test_a_secret_is_struck_out_of_every_observation(tmp_path: Path) -> None:
    async with bench(unruly(env={"API_KEY": SECRET}), tmp_path) as plugin:
        seen = await plugin.call("get_secret")
        listed = await plugin.call("get_environment")
    assert seen.kind is ObservationKind.RETURNED
    assert (seen.text, seen.structured) == ("it is [secret]", {"key": "[secret]"})
    assert "1234" not in listed.text


async def test_a_secret_is_struck_out_of_errors_and_of_the_kept_stderr(tmp_path: Path) -> None:
    registration = unruly("--hang", env={"API_KEY": SECRET}, start_timeout_s=0.5)
    async with bench(registration, tmp_path) as plugin:
        with pytest.raises(PluginUnavailableError) as refusal:
            await plugin.pool.snapshot("unruly")
    kept = (tmp_path / "plugins" / "unruly" / "stderr.log").read_text()
    assert kept == "waiting for the licence server, key [secret]\n"
    assert "key [secret]" in str(refusal.value)
    assert SECRET not in str(refusal.value)


def test_a_command_is_found_beside_the_interpreter() -> None:
    found = resolve_command(PluginRegistration(name="time", command="mcp-server-time"), {"PATH": ""})
    assert Path(found).is_file()


def test_a_missing_command_says_where_it_was_sought() -> None:
    with pytest.raises(PluginUnavailableError) as refusal:
        resolve_command(PluginRegistration(name="x", command="no-such-plugin"), {"PATH": "/usr/bin"})
    assert str(refusal.value).startswith(
        "plugins.x.command: the command 'no-such-plugin' was found neither on PATH nor"
    )
    assert "Next: install" in str(refusal.value)


def test_a_path_that_is_no_executable_is_named(tmp_path: Path) -> None:
    (tmp_path / "plain").write_text("")
    with pytest.raises(PluginUnavailableError, match="no executable file"):
        resolve_command(PluginRegistration(name="x", command=str(tmp_path / "plain")), {})


def test_a_command_is_never_given_to_a_shell(tmp_path: Path) -> None:
    with pytest.raises(PluginUnavailableError):
        resolve_command(PluginRegistration(name="x", command="echo hi; touch owned"), {"PATH": "/usr/bin:/bin"})
