"""A model for hours, in a process of its own: it reads a length out of the request and calls the tool that converts it.

Now and then it says nothing, is wrong, or its endpoint fails once, so that every path of a run is walked. It ends when
its stdin does, so with whoever started it.
"""

import re
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from zlib import crc32

import anyio
from anyio.to_thread import run_sync

from doubles.openai_server import Document, Reply, calling, message, openai_server, refusal

LATENCY_S = 0.03
FORGET_S = 5.0
FAULT_EVERY = 50
_LENGTH = re.compile(r"(\d+)(?: dozen)* (metre|foot|mile)")
_TESTS = Path(__file__).resolve().parents[1]
_asked = count(1)


def answer(request: Document) -> Reply:
    """A call, prose, or a wrong call, by what is asked; each fiftieth time a fault instead."""
    if next(_asked) % FAULT_EVERY == 0:
        return refusal(500, headers=[("retry-after", "0")])
    asked = str(request["messages"])
    match crc32(asked.encode()) % 8:
        case 0:
            return message("I would rather not.")
        case 1:
            return calling(("convert_length", {"value": "many"}))
        case _:
            found = _LENGTH.search(asked)
            value, unit = (float(found[1]), found[2]) if found else (1.0, "metre")
            return calling(("convert_length", {"value": value, "from_unit": unit, "to_unit": "foot"}))


async def serve() -> None:
    """Say the address, and answer until stdin ends; what a test would look at afterwards is forgotten."""
    async with openai_server(answer=answer) as server, anyio.create_task_group() as tasks:
        server.latency_s = LATENCY_S
        sys.stdout.write(server.base_url + "\n")
        sys.stdout.flush()

        async def forget() -> None:
            while True:
                await anyio.sleep(FORGET_S)
                for kept in (server.requests, server.rehearsals, server.paths, server.heads):
                    kept.clear()

        tasks.start_soon(forget)
        await run_sync(sys.stdin.read)
        tasks.cancel_scope.cancel()


@contextmanager
def soak_model() -> Generator[str]:
    """The base URL of a model in another process."""
    program = "import anyio; from benchmarks.soak_model import serve; anyio.run(serve)"
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=_TESTS, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        yield process.stdout.readline().strip()
        process.communicate()
