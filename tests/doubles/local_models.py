"""Real models behind their servers, each in a process of its own, and the real plugins that they are asked about."""

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import httpx2
import pytest

from doubles.cli import MAIN
from plugineval.clients.plugins.registration import ExecutionPolicy, PluginRegistration

READY_S = 60
OFFERED = {"time": ("get_current_time", "convert_time"), "math": ("calculate_expression", "analyze_number_theory")}
"""The tools that take part, of two real servers: a small model is lost among twenty."""


class LocalServer(NamedTuple):
    """A model that answers."""

    table: str
    """As `serve-model` prints it."""
    base_url: str

    def named(self, name: str, *more: str) -> str:
        """The table under another name, with further lines in place of those of the same key."""
        keys = {line.partition(" =")[0] for line in more}
        kept = [line for line in self.table.splitlines()[1:] if line.partition(" =")[0] not in keys]
        return "\n".join([f"[models.{name}]", *kept, *more, ""])


@contextmanager
def served(*words: str) -> Generator[LocalServer]:
    """`plugineval serve-model` in a process of its own, from ready to stopped."""
    words = ("serve-model", *words, "--port", "0")
    with subprocess.Popen([sys.executable, "-c", MAIN, *words], stdout=subprocess.PIPE, text=True) as process:
        try:
            yield _ready(process)
        finally:
            process.send_signal(signal.SIGTERM)
            assert process.wait(READY_S) == 0, "it ends in order when it is told to"


def _ready(process: "subprocess.Popen[str]") -> LocalServer:
    assert process.stdout is not None
    lines: list[str] = []
    while not (found := re.search(r'base_url = "(.*)"', "\n".join(lines))) or "model = " not in lines[-1]:
        line = process.stdout.readline()
        if not line:
            pytest.fail("serve-model ended before it was ready; what it said is above")
        lines.append(line.rstrip())
    os.set_blocking(process.stdout.fileno(), False)
    base_url = found[1]
    _poll(f"{base_url}/models")
    lines += [line.rstrip() for line in process.stdout.readlines()]
    return LocalServer("\n".join(lines), base_url)


def _poll(url: str) -> None:
    until = time.monotonic() + READY_S
    while time.monotonic() < until:
        try:
            if httpx2.get(url).status_code == 200:
                return
        except httpx2.TransportError:
            time.sleep(0.2)
    pytest.fail(f"{url} does not answer within {READY_S} s")


def registration(name: str, *, exclude: tuple[str, ...] = ()) -> PluginRegistration:
    """One of the two real servers of the demo."""
    command = {"time": "mcp-server-time", "math": "mcp-mathematics"}[name]
    return PluginRegistration(
        name=name,
        command=str(Path(sys.executable).with_name(command)),
        args=("--local-timezone", "UTC") if name == "time" else (),
        policy=ExecutionPolicy.SANDBOXED,
        exclude=exclude,
    )
