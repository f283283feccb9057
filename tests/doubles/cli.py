"""The command line as a user has it: in this process with its output taken, or as a process of its own; and an
endpoint that answers beside it, in a thread.
"""

import contextlib
import io
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, cast
from unittest.mock import patch

from anyio.from_thread import start_blocking_portal

from doubles.openai_server import Document, OpenAIServer, Reply, calling, message, openai_server
from plugineval.pccf.values import Json
from plugineval.server.cli import main

MAIN = "from plugineval.server.cli import main; main()"
ADD: Document = {
    "name": "add",
    "description": "Add two numbers",
    "input_schema": {
        "type": "object",
        "properties": {"a": {"type": "integer"}, "b": {"type": "integer"}},
        "required": ["a", "b"],
        "additionalProperties": False,
    },
}
BOOK: Document = {
    "name": "book.table",
    "description": "Book a table",
    "input_schema": {
        "type": "object",
        "properties": {"when": {"type": "string", "format": "date-time"}},
        "required": ["when"],
    },
}


class Called(NamedTuple):
    """What came of one command."""

    code: int
    out: str
    err: str

    @property
    def printed(self) -> dict[str, Any]:
        """The one object on stdout."""
        return cast("dict[str, Any]", json.loads(self.out))

    @property
    def error(self) -> dict[str, Any]:
        """The error that the object on stdout holds."""
        return cast("dict[str, Any]", self.printed["error"])


def plugineval(*words: object) -> Called:
    """Run a command in this process, which must not be in an event loop."""
    out, err = io.StringIO(), io.StringIO()
    argv = ["plugineval", *map(str, words)]
    with patch.object(sys, "argv", argv), contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            main()
        except SystemExit as done:
            code = int(done.code or 0)
        else:
            code = 0
    return Called(code, out.getvalue(), err.getvalue())


def started(*words: object) -> subprocess.Popen[str]:
    """Start a command as a process of its own."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return subprocess.Popen(
        [sys.executable, "-c", MAIN, *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


def kill_when(reached: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """End a process at once, with SIGKILL, when something holds; it may not end by itself before."""
    while not reached():
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.kill()
    process.communicate()


@contextmanager
def endpoint(answer: Callable[[Document], Reply]) -> Generator[OpenAIServer]:
    """An endpoint on a free port, served by a thread of its own."""
    with start_blocking_portal() as portal, portal.wrap_async_context_manager(openai_server(answer=answer)) as server:
        yield server


def asked_for(request: Document) -> str:
    """The last words of the user in a request."""
    messages = cast("list[Document]", request["messages"])
    return str(messages[-1]["content"])


def obedient(request: Document) -> Reply:
    """Does what the query spells: `CALL {"name": {arguments}}` with every call in order, or prose."""
    _, marked, calls = asked_for(request).partition("CALL ")
    if not marked:
        return message("There is nothing to call.")
    return calling(*cast("dict[str, Json]", json.loads(calls)).items())


def case(case_id: str, query: str, *gold: Document, kind: str = "positive", **fields: Json) -> Document:
    """One line of a cases file."""
    record: Document = {"id": case_id, "query": query, "tools": [ADD, BOOK], "gold": list(gold), "sample_type": kind}
    return record | fields


def addition(case_id: str, a: int, *, said: int | None = None) -> Document:
    """A positive whose model answers `add(said or a, 1)`."""
    emitted = json.dumps({"add": {"a": a if said is None else said, "b": 1}})
    return case(case_id, f"case {case_id}: CALL {emitted}", {"name": "add", "arguments": {"a": a, "b": 1}})


def cases_file(folder: Path, cases: Iterable[Document]) -> Path:
    """A file of cases."""
    path = folder / "cases.jsonl"
    path.write_text("".join(json.dumps(each) + "\n" for each in cases))
    return path
