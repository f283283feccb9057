"""Attempts and what they were worth: one row each, written together in one commit, read back as streams.

A cell (model, case, repeat, variant) is there once, and once more in every grading. Appending it again replaces it: a
resumed run brings the recorded answers byte for byte, and a new answer where there had been an outage.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias, TypeVar

from sqlalchemy import Connection, FromClause, Row, Table, case, desc, func, select, tuple_

from plugineval.harness.attempts import Attempt
from plugineval.harness.gradings import FIRST
from plugineval.harness.outcomes import Confusion, GradedRow, Outcome
from plugineval.harness.row_facts import RowFacts, Steps
from plugineval.pccf.errors import InvalidRecordError
from plugineval.pccf.values import Value
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value, to_text
from plugineval.server.store.cells import Cell, Paged, Rows, cell_of, joined, place_of, streamed
from plugineval.server.store.database import Database, Insert, insert_into
from plugineval.server.store.names import resolve
from plugineval.server.store.row_facts import FactsReader, facts_of_attempt, facts_query, listed_facts
from plugineval.server.store.stream import Stream
from plugineval.server.store.summaries import CaseCount, OutcomeCount

_runs = tables.table_of(tables.Runs)
_attempts = tables.table_of(tables.Attempts)
_graded = tables.table_of(tables.Graded)

FACTS_PAGE = 2_000
CHOSEN_AT_ONCE = 200
_RIGHT = (Confusion.TP.value, Confusion.TN.value)
SERVED_LOOKED_AT = 20
V = TypeVar("V", bound=Value)
AttemptColumns: TypeAlias = tuple[Mapping[str, object], Mapping[str, object]]


class GradedAttempt(NamedTuple):
    """An attempt with its row in one grading."""

    attempt: Attempt
    row: GradedRow


class RowPair(NamedTuple):
    """One cell in two gradings."""

    old: GradedRow
    new: GradedRow


class AttemptShelf:
    """What models answered in a run, and the verdicts."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, run_id: str, attempt: Attempt, row: GradedRow) -> None:
        """Keep both in one commit, in place of what the cell held before; the row is of the run's own grading."""
        await self._database.write_row(append_rows, columns_of(run_id, attempt, row))

    async def grade_again(self, run_id: str, grading: str, rows: Iterable[GradedRow]) -> None:
        """Keep rows of a further grading, which is stored already; the attempts and the other gradings stay."""
        graded = [_graded_row(run_id, grading, row) for row in rows]

        def work(connection: Connection) -> None:
            connection.execute(_replacing(connection.dialect.name, _graded), graded)

        if graded:
            await self._database.write(work)

    def log(self, run_id: str) -> "RunLog":
        """Where the matrix of one run appends to."""
        return RunLog(self, run_id)

    async def done(self, run_id: str) -> frozenset[Cell]:
        """The cells of a run that are there."""

        def work(connection: Connection) -> frozenset[Cell]:
            cells = select(*cell_of(_attempts)).where(_attempts.c.run_id == run_id)
            return frozenset(Cell(*row) for row in connection.execute(cells))

        return await self._database.read(work)

    async def rows(self, run_id: str, grading: str = FIRST, *, correct: bool = True) -> Stream[GradedRow]:
        """The rows of one grading, by model, case, repeat and variant; memory stays flat.

        Without `correct`, only those with another outcome, or with none.
        """
        name = await self._run(run_id)
        listed = _listed(name, grading)
        if not correct:
            listed = listed.where(_graded.c.outcome.is_distinct_from(Outcome.CORRECT.value))
        return streamed(self._database, Paged(_graded, listed), partial(_value, GradedRow, name))

    async def stream(self, run_id: str) -> Stream[Attempt]:
        """The attempts, by model, case, repeat and variant; memory stays flat."""
        name = await self._run(run_id)
        listed = select(*cell_of(_attempts), _attempts.c.body).where(_attempts.c.run_id == name)
        return streamed(self._database, Paged(_attempts, listed), partial(_value, Attempt, name))

    async def graded(self, run_id: str, grading: str = FIRST) -> Stream[GradedAttempt]:
        """The attempts that a grading has rows of, each with its row, in the same order."""
        name = await self._run(run_id)
        paged = Paged(_graded, _listed(name, grading), partial(_answered, name))
        return streamed(self._database, paged, partial(_pair, name))

    async def facts(self, run_id: str, grading: str = FIRST) -> Stream[RowFacts]:
        """What a report counts of the same rows, in the same order: neither answers nor most of the rows are read."""
        name = await self._run(run_id)
        paged = Paged(_graded, listed_facts(name, grading), partial(facts_query, name), FACTS_PAGE)
        return streamed(self._database, paged, FactsReader(name).read)

    async def chosen(
        self, run_id: str, grading: str, cells: Sequence[tuple[str, str, int]], *, variant: str = ""
    ) -> tuple[GradedAttempt, ...]:
        """The whole rows of some cells (model, case, repeat), in no order; those that are not there are left out."""
        name = await self._run(run_id)
        place = [_attempts.c[field] for field in ("model", "case_id", "repeat")]

        def work(connection: Connection) -> list[GradedAttempt]:
            mine = (_graded.c.run_id == name) & (_graded.c.grading == grading)
            query = _answered(name, _graded).where(mine, _attempts.c.variant == variant)
            pages = (cells[first : first + CHOSEN_AT_ONCE] for first in range(0, len(cells), CHOSEN_AT_ONCE))
            found = (connection.execute(query.where(tuple_(*place).in_(page))).all() for page in pages)
            return [_pair(name, row) for rows in found for row in rows]

        return tuple(await self._database.read(work))

    async def side_by_side(self, run_id: str, old: str, new: str) -> Stream[RowPair]:
        """The rows that two gradings have of the same cells, in the same order."""
        name = await self._run(run_id)
        other = _graded.alias()

        def beside(listed: FromClause) -> Rows:
            return joined(listed, other, (other.c.run_id == name) & (other.c.grading == new))

        return streamed(self._database, Paged(_graded, _listed(name, old), beside), partial(_rows, name))

    async def outcomes(self, run_id: str, grading: str = FIRST) -> tuple[OutcomeCount, ...]:
        """Rows of one grading counted by everything a report groups them by; one pass over an index."""

        def work(connection: Connection) -> tuple[OutcomeCount, ...]:
            name = resolve(connection, _runs.c.id, "run", run_id)
            columns = [_graded.c[verdict] for verdict in tables.VERDICTS]
            mine = (_graded.c.run_id == name) & (_graded.c.grading == grading)
            query = select(*columns, func.count().label("rows")).where(mine).group_by(*columns)
            ordered = query.order_by(*columns)
            return tuple(OutcomeCount.model_validate(dict(row)) for row in connection.execute(ordered).mappings())

        return await self._database.read(work)

    async def cases(self, run_id: str, grading: str = FIRST) -> tuple[CaseCount, ...]:
        """Cases of one grading counted by how many of their repeats are right (B7); one pass over an index."""
        by = ("model", "variant", "difficulty")
        right = func.sum(case((_graded.c.confusion.in_(_RIGHT), 1), else_=0))
        counts = (func.count(_graded.c.confusion).label("verdicts"), right.label("right"))

        def work(connection: Connection) -> tuple[CaseCount, ...]:
            name = resolve(connection, _runs.c.id, "run", run_id)
            mine = (_graded.c.run_id == name) & (_graded.c.grading == grading)
            parts = [_graded.c[column] for column in (*by, "case_id")]
            each = select(*parts, *counts).where(mine).group_by(*parts).subquery()
            columns = [each.c[column] for column in (*by, "verdicts", "right")]
            query = select(*columns, func.count().label("cases")).group_by(*columns).order_by(*columns)
            return tuple(CaseCount.model_validate(dict(row)) for row in connection.execute(query).mappings())

        return await self._database.read(work)

    async def served(self, run_id: str, model: str) -> str | None:
        """What the provider said had answered to `model`, in the last of a few answers of a run; None if unsaid."""
        query = select(_attempts.c.body).where(_attempts.c.run_id == run_id, _attempts.c.model == model)

        def work(connection: Connection) -> list[str]:
            return list(connection.scalars(query.order_by(*map(desc, cell_of(_attempts))).limit(SERVED_LOOKED_AT)))

        raws = [read_value(Attempt, body, f"runs/{run_id}").reply.raw for body in await self._database.read(work)]
        named = [raw.get("model") for raw in raws if isinstance(raw, dict)]
        return next((name for name in named if isinstance(name, str)), None)

    async def _run(self, run_id: str) -> str:
        return await self._database.read(lambda connection: resolve(connection, _runs.c.id, "run", run_id))


