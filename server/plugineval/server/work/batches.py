"""What an agent gets and gives back: items in groups that share instructions, and a receipt for every answer."""

from pydantic import AwareDatetime

from plugineval.pccf.values import Json, Value
from plugineval.server.store.work_notes import Taken


class WorkToDo(Value):
    """One item."""

    item_id: str
    job_id: str
    attempt: int
    evidence: str


class WorkGroup(Value):
    """Items of one kind that are to be answered by the same instructions, in the same shape."""

    kind: str
    role: str
    instructions: str
    prompt_hash: str
    answer_schema: dict[str, Json]
    items: tuple[WorkToDo, ...]


class WorkBatch(Value):
    """What was leased; without items, `next_step` says why, and what helps."""

    lease_id: str
    expires_at: AwareDatetime
    groups: tuple[WorkGroup, ...] = ()
    waiting: dict[str, int] = {}
    """Kind -> items that still wait for somebody."""
    next_step: str


class WorkReceipt(Value):
    """What became of each answer; `waiting` and `next_step` as in a batch."""

    results: tuple[Taken, ...]
    accepted: int
    refused: int
    open_in_lease: tuple[str, ...] = ()
    """Items of the lease that still want an answer."""
    waiting: dict[str, int] = {}
    next_step: str
