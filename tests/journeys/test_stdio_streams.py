"""`plugineval serve` seen as a process: stdout carries the protocol alone, and a closed stdin ends everything."""

import json
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import cast

import psutil
import pytest

from doubles.mcp_client import COMMAND, Home

Message = dict[str, object]
SECONDS_TO_END = 8
LOUD = """
import logging, os, sys, warnings
from plugineval.server.cli import main
from plugineval.server.jobs.kinds import RUNNERS

build = RUNNERS["build"]

async def loud(context):
    print("PRINTED", flush=True)
    sys.__stdout__.write("WRITTEN\\n")
    os.system("echo CHILD")
    warnings.warn("WARNED")
    logging.getLogger("loud").error("LOGGED")
    return await build(context)

RUNNERS["build"] = loud
main()
"""


class Raw:
    """The process, spoken to in bytes."""

    def __init__(self, home: Home, *command: str) -> None:
        with (home.path / "stderr.txt").open("ab") as errors:
            self.process = subprocess.Popen(
                [*(command or COMMAND), "serve"],
                env=home.surroundings,
                cwd=home.path,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
            )
        self.said: list[bytes] = []
        self._key = 0

    def write(self, line: bytes) -> None:
        """One line on stdin."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def send(self, method: str, **params: object) -> int:
        """One request; its id."""
        self._key += 1
        self.write(json.dumps({"jsonrpc": "2.0", "id": self._key, "method": method, "params": params}).encode())
        return self._key

    def answer(self, key: int) -> Message:
        """The answer to a request; every line on the way is kept."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.said.append(line)
            message = cast("Message", json.loads(line))
            if message.get("id") == key:
                return message
        raise AssertionError(f"the server ended before it answered request {key}")

    def call(self, tool: str, **arguments: object) -> Message:
        """The result of a tool call."""
        return cast("Message", self.answer(self.send("tools/call", name=tool, arguments=arguments))["result"])

    def greet(self) -> None:
        """The legacy handshake."""
        info = {"name": "raw", "version": "1"}
        self.answer(self.send("initialize", protocolVersion="2025-06-18", capabilities={}, clientInfo=info))
        self.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def close(self) -> int:
        """Close stdin, read what is left, wait: the exit code."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.close()
        code = self.process.wait(SECONDS_TO_END)
        if not self.process.stdout.closed:
            self.said.extend(self.process.stdout)
            self.process.stdout.close()
        return code


@pytest.fixture
def start() -> Iterator[Callable[..., Raw]]:
    started: list[Raw] = []

    def begin(home: Home, *command: str) -> Raw:
        started.append(Raw(home, *command))
        return started[-1]

    yield begin
    for raw in started:
        raw.process.kill()
        raw.close()


def test_stdout_is_protocol_alone_whatever_happens(start: Callable[..., Raw], new_home: Callable[..., Home]) -> None:
    noisy = new_home(NOISE="1")
    home = Home(noisy.path, {"PYTHONWARNINGS": "always", "PYTHONDEVMODE": "1", "PYTHONASYNCIODEBUG": "1"})
    raw = start(home, sys.executable, "-c", LOUD)
    raw.write(b"this is no JSON \xff\xfe")
    raw.greet()
    assert not raw.call("plugin_inspect", plugin="counting").get("isError")
    built = raw.call("benchmark_build", plugins=["counting"], name="noisy", size=2, wait_s=45)
    assert cast("Message", built["structuredContent"])["state"] == "completed"
    assert raw.call("benchmark_build", plugins=["nobody"], name="wrong")["isError"]
    assert raw.call("no_such_tool")["isError"]
    assert "error" in raw.answer(raw.send("resources/read", uri="plugineval://reports/none"))
    assert "error" in raw.answer(raw.send("no/such/method"))
    assert raw.close() == 0
    for line in raw.said:
        assert line.endswith(b"\n")
        message = cast("Message", json.loads(line))
        assert message["jsonrpc"] == "2.0"
        assert {"result", "error", "method"} & message.keys(), message
    assert "Traceback" not in b"".join(raw.said).decode()
    stderr = (home.path / "stderr.txt").read_text(encoding="utf-8")
    assert [word for word in ("PRINTED", "WRITTEN", "CHILD", "WARNED", "LOGGED") if word not in stderr] == []


@pytest.mark.parametrize("ending", ["stdin", "SIGKILL"])
def test_the_end_of_the_server_ends_its_plugins_and_interrupts_its_jobs(
    ending: str, start: Callable[..., Raw], new_home: Callable[..., Home]
) -> None:
    home = new_home(DELAY="0.1")
    raw = start(home)
    raw.greet()
    started = raw.call("benchmark_build", plugins=["counting"], name="long", size=40, wait_s=1)
    job = cast("Message", started["structuredContent"])
    assert job["state"] == "running"
    family = psutil.Process(raw.process.pid).children(recursive=True)
    assert family
    if ending == "stdin":
        assert raw.close() == 0
        assert _state(home, job["job_id"]) == "interrupted"
    else:
        raw.process.send_signal(signal.Signals[ending])
        raw.process.wait(SECONDS_TO_END)
    _, alive = psutil.wait_procs(family, timeout=SECONDS_TO_END)
    assert not alive, "a plugin outlived its server"
    after = start(home)
    after.greet()
    seen = cast("Message", after.call("job_get", job_id=job["job_id"], wait_s=0)["structuredContent"])
    assert seen["state"] == "interrupted"
    assert after.close() == 0


def _state(home: Home, job_id: object) -> str:
    with closing(sqlite3.connect(home.path / "plugineval.db")) as connection:
        return str(connection.execute("select state from jobs where id = ?", (job_id,)).fetchone()[0])
