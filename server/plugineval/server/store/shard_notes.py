"""Shards of a run as values: what a part of it is, who holds it, and what its end tells of it."""

from typing import NamedTuple

from plugineval.clients.models.load_counts import LoadCounts
from plugineval.harness.judging.stats import JudgeStats
from plugineval.harness.rehearsal import Rehearsed
from plugineval.pccf.values import Value
from plugineval.server.store.states import ShardState


class ShardPlan(NamedTuple):
    """Cases `first` to `last` (not included) of a job as one model is asked them; `total` cells."""

    number: int
    model: str
    first: int
    last: int
    total: int


class ShardLease(NamedTuple):
    """One process's hold of a shard. `epoch` grows with each: whoever holds an older one may write no more."""

    job_id: str
    epoch: int
    plan: ShardPlan


class ShardEnd(Value):
    """What the process that finished a shard tells of it."""

    prompt_hash: str
    made: int
    """Calls that were paid for by this process."""
    replayed: int
    """Calls that were answered before."""
    load: dict[str, LoadCounts] = {}
    """What the model's endpoint made calls of this process wait for, all its shards of this run together."""
    worker: str
    judge: JudgeStats | None = None
    settled: dict[str, str] = {}
    """Question, by the first part of its hash -> verdict, or in which way there is none; outages are left out."""
    preflight: tuple[Rehearsed, ...] = ()


class WaitingShard(NamedTuple):
    """A shard that some worker should have: nobody does, or somebody whose heart has been silent."""

    job_id: str
    number: int
    model: str


class ShardTally(Value):
    """How far the shards of a job are."""

    states: dict[ShardState, int] = {}
    done: int = 0
    """Cells."""
    total: int = 0
    workers: int = 0
    """Processes that hold a shard now."""
    refusals: tuple[str, ...] = ()
    """Why workers leave queued shards to others."""
    failures: tuple[str, ...] = ()
    """What fails the job."""

    @property
    def left(self) -> int:
        """Shards that are not done."""
        return sum(number for state, number in self.states.items() if state is not ShardState.DONE)
