"""A stretch of whole days: a day, a week, a month, a quarter or a year, by its first and last day."""

from calendar import monthrange
from datetime import date, timedelta
from typing import NamedTuple


class Span(NamedTuple):
    """First and last day, both inside."""

    first: date
    last: date

    @classmethod
    def day(cls, found: date) -> "Span":
        """One day."""
        return cls(found, found)

    @classmethod
    def week(cls, monday: date) -> "Span":
        """Seven days."""
        return cls(monday, monday + timedelta(days=6))

    @classmethod
    def months(cls, year: int, month: int, count: int = 1) -> "Span":
        """`count` months from the first of `month`; months may run past 12 or below 1."""
        start, end = _month(year, month), _month(year, month + count - 1)
        return cls(start, end.replace(day=monthrange(end.year, end.month)[1]))

    @property
    def single(self) -> bool:
        """Whether it is one day."""
        return self.first == self.last


def _month(year: int, month: int) -> date:
    years, index = divmod(month - 1, 12)
    return date(year + years, index + 1, 1)
