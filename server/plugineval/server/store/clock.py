"""The time of the database: hosts whose clocks differ agree by it on who has been silent for how long."""

from datetime import UTC, datetime

from sqlalchemy import Connection, DateTime, func, select


def database_now(connection: Connection) -> datetime:
    """What its clock says at this moment; a file has that of this host."""
    if connection.dialect.name != "postgresql":
        return datetime.now(UTC)
    return connection.execute(select(func.clock_timestamp(type_=DateTime(timezone=True)))).scalar_one()
