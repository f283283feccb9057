"""How the database is opened: durability against speed, and how long a writer waits for another process."""

from typing import Literal

from pydantic import Field

from plugineval.pccf.values import Value


class StoreOptions(Value):
    """Settings of the store; the SQLite ones mean nothing on PostgreSQL."""

    synchronous: Literal["NORMAL", "FULL"] = "NORMAL"
    """SQLite: NORMAL survives a killed process, FULL a power cut too, at several times the cost of a commit."""
    busy_timeout_s: float = Field(default=30.0, ge=0)
    """SQLite: how long to wait for a lock of another process before that is an error."""
