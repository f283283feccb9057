"""No process of a plugin, and none that it started, outlives the pool, however the pool ends."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import anyio
import psutil
import pytest

from doubles.plugins import registering
from doubles.plugins.registering import Bench, bench, unruly
from plugineval.clients.plugins import guard
from plugineval.pccf.observations import ObservationKind

pytestmark = pytest.mark.anyio


def alive(pids: Iterable[int]) -> set[int]:
    """Those that run; a zombie does not."""
    return {pid for pid in pids if psutil.pid_exists(pid) and _status(pid) != psutil.STATUS_ZOMBIE}


async def all_gone(pids: Iterable[int]) -> bool:
    """Whether they end within a moment: a killed process is listed until the system has taken it down."""
    with anyio.move_on_after(5):
        while alive(pids):
            await anyio.sleep(0.01)
    return not alive(pids)


def _status(pid: int) -> str:
    try:
        return psutil.Process(pid).status()
    except psutil.NoSuchProcess:
        return psutil.STATUS_ZOMBIE


async def started(plugin: Bench, **arguments: bool) -> set[int]:
    """The server's pid and that of a child that ignores SIGTERM."""
    pids = {int(str(pid)) for pid in (await plugin.json("get_children", dict(arguments))).values()}
    assert alive(pids) == pids
    return pids


@pytest.mark.parametrize("flags", [(), ("--stubborn",)])
@pytest.mark.parametrize("apart", [False, True])
async def test_a_pool_that_is_left_leaves_no_process(tmp_path: Path, flags: tuple[str, ...], apart: bool) -> None:
    async with bench(unruly(*flags), tmp_path) as plugin:
        pids = await started(plugin, apart=apart)
    assert await all_gone(pids)


async def test_a_cancelled_pool_leaves_no_process(tmp_path: Path) -> None:
    pids: set[int] = set()
    with anyio.CancelScope() as scope:
        async with bench(unruly("--stubborn"), tmp_path) as plugin:
            pids = await started(plugin)
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert pids
    assert await all_gone(pids)


async def test_a_start_that_is_cancelled_leaves_no_process(tmp_path: Path) -> None:
    before = set(psutil.Process().children(recursive=True))
    with anyio.move_on_after(0.3):
        async with bench(unruly("--hang", "--stubborn"), tmp_path) as plugin:
            await plugin.call("get_pid")
    assert set(psutil.Process().children(recursive=True)) <= before


@pytest.mark.parametrize("apart", [False, True])
async def test_a_server_that_died_leaves_no_child(tmp_path: Path, apart: bool) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        pids = await started(plugin, apart=apart)
        with anyio.fail_after(5):
            died = await plugin.call("get_dead")
            await plugin.call("get_pid")
        assert died.kind is ObservationKind.DIED
        assert await all_gone(pids)


@pytest.mark.skipif(sys.platform != "linux", reason="orphans are adopted on Linux alone")
@pytest.mark.parametrize("dies", [False, True])
async def test_a_daemon_that_forked_twice_does_not_outlive_its_server(tmp_path: Path, dies: bool) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        pids = {int(str(pid)) for pid in (await plugin.json("get_daemon")).values()}
        assert alive(pids) == pids
        if dies:
            assert (await plugin.call("get_dead")).kind is ObservationKind.DIED
            assert await all_gone(pids)
    assert await all_gone(pids)


@pytest.mark.skipif(sys.platform != "linux", reason="a warden runs on Linux alone")
async def test_a_server_ends_and_is_started_as_it_would_be_without_its_warden(tmp_path: Path) -> None:
    script = "grep SigIgn /proc/self/status >&2; kill -9 $$"
    async with bench(unruly(command="/bin/sh", args=("-c", script)), tmp_path) as plugin:
        seen = await plugin.call("get_pid")
    assert "it was ended by SIGKILL" in seen.detail
    assert int(seen.detail.rpartition("SigIgn:")[2].split()[0].rstrip("."), 16) & 1 << (signal.SIGPIPE - 1) == 0
    binary = tmp_path / "server"
    binary.write_bytes(b"\x00\x01")
    binary.chmod(0o755)
    async with bench(unruly(command=str(binary), args=()), tmp_path) as plugin:
        seen = await plugin.call("get_pid")
    assert "it exited with status 127" in seen.detail
    assert f"{binary}: Exec format error" in seen.detail


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize(("tool", "processes"), [("get_children", 3), ("get_parted", 4), ("get_daemon", 3)])
def test_a_killed_owner_leaves_no_process(tmp_path: Path, sent: signal.Signals, tool: str, processes: int) -> None:
    if tool != "get_children" and sys.platform != "linux":
        pytest.skip("what has left its group is known to the guard on Linux alone")
    script = Path(registering.__file__).with_name("owner.py")
    search = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        [sys.executable, str(script), str(tmp_path), tool],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": search},
    ) as owner:
        assert owner.stdout is not None
        pids = set(json.loads(owner.stdout.readline()).values())
        pids |= {child.pid for child in psutil.Process(owner.pid).children(recursive=True)}
        wardens = sys.platform == "linux"
        assert len(pids) == processes + wardens, "the server, its children, the guard, and on Linux the warden"
        owner.send_signal(sent)
    deadline = time.monotonic() + 10
    while alive(pids) and time.monotonic() < deadline:
        for pid in alive(pids):
            # It may end at this very moment.
            with suppress(psutil.Error):
                psutil.Process(pid).wait(0.05)
    assert alive(pids) == set()


def test_the_guard_forgets_a_group_with_all_its_members() -> None:
    lines = ["+10\n", "+10 11 500\n", "+20\n", "+20 21 600\n", "+20 22 700\n", "-10\n"]
    assert guard.listed(lines) == {20: {(21, 600), (22, 700)}}


@pytest.mark.skipif(sys.platform != "linux", reason="start times come from /proc")
def test_the_guard_never_ends_a_process_that_only_has_a_remembered_number() -> None:
    with subprocess.Popen([sys.executable, "-S", "-c", "input()"], stdin=subprocess.PIPE) as bystander:
        start = guard.started(bystander.pid)
        assert start is not None
        with subprocess.Popen([sys.executable, "-S", "-c", ""], start_new_session=True) as gone:
            gone.wait()
        guard.end({gone.pid: {(bystander.pid, start + 1)}})
        assert bystander.poll() is None
        guard.end({gone.pid: {(bystander.pid, start)}})
        assert bystander.wait(5) == -signal.SIGTERM
