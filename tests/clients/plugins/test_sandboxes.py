"""Calls on copies of a fixture: fresh for each execution, the fixture untouched, nothing left behind."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Literal

import anyio
import psutil
import pytest

from doubles.plugins import registering
from doubles.plugins.registering import UNHURRIED, Bench
from plugineval.clients.plugins.pool import PluginPool
from plugineval.clients.plugins.registration import ExecutionPolicy, PluginRegistration
from plugineval.clients.plugins.sandbox import Sandbox
from plugineval.pccf.calling import in_order
from plugineval.pccf.invocations import Invocation
from plugineval.pccf.observations import Observation, ObservationKind
from plugineval.pccf.tools import ToolSpec
from plugineval.pccf.values import Arguments

pytestmark = pytest.mark.anyio

SCRIPT = Path(registering.__file__).with_name("notebook.py")
TOUCH = "import pathlib, sys; pathlib.Path(sys.argv[1], 'reset.txt').write_text('x')"


@pytest.fixture
def fixture(tmp_path: Path) -> Path:
    folder = tmp_path / "fixture"
    (folder / "inner").mkdir(parents=True)
    (folder / "a.txt").write_text("milk")
    (folder / "inner" / "b.txt").write_text("bread")
    (folder / "link.txt").symlink_to("a.txt")
    return folder


def notebook(fixture: Path, *, sandbox: dict[str, object] | None = None, **fields: object) -> PluginRegistration:
    given = {
        "name": "notes",
        "command": sys.executable,
        "args": ("-S", str(SCRIPT), "{sandbox}/a.txt"),
        "policy": ExecutionPolicy.SANDBOXED,
        "sandbox": Sandbox.model_validate({"copy": fixture} | (sandbox or {})),
    }
    return PluginRegistration.model_validate(given | fields)


class Notes(Bench):
    """Calls, after others where a test says so."""

    async def after(self, done: list[tuple[str, Arguments]], name: str, arguments: Arguments) -> Observation:
        before = [(self.tool(tool), Invocation(tool=tool, arguments=given)) for tool, given in done]
        return await self.pool.call(self.tool(name), arguments, after=before)


@asynccontextmanager
async def opened(registration: PluginRegistration, home: Path) -> AsyncGenerator[Notes]:
    async with PluginPool([registration], home=home, schedule=UNHURRIED, grace_s=0.3) as pool:
        yield Notes(pool, registration)


def content(folder: Path) -> dict[str, tuple[int, int, str]]:
    """Everything that a change would show in."""
    return {
        str(path): (path.lstat().st_mode, path.lstat().st_mtime_ns, path.read_text() if path.is_file() else "")
        for path in sorted(folder.rglob("*"))
    }


def copies(home: Path) -> list[Path]:
    return list((home / "plugins" / "notes" / "copies").glob("*"))


async def test_each_execution_meets_a_fresh_copy_and_the_fixture_does_not_change(tmp_path: Path, fixture: Path) -> None:
    before = content(fixture)
    async with opened(notebook(fixture), tmp_path / "home") as notes:
        assert (await notes.call("delete_note", {"name": "a.txt"})).text == "deleted"
        assert (await notes.call("get_note", {"name": "a.txt"})).text == "milk"
        assert (await notes.call("write_note", {"name": "link.txt", "text": "changed"})).evaluable
        assert (await notes.call("get_note", {"name": "inner/b.txt"})).text == "bread"
        pids = [(await notes.json("get_whereabouts"))["pid"] for _ in range(2)]
        assert pids[0] != pids[1]
    assert content(fixture) == before
    assert copies(tmp_path / "home") == []


async def test_a_call_meets_the_state_that_the_calls_before_it_made(tmp_path: Path, fixture: Path) -> None:
    async with opened(notebook(fixture), tmp_path / "home") as notes:
        first: tuple[str, Arguments] = ("write_note", {"name": "new.txt", "text": "eggs"})
        assert (await notes.after([first], "get_note", {"name": "new.txt"})).text == "eggs"
        assert (await notes.call("get_note", {"name": "new.txt"})).kind is ObservationKind.TOOL_ERROR


async def test_a_failing_call_before_it_is_an_observation_that_says_so(tmp_path: Path, fixture: Path) -> None:
    async with opened(notebook(fixture), tmp_path / "home") as notes:
        seen = await notes.after([("delete_note", {"name": "no.txt"})], "list_notes", {})
    assert (seen.kind, seen.tool, seen.arguments) == (ObservationKind.TOOL_ERROR, "list_notes", {})
    assert seen.detail == "not executed, because call 1 before it, delete_note, failed: the tool reports an error"


async def test_what_another_plugin_did_is_no_state_of_this_copy(tmp_path: Path, fixture: Path) -> None:
    async with opened(notebook(fixture), tmp_path / "home") as notes:
        other = ToolSpec(plugin="elsewhere", name="write", input_schema={})
        tool = notes.tool("get_note")
        seen = await notes.pool.call(tool, {"name": "a.txt"}, after=[(other, Invocation(tool="write"))])
    assert seen.text == "milk"


async def test_a_copy_has_one_name_in_arguments_and_results_wherever_it_lies(tmp_path: Path, fixture: Path) -> None:
    async with opened(notebook(fixture), tmp_path / "home") as notes:
        written = await notes.call("write_note", {"name": "/sandbox/inner/c.txt", "text": "/sandboxes and a/sandbox"})
        assert written.text == "wrote /sandbox/inner/c.txt"
        assert written.arguments == {"name": "/sandbox/inner/c.txt", "text": "/sandboxes and a/sandbox"}
        missing = await notes.call("get_note", {"name": "/sandbox/none.txt"})
        assert missing.text == "No such file or directory: /sandbox/none.txt"
        where = await notes.json("get_whereabouts")
    assert where["args"] == ["/sandbox/a.txt"]
    assert where["cwd"] == "/sandbox"


async def test_within_a_session_a_copy_lives_as_long_as_its_process(tmp_path: Path, fixture: Path) -> None:
    async with opened(notebook(fixture, sandbox={"per": "session"}), tmp_path / "home") as notes:
        await notes.call("write_note", {"name": "a.txt", "text": "tea"})
        assert (await notes.call("get_note", {"name": "a.txt"})).text == "tea"
        assert (await notes.call("get_out")).kind is ObservationKind.DIED
        assert (await notes.call("get_note", {"name": "a.txt"})).text == "milk"
    assert copies(tmp_path / "home") == []


async def test_a_single_file_is_copied_with_what_a_database_keeps_beside_it(tmp_path: Path) -> None:
    database = tmp_path / "store.db"
    for ending in ("", "-wal", ".bak"):
        database.with_name(f"store.db{ending}").write_text("rows")
    async with opened(notebook(database), tmp_path / "home") as notes:
        assert (await notes.call("list_notes")).text == "store.db store.db-wal"


async def test_commands_prepare_a_copy_and_run_once_it_is_used(tmp_path: Path, fixture: Path) -> None:
    log = tmp_path / "cleaned"
    cleaned = [sys.executable, "-S", "-c", f"open({str(log)!r}, 'a').write('x')"]
    commands: dict[str, object] = {
        "reset": [sys.executable, "-S", "-c", TOUCH, "{sandbox}"],
        "cleanup": [cleaned, cleaned],
    }
    async with opened(notebook(fixture, sandbox=commands), tmp_path / "home") as notes:
        assert (await notes.call("get_note", {"name": "reset.txt"})).text == "x"
    assert set(log.read_text()) == {"x"}
    assert len(log.read_text()) % 2 == 0


@pytest.mark.parametrize(
    ("script", "timeout_s", "said"),
    [
        ("import sys; sys.exit('the seed is gone')", 20.0, "exited with status 1. Its last words:\nthe seed is gone"),
        ("import time; time.sleep(60)", 0.2, "did not end within 0.2 s"),
    ],
)
async def test_a_reset_that_fails_is_an_outage_with_its_last_words(
    tmp_path: Path, fixture: Path, script: str, timeout_s: float, said: str
) -> None:
    reset = [sys.executable, "-S", "-c", script]
    registration = notebook(fixture, sandbox={"reset": reset, "timeout_s": timeout_s})
    async with opened(registration, tmp_path / "home") as notes:
        seen = await notes.call("list_notes")
    assert seen.kind is ObservationKind.DIED
    assert f"plugins.notes.sandbox.reset: its reset command {sys.executable!r} {said}" in seen.detail
    assert copies(tmp_path / "home") == []


async def test_copies_are_bounded_in_number_and_used_at_once(tmp_path: Path, fixture: Path) -> None:
    async with opened(notebook(fixture, sandbox={"copies": 2}), tmp_path / "home") as notes:
        found = await in_order([partial(notes.json, "get_whereabouts") for _ in range(6)])
        running = [child for child in psutil.Process().children() if str(SCRIPT) in " ".join(child.cmdline())]
    assert len({str(each["pid"]) for each in found}) == 6
    assert len(running) <= 4, "two that are warm, and two that are ending"


@pytest.mark.parametrize("per", ["execution", "session"])
async def test_a_tool_that_the_policy_forbids_costs_no_copy(
    tmp_path: Path, fixture: Path, per: Literal["execution", "session"]
) -> None:
    registration = notebook(fixture, sandbox={"per": per}, policy=ExecutionPolicy.READ_ONLY)
    async with opened(registration, tmp_path / "home") as notes:
        assert (await notes.call("delete_note", {"name": "a.txt"})).kind is ObservationKind.REFUSED
        assert copies(tmp_path / "home") == []
        assert (await notes.call("get_note", {"name": "a.txt"})).text == "milk"


async def test_a_pool_that_is_cancelled_leaves_no_copy_and_no_process(tmp_path: Path, fixture: Path) -> None:
    home = tmp_path / "home"
    with anyio.CancelScope() as scope:
        async with opened(notebook(fixture), home) as notes:
            await notes.call("delete_note", {"name": "a.txt"})
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert copies(home) == []
    assert [each for each in psutil.Process().children() if str(SCRIPT) in " ".join(each.cmdline())] == []


OWNER = """
import sys, anyio
from pathlib import Path
from plugineval.clients.plugins.pool import PluginPool
from plugineval.clients.plugins.registration import PluginRegistration
from plugineval.pccf.tools import ToolSpec

