"""One command that a person registered beside a plugin, run to its end: bounded in time, no shell, no orphan."""

from typing import NamedTuple

import anyio
from anyio.abc import ByteReceiveStream, Process

from plugineval.clients.plugins.guarding import Guard
from plugineval.clients.plugins.kin import Kin
from plugineval.clients.plugins.last_words import LastWords
from plugineval.clients.plugins.processes import POLL_S, Launch, end_process, open_process, release


class Errand(NamedTuple):
    """What is run, for how long at most, and where what it says goes."""

    launch: Launch
    timeout_s: float
    words: LastWords
    guard: Guard


async def run_errand(errand: Errand) -> str | None:
    """Run it. None where it ended with status 0; else what happened, for a person."""
    try:
        process = await open_process(errand.launch)
    except OSError as error:
        return f"cannot be started: {error.strerror or error}"
    errand.guard.watch(process.pid)
    kin = Kin(process.pid, lambda pid, start: errand.guard.watch(process.pid, (pid, start)))
    try:
        return await _finish(process, kin, errand)
    finally:
        with anyio.CancelScope(shield=True):
            await end_process(process, kin, grace_s=errand.launch.grace_s if process.returncode is None else 0.0)
            await release(process)
            errand.guard.forget(process.pid)


async def _finish(process: Process, kin: Kin, errand: Errand) -> str | None:
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    await process.stdin.aclose()
    async with anyio.create_task_group() as readers:
        readers.start_soon(_read, process.stdout, errand.words)
        readers.start_soon(_read, process.stderr, errand.words)
        with anyio.move_on_after(errand.timeout_s):
            while process.returncode is None:
                kin.look()
                await anyio.sleep(POLL_S)
        # A grandchild may hold the pipes; what it says is nobody's last word.
        await anyio.sleep(POLL_S)
        readers.cancel_scope.cancel()
    errand.words.finish()
    if process.returncode is None:
        return f"did not end within {errand.timeout_s:g} s"
    return None if process.returncode == 0 else f"exited with status {process.returncode}"


async def _read(stream: ByteReceiveStream, words: LastWords) -> None:
    try:
        async for chunk in stream:
            words.feed(chunk)
    except (anyio.ClosedResourceError, anyio.BrokenResourceError, OSError):
        return
