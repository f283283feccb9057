"""The port that everybody starts and follows long work through; in this process, and over a queue, are its adapters."""

import math
from collections.abc import Awaitable, Callable
from typing import Protocol

from plugineval.pccf.values import Json
from plugineval.server.store.summaries import Job
from plugineval.server.workspace import Workspace


class Engine(Protocol):
    """Jobs by id. What is known of one is the store's: any engine of a database may wait for any job of it."""

    workspace: Workspace

    async def start(self, kind: str, params: Json, *, job_id: str | None = None) -> Job:
        """Create a job and see that it runs; the job as it was created."""
        ...

    async def resume(self, job_id: str) -> Job:
        """See that a queued or interrupted job runs; one that is over, or runs already, is returned as it is."""
        ...

    async def cancel(self, job_id: str, *, wait_s: float = 5.0) -> Job:
        """Ask for a stop, wherever the job runs, and wait a little for it; what was done is kept."""
        ...

    async def wait(
        self,
        job_id: str,
        seconds: float = math.inf,
        on_progress: Callable[[Job], Awaitable[None]] | None = None,
        *,
        until: Callable[[Job], bool] | None = None,
    ) -> Job:
        """The job when it has ended, when `until` holds, or after `seconds`; `on_progress` hears how far it is."""
        ...

    async def result(self, job_id: str, on_progress: Callable[[Job], Awaitable[None]] | None = None) -> Json:
        """The result of a job when it has ended, wherever it ran; the error that ended it is raised."""
        ...
