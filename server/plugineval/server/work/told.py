"""What a job waits for, in words: the message of the job, and how others recognise it."""

from collections.abc import Iterable

from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.store.work_notes import WorkCount

WAITING = "waiting for work: "
"""Begins the message of a job with items that nobody holds."""
HELD = "waiting for answers: "
"""Begins it where every item is with an agent."""


def waiting_told(counts: Iterable[WorkCount], to_come: int = 0) -> str:
    """`waiting for work: 6 propose_invocation, 2 judge_arguments; 30 more follow; call work_next`; empty where nothing
    is asked. `to_come`: questions that are known and not on offer yet.
    """
    listed = list(counts)
    open_ = ", ".join(f"{count.open} {count.kind}" for count in listed if count.open)
    held = ", ".join(f"{count.leased} {count.kind}" for count in listed if count.leased)
    follow = f"; {to_come} more follow" if to_come else ""
    if open_:
        return f"{WAITING}{open_}{follow}; call work_next"
    return f"{HELD}agents hold {held}{follow}; work_submit answers them" if held else ""


def waits_for_work(job: Job) -> bool:
    """Whether a job has items that somebody should take."""
    return job.state is JobState.RUNNING and job.message.startswith(WAITING)


def kinds_told(message: str) -> set[str]:
    """The kinds of work that a `waiting_told` names as waiting for somebody."""
    listed = message.removeprefix(WAITING).partition(";")[0]
    return {each.partition(" ")[2] for each in listed.split(", ")} if message.startswith(WAITING) else set()
