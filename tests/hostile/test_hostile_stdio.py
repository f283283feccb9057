"""Whatever arrives on stdin, the server answers the next sound request, writes protocol alone, and does nothing."""

import json
import subprocess
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from queue import Empty, Queue
from threading import Thread
from typing import IO, cast

import pytest
from hypothesis import given

from doubles.hostile_messages import messages
from doubles.hostile_words import attacks
from doubles.mcp_client import MODES, PROTOCOLS, Mode
from doubles.watch import watched_command
from hostile.conftest import Fort
from plugineval.pccf.values import Json

SIZES = [100, pytest.param(1_200, marks=pytest.mark.hostile)]
PATIENCE_S = 30
META: dict[str, Json] = {
    "io.modelcontextprotocol/protocolVersion": PROTOCOLS["auto"],
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": {"name": "attacker", "version": "1"},
}
HELLO: dict[str, Json] = {
    "protocolVersion": PROTOCOLS["legacy"],
    "capabilities": {},
    "clientInfo": {"name": "attacker", "version": "1"},
}


class Pipe:
    """A server on stdio, spoken to in raw lines."""

    def __init__(self, process: subprocess.Popen[bytes], mode: Mode) -> None:
        self.process = process
        self._mode = mode
        self._lines: Queue[bytes] = Queue()
        self._asked = 0
        self.listener = Thread(target=self._listen, args=(cast("IO[bytes]", process.stdout),), daemon=True)
        self.listener.start()
        if mode == "legacy":
            self._send(json.dumps({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": HELLO}).encode())
            self._next()
            self._send(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        # The first request decides which era a connection is of; whoever opens a pipe may choose.
        assert self._before_a_sound_answer() == []

    def attack(self, message: bytes) -> list[dict[str, Json]]:
        """Send it, then something sound; what came before the answer to that."""
        self._send(message)
        return self._before_a_sound_answer()

    def _before_a_sound_answer(self) -> list[dict[str, Json]]:
        self._asked += 1
        named = f"sound-{self._asked}"
        params: dict[str, Json] = {"_meta": META} if self._mode == "auto" else {}
        sound = {"jsonrpc": "2.0", "id": named, "method": "resources/templates/list", "params": params}
        self._send(json.dumps(sound).encode())
        told: list[dict[str, Json]] = []
        while (answer := self._next()).get("id") != named:
            told.append(answer)
        assert "result" in answer, answer
        return told

    def _send(self, line: bytes) -> None:
        stdin = cast("IO[bytes]", self.process.stdin)
        stdin.write(line + b"\n")
        stdin.flush()

    def _next(self) -> dict[str, Json]:
        try:
            line = self._lines.get(timeout=PATIENCE_S)
        except Empty:
            raise AssertionError(f"no answer; exit code {self.process.poll()}") from None
        answer = json.loads(line)
        assert answer["jsonrpc"] == "2.0", answer
        assert b"Traceback (most" not in line, answer
        assert b'File \\"' not in line, answer
        return cast("dict[str, Json]", answer)

    def _listen(self, stdout: IO[bytes]) -> None:
        for line in stdout:
            self._lines.put(line)


@contextmanager
def piped(fort: Fort, report: Path, mode: Mode) -> Generator[Pipe]:
    """A watched `plugineval serve`."""
    with (
        (fort.home.path / "stderr.txt").open("ab") as errors,
        subprocess.Popen(
            [*watched_command(fort.home.path, report), "serve"],
            env=fort.home.surroundings,
            cwd=fort.home.path,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=errors,
        ) as process,
    ):
        pipe = Pipe(process, mode)
        try:
            yield pipe
            assert process.poll() is None
            cast("IO[bytes]", process.stdin).close()
            assert process.wait(PATIENCE_S) == 0
        finally:
            process.kill()
            pipe.listener.join(PATIENCE_S)


@pytest.mark.parametrize("cases", SIZES)
@pytest.mark.parametrize("mode", MODES)
def test_no_line_breaks_the_stream_or_has_an_effect(mode: Mode, cases: int, fort: Fort, tmp_path: Path) -> None:
    report = tmp_path / "effects.txt"
    with piped(fort, report, mode) as pipe:

        @attacks(cases)
        @given(message=messages(META if mode == "auto" else None))
        def attacked(message: bytes) -> None:
            pipe.attack(message)

        attacked()
    assert report.read_text() == ""
    assert fort.untouched()