async def main():
    registration = PluginRegistration.model_validate_json(sys.argv[2])
    async with PluginPool([registration], home=Path(sys.argv[1])) as pool:
        await pool.call(ToolSpec(plugin="notes", name="get_note", input_schema={}), {"name": "a.txt"})
        print("ready", flush=True)
        await anyio.sleep_forever()

anyio.run(main)
"""


@pytest.mark.skipif(os.name != "posix", reason="SIGKILL is POSIX")
async def test_what_a_killed_process_left_is_swept_and_what_a_living_one_uses_is_not(
    tmp_path: Path, fixture: Path
) -> None:
    home = tmp_path / "home"
    registration = notebook(fixture, sandbox={"per": "session"})
    said = json.dumps(registration.model_dump(mode="json", by_alias=True) | {"env": {}})
    command = [sys.executable, "-c", OWNER, str(home), said]
    search = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, env=search) as owner:
        assert owner.stdout is not None
        await anyio.to_thread.run_sync(owner.stdout.readline)
        used = copies(home)
        async with opened(registration, home) as notes:
            await notes.call("get_note", {"name": "a.txt"})
            assert set(used) < set(copies(home))
        assert copies(home) == used
        owner.send_signal(signal.SIGKILL)
    async with opened(registration, home) as notes:
        await notes.call("get_note", {"name": "a.txt"})
        assert not set(used) & set(copies(home))
    assert copies(home) == []
