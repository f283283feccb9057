"""How workers share what is on the queue (`[workers]`): sizes and times, the same for all workers of a database."""

from datetime import timedelta
from typing import Literal, Self, TypeAlias

from pydantic import Field, model_validator

from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.values import Value

Shared: TypeAlias = Literal["build", "verify", "regrade", "ablate", "scenarios", "recalibrate"]
"""Kinds of jobs that one worker takes as a whole."""


class WorkerOptions(Value):
    """Times in seconds. A worker that has been silent for `stalled_after_s` has lost what it held."""

    jobs: tuple[Shared, ...] = ()
    """Kinds of jobs that go to workers whole. Runs go there by `[run] engine`."""
    shard_cells: int = Field(default=100, ge=1)
    """About how many cells of one model a worker takes at a time."""
    shards_at_once: int = Field(default=2, ge=1)
    """Shards that one worker holds at a time, so that one fills what the end of another leaves empty."""
    heartbeat_s: float = Field(default=2.0, gt=0)
    stalled_after_s: float = Field(default=20.0, gt=0)
    grace_s: float = Field(default=30.0, ge=0)
    """How long calls in flight may take to be answered when a worker is told to end."""

    @property
    def silence(self) -> timedelta:
        """After which whatever a process holds is free."""
        return timedelta(seconds=self.stalled_after_s)

    @model_validator(mode="after")
    def _hearts_beat_in_time(self) -> Self:
        if self.stalled_after_s < 3 * self.heartbeat_s:
            raise ConfigurationError(
                "is less than three heartbeats: workers that live would be taken for dead",
                field="stalled_after_s",
                next_step=f"write {3 * self.heartbeat_s:g} or more, or a shorter heartbeat_s",
            )
        return self
