"""Commands as processes of their own that start in no time: one process has imported everything, and forks for each.

What is killed is the real command with its real threads, connections and plugins; only the imports are shared.
"""

import json
import os
import secrets
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

_MOTHER = """
import json, os, signal, sys
import anyio, openai, sqlmodel, alembic.command, sqlalchemy.dialects.sqlite, mcp, psycopg, procrastinate.worker
import plugineval.server.cli.program
import plugineval.server.wiring
from plugineval.server.cli import main

for line in sys.stdin:
    order = json.loads(line)
    if "wait" in order:
        _, status = os.waitpid(order["wait"], 0)
        print(os.waitstatus_to_exitcode(status), flush=True)
        continue
    child = os.fork()
    if not child:
        null = os.open(os.devnull, os.O_RDONLY)
        opened = [os.open(name, os.O_CREAT | os.O_WRONLY | os.O_TRUNC, 0o600) for name in order["streams"]]
        for place, stream in enumerate((null, *opened)):
            os.dup2(stream, place)
        sys.stdin = open(0)
        sys.argv = ["plugineval", *order["words"]]
        code = 1
        try:
            main()
            code = 0
        except SystemExit as done:
            code = int(done.code or 0)
        except BaseException:
            import traceback
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    print(child, flush=True)
"""


class Fork(NamedTuple):
    """A command that runs."""

    pid: int
    out: Path
    err: Path

    def kill(self) -> None:
        """End it as nothing that it could hear of; one that has ended is left alone."""
        try:
            os.kill(self.pid, signal.SIGKILL)
        except ProcessLookupError:
            return


class Ended(NamedTuple):
    """What came of it; a negative code is the signal that ended it."""

    code: int
    out: str
    err: str


class Forks:
    """Start commands with `start`; every one must be waited for with `wait`."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._count = folder, 0
        self.token = secrets.token_hex(16)
        """Opens a server that is started here."""
        self._mother = subprocess.Popen(
            [sys.executable, "-c", _MOTHER],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env=os.environ | {"PLUGINEVAL_TOKEN": self.token},
        )

    def start(self, *words: object) -> Fork:
        """Run a command."""
        self._count += 1
        out, err = (self._folder / f"{self._count}.{name}" for name in ("out", "err"))
        for stream in (out, err):
            # It may be killed before it opens them.
            stream.touch()
        pid = self._told({"words": [str(word) for word in words], "streams": [str(out), str(err)]})
        return Fork(pid, out, err)

    def wait(self, fork: Fork) -> Ended:
        """Its end, when it has ended."""
        code = self._told({"wait": fork.pid})
        return Ended(code, fork.out.read_text(encoding="utf-8"), fork.err.read_text(encoding="utf-8"))

    def run(self, *words: object) -> Ended:
        """Run a command to its end."""
        return self.wait(self.start(*words))

    def close(self) -> None:
        """No more of them."""
        self._mother.communicate()

    def _told(self, order: dict[str, object]) -> int:
        assert self._mother.stdin is not None
        assert self._mother.stdout is not None
        self._mother.stdin.write(json.dumps(order) + "\n")
        self._mother.stdin.flush()
        return int(self._mother.stdout.readline())
