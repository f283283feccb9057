"""No process of a plugin, and none that it started, outlives the pool, however the pool ends."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
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


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize(("tool", "processes"), [("get_children", 3), ("get_parted", 4)])
def test_a_killed_owner_leaves_no_process(tmp_path: Path, sent: signal.Signals, tool: str, processes: int) -> None:
    if tool == "get_parted" and sys.platform != "linux":
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
        assert len(pids) == processes, "the server, its children and the guard"
        owner.send_signal(sent)
    deadline = time.monotonic() + 10
    while alive(pids) and time.monotonic() < deadline:
        psutil.wait_procs([psutil.Process(pid) for pid in alive(pids)], timeout=0.05)
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
