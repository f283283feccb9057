"""The column type of all moments: aware, kept as UTC."""

from datetime import UTC, datetime

from sqlalchemy import DateTime, Dialect
from sqlalchemy.types import TypeDecorator


class Moment(TypeDecorator[datetime]):
    """An aware datetime, kept as UTC; a naive one is refused."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To UTC."""
        if value is not None and value.tzinfo is None:
            raise ValueError("a moment needs a time zone")
        return None if value is None else value.astimezone(UTC)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """SQLite forgets the zone; it is UTC."""
        return value.replace(tzinfo=UTC) if value is not None and value.tzinfo is None else value
