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
from plugineval.pccf.observations import ObservationKind

pytestmark = pytest.mark.anyio


def alive(pids: Iterable[int]) -> set[int]:
    """Those that run; a zombie does not."""
    return {pid for pid in pids if psutil.pid_exists(pid) and _status(pid) != psutil.STATUS_ZOMBIE}


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
    assert alive(pids) == set()


async def test_a_cancelled_pool_leaves_no_process(tmp_path: Path) -> None:
    pids: set[int] = set()
    with anyio.CancelScope() as scope:
        async with bench(unruly("--stubborn"), tmp_path) as plugin:
            pids = await started(plugin)
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert pids
    assert alive(pids) == set()


async def test_a_start_that_is_cancelled_leaves_no_process(tmp_path: Path) -> None:
    before = set(psutil.Process().children(recursive=True))
    with anyio.move_on_after(0.3):
        async with bench(unruly("--hang", "--stubborn"), tmp_path) as plugin:
            await plugin.call("get_pid")
    assert set(psutil.Process().children(recursive=True)) <= before


async def test_a_server_that_died_leaves_no_child(tmp_path: Path) -> None:
    async with bench(unruly(), tmp_path) as plugin:
        pids = await started(plugin)
        with anyio.fail_after(5):
            died = await plugin.call("get_dead")
            await plugin.call("get_pid")
        assert died.kind is ObservationKind.DIED
        assert alive(pids) == set()


@pytest.mark.skipif(os.name != "posix", reason="process groups are POSIX")
@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGKILL])
def test_a_killed_owner_leaves_no_process(tmp_path: Path, sent: signal.Signals) -> None:
    script = Path(registering.__file__).with_name("owner.py")
    search = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        [sys.executable, str(script), str(tmp_path)],
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": search},
    ) as owner:
        assert owner.stdout is not None
        pids = set(json.loads(owner.stdout.readline()).values())
        pids |= {child.pid for child in psutil.Process(owner.pid).children(recursive=True)}
        assert len(pids) == 3, "the server, its child and the guard"
        owner.send_signal(sent)
    deadline = time.monotonic() + 10
    while alive(pids) and time.monotonic() < deadline:
        psutil.wait_procs([psutil.Process(pid) for pid in alive(pids)], timeout=0.05)
    assert alive(pids) == set()
