"""The cells of a run, and what tables hold of them read page by page in their order.

Each page begins behind the last cell of the one before it, so the last page costs what the first one costs.
"""

from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import ColumnElement, FromClause, Row, Select, and_, literal, select, tuple_

from plugineval.harness.attempts import Attempt
from plugineval.harness.outcomes import GradedRow
from plugineval.server.store.database import Database
from plugineval.server.store.stream import Stream

PAGE = 500
T = TypeVar("T")
Rows: TypeAlias = "Select[*tuple[Any, ...]]"


class Cell(NamedTuple):
    """One repeat of one model on one case under one variant of the descriptions."""

    model: str
    case_id: str
    repeat: int
    variant: str = ""

    @classmethod
    def of(cls, found: Attempt | GradedRow) -> "Cell":
        """The cell of an attempt, or of its row."""
        return cls(found.model, found.case_id, found.repeat, found.variant)


def cell_of(table: FromClause) -> "tuple[ColumnElement[Any], ...]":
    """The columns that say which cell a row is of."""
    return tuple(table.c[name] for name in Cell._fields)


def same_cell(one: FromClause, other: FromClause) -> "ColumnElement[bool]":
    """That rows of the two are of one cell."""
    return and_(*[mine == theirs for mine, theirs in zip(cell_of(one), cell_of(other), strict=True)])


def place_of(row: "Row[Any]") -> Cell:
    """The cell of a row."""
    return Cell(row.model, row.case_id, row.repeat, row.variant)


class Paged(NamedTuple):
    """Rows of one table, and what is read with each page of them."""

    table: FromClause
    """Says which cells there are."""
    listed: Rows
    """Its rows, of each cell at most one."""
    beside: Callable[[FromClause], Rows] | None = None
    """The same rows with what another table has of their cells. Joined before the page is cut, PostgreSQL may look at
    every row in front of it, for every page.
    """
    size: int = PAGE

    def after(self, last: Cell | None) -> Rows:
        """One page."""
        place = cell_of(self.table)
        behind = self.listed if last is None else self.listed.where(tuple_(*place) > tuple_(*map(literal, last)))
        page = behind.order_by(*place).limit(self.size)
        if self.beside is None:
            return page
        cut = page.subquery()
        return self.beside(cut).order_by(*cell_of(cut))


def streamed(database: Database, paged: Paged, read: Callable[[Row[Any]], T]) -> Stream[T]:
    """All of it, as `read` makes it of each row; memory stays flat."""

    def fetch(last: Cell | None) -> list[tuple[Cell | None, T]]:
        page = paged.after(last)
        rows = database.read_here(lambda connection: connection.execute(page).all())
        # Where to go on is asked of the last one alone.
        return [(place_of(row) if row is rows[-1] else None, read(row)) for row in rows]

    return Stream(fetch)


def joined(listed: FromClause, other: FromClause, own: ColumnElement[bool]) -> Rows:
    """The bodies of both, cell by cell: that of `listed` as `row_body`; `own` picks the rows of `other`."""
    columns = (*cell_of(listed), other.c.body, listed.c.body.label("row_body"))
    return select(*columns).join_from(listed, other, own & same_cell(listed, other))
