"""What the store tells of work for agents: items as they were handed out, what waits, and what became of answers."""

from collections.abc import Callable
from typing import Literal, NamedTuple

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


def _resume_tool(job_id: str) -> str:
    return f"call job_resume with job_id {job_id}"


class Steps(NamedTuple):
    """How whoever takes work says its steps: the tools of the server, unless it is a command line."""

    ask: str = "call work_next"
    hand_in: str = "call work_submit"
    look: str = "call job_get"
    resume: Callable[[str], str] = _resume_tool
    """The id of a job -> how it is resumed."""


TOOL_STEPS = Steps()


class WorkQueueState(Value):
    """What waits in running jobs, as one identity sees it."""

    waiting: dict[str, int] = {}
    """Kind -> items that nobody holds."""
    kept_from_you: int = 0
    """Of those, how many its identity must not have (P17, P60)."""
    held: int = 0
    """Items with other agents."""
    yours: int = 0
    """Items that this identity holds without having answered them."""
    busy: tuple[str, ...] = ()
    """Ids of running jobs that have asked agents, the newest first: they may ask again at any moment."""
    interrupted: tuple[str, ...] = ()
    """Ids of jobs that wait for answers and are run by no process."""

    def why_nothing(self, steps: Steps = TOOL_STEPS) -> str:
        """Why an agent that asks gets nothing, and what helps."""
        reasons = (
            (
                self.kept_from_you,
                f"{self.kept_from_you} waiting items are kept from this identity, which stands on the other side of "
                "the same requests, has reviewed them, or must not see what is right for them yet; connect another "
                f"agent for them, or answer the rest first and {steps.ask} again",
            ),
            (self.waiting, f"what waits is not of the kinds or the job asked for; {steps.ask} without them"),
            (
                self.yours,
                f"you hold {self.yours} items without an answer; {steps.hand_in} with the lease_id they came with",
            ),
            (
                self.held,
                f"other agents hold the {self.held} items there are; {steps.ask} again later, or {steps.look} to "
                "see how far a job is",
            ),
            (
                self.busy,
                f"nothing waits at this moment, and job {', '.join(self.busy[:1])} goes on; {steps.ask} again in "
                "a few seconds",
            ),
            (
                self.interrupted,
                f"{steps.resume(''.join(self.interrupted[:1]))}, which waits for answers and is not running",
            ),
        )
        otherwise = f"nothing waits; {steps.look} for the job that asked, or start one whose roles or models are agent"
        return next((told for holds, told in reasons if holds), otherwise)
