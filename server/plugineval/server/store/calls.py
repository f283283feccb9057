"""The table of the call journal: the first answer of a call wins, and every answer is committed before it is used."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from sqlalchemy import Connection, func, select

from plugineval.pccf.ledger import CallKey
from plugineval.server.store import tables
from plugineval.server.store.database import Database, inserted_of

_calls = tables.table_of(tables.Calls)
CHUNK = 500


class Recorded(NamedTuple):
    """One answer, as JSON text."""

    key: str
    answer: str


class StageCall(NamedTuple):
    """One recorded answer, with what is known of its call."""

    key: str
    model: str
    case: str
    repeat: int
    answer: str


class CallShelf:
    """Recorded answers by scope (one job, one run) and key (the digest of what was asked)."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, scope: str, digest: str, key: CallKey, answer: str) -> str | None:
        """Commit an answer. None if it is the first; else the first one, which another process had committed."""
        row: dict[str, object] = {
            "scope": scope,
            "key": digest,
            "stage": key.stage,
            "model": key.model,
            "case_id": key.case,
            "repeat": key.repeat,
            "answer": answer,
            "created_at": datetime.now(UTC),
        }
        return await self._database.write_row(_record, row)

    async def from_key(self, scope: str, digest: str, *, limit: int) -> dict[str, str]:
        """Key -> answer of a recorded call and of those made after it, at most `limit` in all."""

        def work(connection: Connection) -> dict[str, str]:
            mine = _calls.c.scope == scope
            start = select(_calls.c.key, _calls.c.answer, _calls.c.created_at).where(mine, _calls.c.key == digest)
            first = connection.execute(start).one()
            later = select(_calls.c.key, _calls.c.answer).where(mine, _calls.c.created_at >= first.created_at)
            rows = connection.execute(later.order_by(_calls.c.created_at).limit(limit))
            return {**{row.key: row.answer for row in rows}, first.key: first.answer}

        return await self._database.read(work)

    async def load(self, scope: str, *, budget: int) -> dict[str, str | None]:
        """Key -> answer of a whole scope; None in place of the answers beyond `budget` characters."""

        def work(connection: Connection) -> dict[str, str | None]:
            # In the order they were made, which is about the order in which a replay asks for them.
            query = select(_calls.c.key, _calls.c.answer).where(_calls.c.scope == scope).order_by(_calls.c.created_at)
            rows = connection.execution_options(yield_per=500).execute(query)
            return _within(budget, (Recorded(*row) for row in rows))

        return await self._database.read(work)

    async def find(self, scope: str, digests: Sequence[str]) -> dict[str, str]:
        """Key -> answer of those of `digests` that are recorded."""
        answers: dict[str, str] = {}

        def work(connection: Connection) -> dict[str, str]:
            for start in range(0, len(digests), CHUNK):
                named = _calls.c.key.in_(digests[start : start + CHUNK])
                query = select(_calls.c.key, _calls.c.answer).where(_calls.c.scope == scope, named)
                answers.update({row.key: row.answer for row in connection.execute(query)})
            return answers

        return await self._database.read(work)

    async def of_stage(self, scope: str, stage: str) -> list[StageCall]:
        """The answers of one stage, in the order they were made."""

        def work(connection: Connection) -> list[StageCall]:
            columns = (_calls.c.key, _calls.c.model, _calls.c.case_id, _calls.c.repeat, _calls.c.answer)
            mine = (_calls.c.scope == scope) & (_calls.c.stage == stage)
            rows = connection.execute(select(*columns).where(mine).order_by(_calls.c.created_at))
            return [StageCall(*row) for row in rows]

        return await self._database.read(work)

    async def count(self, scope: str) -> dict[str, int]:
        """Stage -> number of recorded answers."""

        def work(connection: Connection) -> dict[str, int]:
            query = select(_calls.c.stage, func.count()).where(_calls.c.scope == scope).group_by(_calls.c.stage)
            return {row[0]: row[1] for row in connection.execute(query)}

        return await self._database.read(work)


def _record(connection: Connection, rows: Sequence[Mapping[str, object]]) -> Sequence[str | None]:
    if inserted_of(connection, _calls, rows) == len(rows):
        return [None] * len(rows)
    return [_unless_own(_answer(connection, row), row) for row in rows]


def _unless_own(found: str | None, row: Mapping[str, object]) -> str | None:
    return None if found == row["answer"] else found


def _answer(connection: Connection, row: Mapping[str, object]) -> str | None:
    query = select(_calls.c.answer).where(_calls.c.scope == row["scope"], _calls.c.key == row["key"])
    return connection.execute(query).scalar()


def _within(budget: int, rows: Iterator[Recorded]) -> dict[str, str | None]:
    known: dict[str, str | None] = {}
    for key, answer in rows:
        budget -= len(answer)
        known[key] = answer if budget >= 0 else None
    return known
