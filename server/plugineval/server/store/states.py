"""The states that stored work goes through."""

from enum import StrEnum
from typing import Literal, TypeAlias

Engine: TypeAlias = Literal["here", "workers"]
"""Who runs a job: the process that starts or resumes it, or whichever worker takes it off the queue."""


class BenchmarkState(StrEnum):
    """A benchmark can be read, and evaluated on, at any time; only a complete one has a content hash."""

    BUILDING = "building"
    COMPLETE = "complete"


class RunState(StrEnum):
    """A run is resumed from `RUNNING`: its rows are there, whatever happened to the process."""

    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"


class JobState(StrEnum):
    """`INTERRUPTED` is a running job whose process is gone; it can be claimed again and replays from its journal."""

    QUEUED = "queued"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    CANCELLED = "cancelled"
    INTERRUPTED = "interrupted"

    @property
    def final(self) -> bool:
        """Whether nothing more will happen to the job unless a person reopens it."""
        return self in {JobState.COMPLETED, JobState.FAILED, JobState.CANCELLED}


class ShardState(StrEnum):
    """`RUNNING` goes back to `QUEUED` when its process gives it back, and to another process when it is gone. One that
    `FAILED` fails its job.
    """

    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"


class WorkState(StrEnum):
    """`LEASED` goes back to `OPEN` by itself when the lease expires; `WITHDRAWN` is over with its job."""

    OPEN = "open"
    LEASED = "leased"
    ANSWERED = "answered"
    WITHDRAWN = "withdrawn"


CLAIMABLE = (JobState.QUEUED, JobState.INTERRUPTED)
WANTED = (JobState.QUEUED, JobState.RUNNING)
"""States of a job in which its shards are worked on."""
