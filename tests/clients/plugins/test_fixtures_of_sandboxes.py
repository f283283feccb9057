"""What cannot be copied is refused by name before anything starts; what is copied is the caller's own."""

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from plugineval.clients.plugins.copies import Copies
from plugineval.clients.plugins.fixtures import Fixture, check_fixture
from plugineval.clients.plugins.pool import PluginPool
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.clients.plugins.sandbox import Sandbox
from plugineval.pccf.errors import ConfigurationError


def registered(fixture: Path, **sandbox: object) -> PluginRegistration:
    given = Sandbox.model_validate({"copy": fixture} | sandbox)
    return PluginRegistration(name="notes", command=sys.executable, sandbox=given)


def copied(fixture: Path, into: Path) -> Path:
    registration = registered(fixture)
    assert registration.sandbox is not None
    into.mkdir()
    Fixture(registration, registration.sandbox).copy_into(into)
    return into


def a_missing_one(folder: Path) -> Path:
    return folder / "none"


def a_link_out(folder: Path) -> Path:
    (folder / "inside").mkdir()
    (folder / "inside" / "out").symlink_to(folder / "elsewhere.txt")
    return folder / "inside"


def a_pipe(folder: Path) -> Path:
    (folder / "inside").mkdir()
    os.mkfifo(folder / "inside" / "pipe")
    return folder / "inside"


def a_large_file(folder: Path) -> Path:
    with (folder / "large.db").open("wb") as file:
        file.truncate(1_000_001)
    return folder / "large.db"


@pytest.mark.skipif(os.name != "posix", reason="links and pipes as they are on POSIX")
@pytest.mark.parametrize(
    ("made", "said"),
    [
        (a_missing_one, "there is no "),
        (a_link_out, "leads out of the fixture"),
        (a_pipe, "is no file, folder or link"),
        (a_large_file, "is too large: more than 1 MB"),
    ],
)
def test_a_fixture_that_cannot_be_copied_is_refused_before_anything_starts(
    tmp_path: Path, made: Callable[[Path], Path], said: str
) -> None:
    registration = registered(made(tmp_path), limit_mb=1)
    with pytest.raises(ConfigurationError) as caught:
        PluginPool([registration], home=tmp_path / "home")
    assert caught.value.field == "plugins.notes.sandbox.copy"
    assert said in caught.value.problem
    assert caught.value.next_step
    assert not (tmp_path / "home").exists()


@pytest.mark.skipif(os.name != "posix", reason="links as they are on POSIX")
def test_links_inside_a_fixture_point_into_the_copy(tmp_path: Path) -> None:
    folder = tmp_path / "fixture"
    (folder / "inner").mkdir(parents=True)
    (folder / "a.txt").write_text("milk")
    (folder / "inner" / "relative").symlink_to("../a.txt")
    (folder / "absolute").symlink_to(folder / "a.txt")
    copy = copied(folder, tmp_path / "copy")
    for link in (copy / "inner" / "relative", copy / "absolute"):
        assert link.resolve() == copy / "a.txt"
    (copy / "absolute").write_text("changed")
    assert (folder / "a.txt").read_text() == "milk"


@pytest.mark.skipif(os.name != "posix", reason="rights and inodes as they are on POSIX")
def test_a_copy_keeps_rights_and_times_and_shares_no_bytes(tmp_path: Path) -> None:
    folder = tmp_path / "fixture"
    (folder / "closed").mkdir(parents=True)
    (folder / "closed" / "a.sh").write_text("x")
    (folder / "closed" / "a.sh").chmod(0o555)
    (folder / "closed").chmod(0o555)
    os.link(folder / "closed" / "a.sh", tmp_path / "second name")
    copy = copied(folder, tmp_path / "copy") / "closed"
    old, new = (path.stat() for path in (folder / "closed" / "a.sh", copy / "a.sh"))
    assert stat.S_IMODE(copy.stat().st_mode) == stat.S_IMODE(new.st_mode) == 0o555
    assert (new.st_mtime_ns, new.st_nlink) == (old.st_mtime_ns, 1)
    for path in (folder / "closed", copy):
        path.chmod(0o755)


def test_a_plugin_without_a_sandbox_needs_no_fixture() -> None:
    check_fixture(PluginRegistration(name="notes", command="x"))


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"args": ("{sandbox}",)}, "args"),
        ({"env": {"FILE": "{sandbox}/a.db"}}, "env"),
        ({"cwd": Path("{sandbox}/inner")}, "cwd"),
    ],
)
def test_the_placeholder_without_a_fixture_is_a_mistake(fields: dict[str, object], named: str) -> None:
    with pytest.raises(ConfigurationError, match="and none is named") as caught:
        PluginRegistration.model_validate({"name": "notes", "command": "x"} | fields)
    assert caught.value.field == named


def test_a_server_that_is_only_reached_cannot_be_given_a_copy() -> None:
    with pytest.raises(ConfigurationError, match="cannot be given a copy"):
        PluginRegistration(name="notes", url="http://127.0.0.1:1/mcp", sandbox=Sandbox(copy=Path("x")))


@pytest.mark.skipif(os.name != "posix", reason="rights as they are on POSIX")
def test_copies_are_private_and_go_whatever_was_made_of_their_rights(tmp_path: Path) -> None:
    copies = Copies(tmp_path / "copies")
    copy = copies.make()
    assert {stat.S_IMODE(path.stat().st_mode) for path in (copy.folder, copy.data, copy.home)} == {0o700}
    (copy.data / "closed").mkdir()
    (copy.data / "closed" / "a.txt").write_text("x")
    (copy.data / "closed").chmod(0)
    copies.remove(copy)
    assert not copy.folder.exists()
    copies.close()
    assert list((tmp_path / "copies").iterdir()) == []
