"""How soon `plugineval serve` answers over stdio, against a server of the same SDK with one tool, in the same run.

Both are started in turn, so that whatever else the machine does meets both. A figure is the median over pairs of what
ours took divided by what the bare one took; CPU seconds are those of the whole process, its end included.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import IO, NamedTuple

from benchmarks.measured import Measured

PAIRS = 9
BARE = """
from mcp.server import MCPServer
app = MCPServer("bare")
@app.tool()
async def hello(name: str) -> str:
    '''Say hello.'''
    return name
app.run("stdio")
"""
SERVE = "from plugineval.server.cli import main; main()"
SETTINGS = """
[plugins.maths]
command = "mcp-mathematics"

[plugins.hours]
command = "mcp-server-time"
args = ["--local-timezone=Europe/Oslo"]

[models.house]
base_url = "http://127.0.0.1:9/v1"
model = "house"

[roles]
generators = ["house"]
"""
"""What a team has: two plugins and a model of their own, none of which is touched before it is asked for."""
ABOUT_IT = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "benchmark", "version": "1"},
}
SHAKEN = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "benchmark", "version": "1"}}
Message = dict[str, object]
FIRST: dict[str, Message] = {
    "2025-11-25": {"method": "initialize", "params": SHAKEN},
    "2026-07-28": {"method": "server/discover", "params": {"_meta": ABOUT_IT}},
}
"""Revision of the protocol -> what its clients ask first."""
LISTS: dict[str, Message] = {
    "2025-11-25": {"method": "tools/list", "params": {}},
    "2026-07-28": {"method": "tools/list", "params": {"_meta": ABOUT_IT}},
}


class Start(NamedTuple):
    """Seconds: until the first answer, until the tools are listed, and of processor time in all."""

    first_s: float
    listed_s: float
    cpu_s: float


def measure() -> list[Measured]:
    """First answer and `tools/list`, in both eras of the protocol."""
    with commands() as both:
        answers = {era: list(_pairs(both, era)) for era in FIRST}
        lists = list(_pairs(both, "2026-07-28", listing=True))
    figures = [figure for era, pairs in answers.items() for figure in _first_figures(era, pairs)]
    return [*figures, _figure("tools listed, wall", None, [(a.listed_s, b.listed_s) for a, b in lists])]


def _first_figures(era: str, pairs: list[tuple[Start, Start]]) -> list[Measured]:
    return [
        _figure(f"first answer, wall, {era}", 1.2, [(ours.first_s, bare.first_s) for ours, bare in pairs]),
        _figure(f"first answer and end, CPU, {era}", 1.2, [(ours.cpu_s, bare.cpu_s) for ours, bare in pairs]),
    ]


def _figure(name: str, bar: float | None, pairs: list[tuple[float, float]]) -> Measured:
    ours, bare = (median(each) * 1000 for each in zip(*pairs, strict=True))
    told = f"{ours:.0f} ms, a bare `mcp` server {bare:.0f} ms"
    return Measured(name, median(one / other for one, other in pairs), "x", bar, told)


@contextmanager
def commands() -> Generator[tuple[Sequence[str], Sequence[str]]]:
    """How ours is started, on a home as a team has it, and the bare one. Both were started once before."""
    with TemporaryDirectory() as home:
        Path(home, "plugineval.toml").write_text(SETTINGS, encoding="utf-8")
        both = [sys.executable, "-c", SERVE, "serve", "--home", home], [sys.executable, "-c", BARE]
        for command in both:
            started(command, "2025-11-25", listing=True)
        yield both


def _pairs(
    both: tuple[Sequence[str], Sequence[str]], era: str, *, listing: bool = False
) -> Iterator[tuple[Start, Start]]:
    for number in range(PAIRS):
        turn = both if number % 2 else both[::-1]
        found = {id(command): started(command, era, listing=listing) for command in turn}
        yield found[id(both[0])], found[id(both[1])]


def started(command: Sequence[str], era: str, *, listing: bool = False) -> Start:
    """Start a server, ask what a client of that revision asks first, then perhaps for its tools, and let it end."""
    # Without .pyc files every module would be compiled, which no user's second start does.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    begun = time.perf_counter()
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment
    )
    assert process.stdin is not None
    assert process.stdout is not None
    _ask(process.stdin, process.stdout, 1, FIRST[era])
    first = listed = time.perf_counter() - begun
    if listing:
        if era == "2025-11-25":
            _send(process.stdin, {"method": "notifications/initialized"})
        _ask(process.stdin, process.stdout, 2, LISTS[era])
        listed = time.perf_counter() - begun
    process.stdin.close()
    process.stdout.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0, process.returncode
    return Start(first, listed, used.ru_utime + used.ru_stime)


def _ask(to: IO[bytes], back: IO[bytes], number: int, message: Message) -> None:
    _send(to, {"id": number, **message})
    while line := back.readline():
        answer = json.loads(line)
        if answer.get("id") == number:
            assert "result" in answer, answer
            return
    raise AssertionError("the server ended without an answer")


def _send(to: IO[bytes], message: Message) -> None:
    to.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    to.flush()
