"""Work of other processes on the same home, told to the clients of this one: a command line, or another server.

The store knows no listeners; so as long as somebody here would hear of it, it is asked every second which jobs changed.
"""

import os
from datetime import UTC, datetime

import anyio

from plugineval.pccf.errors import StoreError
from plugineval.server.app.answers import URI
from plugineval.server.app.notifying import Notifier
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.workspace import Workspace

LOOK_S = 1.0
_MADE = {"benchmark_id": ("benchmarks",), "run_id": ("runs", "reports"), "grading_id": ("reports",)}
"""Member of a result -> where it can be read."""


async def watch(workspace: Workspace, notifier: Notifier) -> None:
    """Announce what others do, until cancelled."""
    since = datetime.now(UTC)
    while True:
        await anyio.sleep(LOOK_S)
        if not notifier.heard:
            since = datetime.now(UTC)
            continue
        try:
            changed = await (await workspace.store()).jobs.changed(since)
        except StoreError:
            # Whoever needs the store is told what is wrong with it.
            continue
        for job in changed:
            since = max(since, job.updated_at)
            if job.owner_pid != os.getpid():
                await _announce(job, notifier)


async def _announce(job: Job, notifier: Notifier) -> None:
    await notifier.announce(f"{URI}jobs/{job.id}")
    if job.state is JobState.COMPLETED and isinstance(job.result, dict):
        for member, shelves in _MADE.items():
            if name := job.result.get(member):
                for shelf in shelves:
                    await notifier.announce(f"{URI}{shelf}/{name}")
