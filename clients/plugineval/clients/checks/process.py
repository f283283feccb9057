"""The other end of the worker: asks it one question at a time, within a time limit, and starts it again after a hang.

A check that hangs or ends its process is killed and counted; after a few of those it is not tried again, so that a
broken check costs a run seconds and not hours.
"""

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Sequence
from queue import Empty, Queue
from typing import IO, TypeAlias, cast

from pydantic import SecretStr

from plugineval.clients.redaction import Redactor

Line: TypeAlias = dict[str, object]
START_S = 60.0
"""Seconds a file of checks may take to be imported."""
_BREAKDOWNS = 3
_LAST_WORDS_S = 1.0


class CheckBrokenError(Exception):
    """The check gave no answer: it raised, hung, ended its process or answered neither True nor False."""


class CheckProcess:
    """One worker, restarted where it must be. One question at a time, from whichever thread."""

    def __init__(self, arguments: Sequence[str], *, timeout_s: float, secrets: Iterable[SecretStr] = ()) -> None:
        """The worker gets our environment without the variables that hold one of `secrets`, and says none of them."""
        self._redactor = Redactor(each.get_secret_value() for each in secrets)
        held = {name for name, value in os.environ.items() if self._redactor.holds(value)}
        self._environment = {name: value for name, value in os.environ.items() if name not in held}
        self._command = [sys.executable, "-m", "plugineval.clients.checks.worker", *arguments]
        self._timeout_s = timeout_s
        self._lock = threading.Lock()
        self._process: subprocess.Popen[str] | None = None
        self._lines: Queue[str] = Queue()
        self._breakdowns = 0

    def greeting(self) -> Line:
        """Start the worker and take what it says about its checks; `CheckBrokenError` where it says nothing."""
        with self._lock:
            return self._started()

    def ask(self, question: Line) -> Line:
        """The answer to `question`; `CheckBrokenError` for no answer in time and for a process that ended."""
        with self._lock:
            if self._breakdowns >= _BREAKDOWNS:
                raise CheckBrokenError(f"not tried again after it broke down {self._breakdowns} times")
            if self._process is None:
                self._started()
            self._send(question)
            return self._received(self._timeout_s)

    def close(self) -> None:
        """End the worker; one that is busy is killed."""
        with self._lock:
            self._end()

    def _started(self) -> Line:
        self._end()
        self._lines = Queue()
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            env=self._environment,
        )
        reader = threading.Thread(target=_pump, args=(self._process.stdout, self._lines), daemon=True)
        reader.start()
        return self._received(START_S)

    def _send(self, question: Line) -> None:
        if self._process is None or self._process.stdin is None:
            raise CheckBrokenError("its process is gone")
        try:
            self._process.stdin.write(json.dumps(question) + "\n")
            self._process.stdin.flush()
        except OSError:
            # The answer, or rather its absence, says so too, with the exit code.
            return

    def _received(self, timeout_s: float) -> Line:
        try:
            line = self._lines.get(timeout=timeout_s)
        except Empty:
            self._break_down()
            raise CheckBrokenError(f"no answer within {timeout_s:g} s") from None
        if line:
            return cast("Line", json.loads(self._redactor.text(line)))
        code = self._process.wait() if self._process else None
        self._break_down()
        raise CheckBrokenError(f"it ended its process (exit code {code})")

    def _break_down(self) -> None:
        self._breakdowns += 1
        if self._process is not None:
            self._process.kill()
        self._end()

    def _end(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        try:
            if process.stdin is not None:
                process.stdin.close()
            process.wait(_LAST_WORDS_S)
        except (OSError, subprocess.TimeoutExpired):
            process.kill()
            process.wait()


def _pump(lines: IO[str] | None, queue: "Queue[str]") -> None:
    """Every line, and an empty one at the end."""
    if lines is not None:
        with lines:
            for line in lines:
                queue.put(line)
    queue.put("")
