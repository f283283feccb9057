"""What the store tells of work for agents: items as they were handed out, what waits, and what became of answers."""

from typing import Literal

from pydantic import AwareDatetime, Field

from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.pccf.values import Json, Value

LEASE_S = 900
SHORTEST_LEASE_S, LONGEST_LEASE_S = 30, 7200
MOST_ITEMS = 8


class WorkItem(Value):
    """A question in the queue of one job."""

    id: str
    job_id: str
    attempt: int
    """How often it was handed out, this time included."""
    question: WorkQuestion


class WorkWish(Value):
    """What an agent asks for."""

    kinds: tuple[WorkKind, ...] = ()
    """Empty: any."""
    job_id: str | None = None
    limit: int = Field(default=4, ge=1, le=MOST_ITEMS)
    lease_s: int = Field(default=LEASE_S, ge=SHORTEST_LEASE_S, le=LONGEST_LEASE_S)
    model: str | None = None
    """Only items of this model id, for whoever serves no other; None: any."""


class WorkLease(Value):
    """Items that are one agent's until the lease expires."""

    lease_id: str
    expires_at: AwareDatetime
    items: tuple[WorkItem, ...] = ()


class WorkCount(Value):
    """Items of one kind: waiting for somebody, with somebody, and answered."""

    kind: WorkKind
    open: int = 0
    leased: int = 0
    answered: int = 0


class Taken(Value):
    """What became of one answer."""

    item_id: str
    status: Literal["accepted", "known", "refused"]
    """`known`: the same answer had been accepted before."""
    reason: str = ""
    stored: Json = None
    """The answer that was accepted before, where another one came."""