class RunLog:
    """The harness's `AttemptLog` of one run."""

    def __init__(self, shelf: AttemptShelf, run_id: str) -> None:
        self._shelf = shelf
        self._run_id = run_id

    async def append(self, attempt: Attempt, row: GradedRow) -> None:
        """Keep both durably, in place of what the cell held before."""
        await self._shelf.append(self._run_id, attempt, row)


def columns_of(run_id: str, attempt: Attempt, row: GradedRow) -> AttemptColumns:
    """What is kept of an attempt and of its row in the run's own grading."""
    cell = Cell.of(attempt)
    if cell != Cell.of(row):
        raise InvalidRecordError(f"the row grades another attempt than {cell}", field="row")
    answered = {"run_id": run_id, **cell._asdict(), "at": attempt.at, "body": to_text(attempt)}
    return answered | facts_of_attempt(attempt), _graded_row(run_id, FIRST, row)


def append_rows(connection: Connection, rows: Sequence[AttemptColumns]) -> Sequence[None]:
    """Write both of every pair, in place of what their cells held before."""
    for table, columns in ((_attempts, [answered for answered, _ in rows]), (_graded, [graded for _, graded in rows])):
        connection.execute(_replacing(connection.dialect.name, table), columns)
    return [None] * len(rows)


def _listed(run_id: str, grading: str) -> Rows:
    return select(*cell_of(_graded), _graded.c.body).where(_graded.c.run_id == run_id, _graded.c.grading == grading)


