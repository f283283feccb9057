"""Attempts and what they were worth: one row each, written together in one commit, read back as streams.

A cell (model, case, repeat) is there once. Appending it again replaces it: a resumed run brings the recorded answers
byte for byte, and a new answer where there had been an outage.
"""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, Table, func, literal, select, tuple_

from plugineval.harness.attempts import Attempt
from plugineval.harness.outcomes import GradedRow
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.values import Value
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value, to_text
from plugineval.server.store.database import Database, Insert, insert_into
from plugineval.server.store.names import resolve
from plugineval.server.store.stream import Stream
from plugineval.server.store.summaries import OutcomeCount

_runs = tables.table_of(tables.Runs)
_attempts = tables.table_of(tables.Attempts)
_graded = tables.table_of(tables.Graded)

PAGE = 500
V = TypeVar("V", bound=Value)


class Cell(NamedTuple):
    """One repeat of one model on one case."""

    model: str
    case_id: str
    repeat: int


class AttemptShelf:
    """What models answered in a run, and the verdicts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, run_id: str, attempt: Attempt, row: GradedRow) -> None:
        """Keep both in one commit, in place of what the cell held before."""
        cell = Cell(attempt.model, attempt.case_id, attempt.repeat)
        if cell != (row.model, row.case_id, row.repeat):
            raise InvalidRecordError(f"the row grades another attempt than {cell}", field="row")
        if attempt.variant or row.variant:
            # The tables' keys do not know variants: the row would silently replace the one it is compared with.
            raise InvalidRecordError("runs with variants of the descriptions are not stored", field="variant")
        answered = {"run_id": run_id, **cell._asdict(), "at": attempt.at, "body": to_text(attempt)}
        graded = _graded_row(run_id, row)

        def work(connection: Connection) -> None:
            connection.execute(_replacing(connection.dialect.name, _attempts), answered)
            connection.execute(_replacing(connection.dialect.name, _graded), graded)

        await self._database.write(work)

    def log(self, run_id: str) -> "RunLog":
        """Where the matrix of one run appends to."""
        return RunLog(self, run_id)

    async def done(self, run_id: str) -> frozenset[Cell]:
        """The cells of a run that are there."""

        def work(connection: Connection) -> frozenset[Cell]:
            cells = select(_graded.c.model, _graded.c.case_id, _graded.c.repeat).where(_graded.c.run_id == run_id)
            return frozenset(Cell(*row) for row in connection.execute(cells))

        return await self._database.read(work)

    async def rows(self, run_id: str) -> Stream[GradedRow]:
        """The graded rows, by model, case and repeat; memory stays flat."""
        return await self._stream(_graded, GradedRow, run_id)

    async def stream(self, run_id: str) -> Stream[Attempt]:
        """The attempts, by model, case and repeat; memory stays flat."""
        return await self._stream(_attempts, Attempt, run_id)

    async def outcomes(self, run_id: str) -> tuple[OutcomeCount, ...]:
        """Rows counted by everything a report groups them by; one pass over an index."""

        def work(connection: Connection) -> tuple[OutcomeCount, ...]:
            name = resolve(connection, _runs.c.id, "run", run_id)
            columns = [_graded.c[verdict] for verdict in tables.VERDICTS]
            query = select(*columns, func.count().label("rows")).where(_graded.c.run_id == name).group_by(*columns)
            ordered = query.order_by(*columns)
            return tuple(OutcomeCount.model_validate(dict(row)) for row in connection.execute(ordered).mappings())

        return await self._database.read(work)

    async def _stream(self, table: Table, kind: type[V], run_id: str) -> Stream[V]:
        name = await self._database.read(lambda connection: resolve(connection, _runs.c.id, "run", run_id))
        return Stream(_fetching(self._database, table, kind, name))


class RunLog:
    """The harness's `AttemptLog` of one run."""

    def __init__(self, shelf: AttemptShelf, run_id: str) -> None:
        self._shelf = shelf
        self._run_id = run_id

    async def append(self, attempt: Attempt, row: GradedRow) -> None:
        """Keep both durably, in place of what the cell held before."""
        await self._shelf.append(self._run_id, attempt, row)


@cache
def _replacing(dialect: str, table: Table) -> Insert:
    insert = insert_into(dialect, table)
    keys = [column.name for column in table.primary_key]
    fresh = {column.name: insert.excluded[column.name] for column in table.c if column.name not in keys}
    return insert.on_conflict_do_update(index_elements=keys, set_=fresh)


def _graded_row(run_id: str, row: GradedRow) -> dict[str, str | int | None]:
    columns: dict[str, str | int | None] = {
        "run_id": run_id,
        "model": row.model,
        "case_id": row.case_id,
        "repeat": row.repeat,
        # Defaults are left out: a run has many rows and most of their fields say nothing.
        "body": to_text(row, defaults=False),
    }
    for name in tables.VERDICTS[1:]:
        verdict = getattr(row, name)
        columns[name] = None if verdict is None else str(verdict)
    return columns


def _fetching(
    database: Database, table: Table, kind: type[V], run_id: str
) -> Callable[[Cell | None], list[tuple[Cell, V]]]:
    place = (table.c.model, table.c.case_id, table.c.repeat)
    whole = select(*place, table.c.body).where(table.c.run_id == run_id)

    def fetch(last: Cell | None) -> list[tuple[Cell, V]]:
        query = whole if last is None else whole.where(tuple_(*place) > tuple_(*map(literal, last)))
        page = query.order_by(*place).limit(PAGE)
        rows = database.read_here(lambda connection: connection.execute(page).all())
        return [_placed(kind, row.body, run_id, Cell(row.model, row.case_id, row.repeat)) for row in rows]

    return fetch


def _placed(kind: type[V], body: str, run_id: str, cell: Cell) -> tuple[Cell, V]:
    return cell, read_value(kind, body, "/".join(("runs", run_id, *map(str, cell))))
