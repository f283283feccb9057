"""A worker that leaves while the database is gone: it waits a little for it, says what it could not, and goes.

What was answered is in the database, or is lost like what is in flight when a process is killed: others take over what
it held as soon as they have found it silent.
"""

from typing import TYPE_CHECKING

import anyio

from plugineval.server.settings.worker_options import WorkerOptions
from plugineval.server.workers.queue import Queue
from plugineval.server.workers.telling import Tell

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

GONE_S = 5.0
"""How long a worker that is to leave waits for a database that does not answer."""
LOOK_S = 0.25


async def until_gone(store: "Store") -> None:
    """Return when the database has not answered for so long, counted from now."""
    last = anyio.current_time()
    while anyio.current_time() - last < GONE_S:
        await anyio.sleep(LOOK_S)
        if await store.answers():
            last = anyio.current_time()


async def give_up(store: "Store", queue: Queue, options: WorkerOptions, tell: Tell) -> None:
    """Say that the worker goes without the database, and keep nobody waiting for it."""
    tell(
        "trouble",
        f"the database cannot be reached: leaves without it. What was stored is kept; what this worker held is taken "
        f"over once the database is back, after {options.stalled_after_s:g} s of silence at the latest",
    )
    store.hurry()
    await queue.abandon()