def _answered(run_id: str, graded: FromClause) -> Rows:
    """Rows with their attempts."""
    return joined(graded, _attempts, _attempts.c.run_id == run_id)


@cache
def _replacing(dialect: str, table: Table) -> Insert:
    insert = insert_into(dialect, table)
    keys = [column.name for column in table.primary_key]
    fresh = {column.name: insert.excluded[column.name] for column in table.c if column.name not in keys}
    return insert.on_conflict_do_update(index_elements=keys, set_=fresh)


def _graded_row(run_id: str, grading: str, row: GradedRow) -> dict[str, str | int | None]:
    columns: dict[str, str | int | None] = {
        "run_id": run_id,
        "grading": grading,
        **Cell.of(row)._asdict(),
        # Defaults are left out: a run has many rows and most of their fields say nothing.
        "body": to_text(row, defaults=False),
        "steps": Steps.of(row).bits,
    }
    for name in tables.VERDICTS[2:]:
        verdict = getattr(row, name)
        columns[name] = None if verdict is None else str(verdict)
    return columns


def _value(kind: type[V], run_id: str, row: "Row[Any]") -> V:
    return read_value(kind, row.body, "runs", run_id, *place_of(row))


def _pair(run_id: str, row: "Row[Any]") -> GradedAttempt:
    graded = read_value(GradedRow, row.row_body, "runs", run_id, *place_of(row))
    return GradedAttempt(_value(Attempt, run_id, row), graded)


def _rows(run_id: str, row: "Row[Any]") -> RowPair:
    earlier = read_value(GradedRow, row.row_body, "runs", run_id, *place_of(row))
    return RowPair(earlier, _value(GradedRow, run_id, row))
