"""Newest-first pages by key: the next page starts after the last item's (moment, id), wherever rows were added."""

from collections.abc import Sequence
from typing import Any, TypeAlias

from sqlalchemy import Column, Connection, RowMapping, Select, and_, or_

from plugineval.server.store.listing import checked_limit, newest_place, place_cursor

Rows: TypeAlias = "Select[*tuple[Any, ...]]"
"""A query, whatever its columns."""


def newest_first(
    connection: Connection, query: Rows, moment: "Column[Any]", cursor: str | None, limit: int
) -> tuple[Sequence[RowMapping], str | None]:
    """A page of `query`, which selects at least `moment` and `id`, and the cursor of the next one."""
    name = moment.table.c.id
    if cursor is not None:
        at, last = newest_place(cursor)
        query = query.where(or_(moment < at, and_(moment == at, name < last)))
    ordered = query.order_by(moment.desc(), name.desc()).limit(checked_limit(limit) + 1)
    rows = connection.execute(ordered).mappings().all()
    if len(rows) <= limit:
        return rows, None
    return rows[:limit], place_cursor(rows[limit - 1][moment].isoformat(), rows[limit - 1][name])
