"""How the database is opened: durability against speed, and how long work waits for a lock or a lost server."""

from typing import Literal

from pydantic import Field

from plugineval.pccf.values import Value


class StoreOptions(Value):
    """Settings of the store; the SQLite ones mean nothing on PostgreSQL."""

    synchronous: Literal["normal", "full"] = "normal"
    """SQLite: normal survives a killed process, full a power cut too, at several times the cost of a commit."""
    busy_timeout_s: float = Field(default=30.0, ge=0)
    """SQLite: how long to wait for a lock of another process before that is an error."""
    share_limits: bool | None = None
    """Whether all processes on the database keep together within what `[models.NAME]` allows; None: on PostgreSQL."""
    idle_transaction_s: float = Field(default=10.0, gt=0)
    """PostgreSQL: how long a process that was stopped in the middle of a transaction may keep its locks."""
    reconnect_s: float = Field(default=30.0, ge=0)
    """PostgreSQL: how long to try for a new connection where one is lost in mid-work, before that is an error."""
