"""Work for agents: questions wait here, are leased to one agent at a time, and keep the first answer they are given.

An item is handed out in one transaction, so that two agents never get the same; a lease that expires frees it. The
answer is committed before anybody builds on it, and belongs to the agent that held the lease.
"""

from collections import deque
from collections.abc import Collection, Mapping, Sequence
from datetime import UTC, datetime

import anyio
from sqlalchemy import Connection, RowMapping, func, not_, select, update

from plugineval.clients.agent.answers import WorkAnswer, Worker
from plugineval.clients.agent.questions import WorkKind, WorkQuestion
from plugineval.pccf.values import Json, canonical_json
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value, to_text
from plugineval.server.store.database import Database, inserted
from plugineval.server.store.leasing import expired, hand_out, queue_state
from plugineval.server.store.states import JobState, WorkState
from plugineval.server.store.work_notes import Taken, WorkCount, WorkItem, WorkLease, WorkQueueState, WorkWish

_items = tables.table_of(tables.WorkItems)
_leases = tables.table_of(tables.WorkLeases)
_jobs = tables.table_of(tables.Jobs)
CHUNK = 500
REMEMBERED = 1_000
"""Ids of answers that were accepted in this process, for those who wait for them."""


class WorkShelf:
    """Items by id. `rung` is set, and replaced, whenever answers were accepted in this process; `accepted` counts
    them.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._rung: anyio.Event | None = None
        self.accepted = 0
        self._latest: deque[str] = deque(maxlen=REMEMBERED)

    @property
    def rung(self) -> anyio.Event:
        """Set when the next answer is accepted here."""
        if self._rung is None or self._rung.is_set():
            self._rung = anyio.Event()
        return self._rung

    def accepted_since(self, count: int) -> list[str] | None:
        """Ids that were answered in this process since `accepted` was `count`; None where that is too long ago."""
        more = self.accepted - count
        return list(self._latest)[len(self._latest) - more :] if more <= len(self._latest) else None

    async def offer(self, job_id: str, question: WorkQuestion, *, apart: bool) -> WorkAnswer | None:
        """Put a question into the queue; the answer, where the same question of the job was answered before.

        `apart`: never hand it to an identity that stands on the other side of its subject (P17).
        """
        row = {
            "id": question.id_in(job_id),
            "job_id": job_id,
            "kind": question.kind.value,
            "model": question.model,
            "side": question.kind.side,
            "subject": question.subject,
            "apart": apart,
            "state": WorkState.OPEN.value,
            "body": to_text(question),
            "attempts": 0,
            "created_at": datetime.now(UTC),
        }

        def work(connection: Connection) -> WorkAnswer | None:
            if inserted(connection, _items, row):
                return None
            mine = _items.c.id == row["id"]
            again = update(_items).where(mine, _items.c.state == WorkState.WITHDRAWN.value)
            connection.execute(again.values(state=WorkState.OPEN.value, lease_id=None))
            kept = connection.execute(select(_items.c.answer).where(mine)).scalar_one()
            return None if kept is None else read_value(WorkAnswer, kept, f"work/{row['id']}")

        return await self._database.write(work)

    async def retire(self, job_id: str, *, before: datetime, but: Collection[str]) -> None:
        """Take what was asked `before` a moment, and is not among `but`, out of the queue: its words, or what they are
        about, are others now. Asked again, it is back; an answer that is on its way is kept.

        `but` is looked at when the queue is changed, so it may still grow.
        """
        mine = (_items.c.job_id == job_id) & _items.c.state.in_([WorkState.OPEN.value, WorkState.LEASED.value])

        def work(connection: Connection) -> None:
            found = connection.scalars(select(_items.c.id).where(mine, _items.c.created_at < before)).all()
            stale = [item_id for item_id in found if item_id not in but]
            for start in range(0, len(stale), CHUNK):
                change = update(_items).where(_items.c.id.in_(stale[start : start + CHUNK]))
                connection.execute(change.values(state=WorkState.WITHDRAWN.value))

        await self._database.write(work)

    async def answers(self, ids: Sequence[str]) -> dict[str, WorkAnswer]:
        """Id -> answer of those among `ids` that are answered."""

        def work(connection: Connection) -> dict[str, WorkAnswer]:
            found: dict[str, WorkAnswer] = {}
            for start in range(0, len(ids), CHUNK):
                chosen = _items.c.id.in_(ids[start : start + CHUNK]) & _items.c.answer.is_not(None)
                for row in connection.execute(select(_items.c.id, _items.c.answer).where(chosen)):
                    found[row.id] = read_value(WorkAnswer, row.answer, f"work/{row.id}")
            return found

        return await self._database.read(work)

    async def counts(self, job_id: str) -> tuple[WorkCount, ...]:
        """How many items of a job wait, are leased, and are answered, by kind."""

        def work(connection: Connection) -> tuple[WorkCount, ...]:
            # The states alone are read off an index; of the few that are leased, some may be so no more.
            query = select(_items.c.kind, _items.c.state, func.count().label("n")).where(_items.c.job_id == job_id)
            found: dict[str, dict[str, int]] = {}
            for row in connection.execute(query.group_by(_items.c.state, _items.c.kind)):
                found.setdefault(row.kind, {})[row.state] = row.n
            lapsed = select(_items.c.kind, func.count().label("n")).where(
                _items.c.job_id == job_id, expired(datetime.now(UTC))
            )
            for row in connection.execute(lapsed.group_by(_items.c.kind)):
                states = found[row.kind]
                states[WorkState.LEASED.value] -= row.n
                states[WorkState.OPEN.value] = states.get(WorkState.OPEN.value, 0) + row.n
            return tuple(_count(kind, found[kind.value]) for kind in WorkKind if kind.value in found)

        return await self._database.read(work)

    async def lease(self, worker: Worker, wish: WorkWish) -> WorkLease:
        """Up to `wish.limit` items that `worker` may have, theirs alone until the lease expires; maybe none."""
        return await self._database.write(lambda connection: hand_out(connection, worker, wish))

    async def held_by(self, worker: Worker, wish: WorkWish) -> WorkLease | None:
        """Items of `wish` that `worker` holds unanswered under its newest lease; None where it holds none."""

        def work(connection: Connection) -> WorkLease | None:
            mine = (_items.c.leased_by == worker.identity) & (_items.c.state == WorkState.LEASED.value)
            here = mine & (_items.c.job_id == wish.job_id) & (_items.c.model == wish.model)
            query = select(_items).where(here, not_(expired(datetime.now(UTC))))
            rows = connection.execute(query.order_by(_items.c.created_at, _items.c.id)).mappings().all()
            if not rows:
                return None
            lease_id, expires = rows[0]["lease_id"], rows[0]["lease_expires_at"]
            items = tuple(_item(row) for row in rows if row["lease_id"] == lease_id)
            return WorkLease(lease_id=lease_id, expires_at=expires, items=items)

        return await self._database.read(work)

    async def release(self, lease_id: str, item_id: str) -> None:
        """Give an unanswered item of a lease back to the queue."""
        mine = (_items.c.id == item_id) & (_items.c.lease_id == lease_id)
        change = update(_items).where(mine, _items.c.state == WorkState.LEASED.value)
        freed = change.values(state=WorkState.OPEN.value, lease_id=None)
        await self._database.write(lambda connection: connection.execute(freed))

    async def queue(self, identity: str, job_id: str | None, *, whose: bool = True) -> WorkQueueState:
        """What waits, in one job or in all that run, and, where it matters `whose`, how much `identity` may have."""
        return await self._database.read(lambda connection: queue_state(connection, identity, job_id, whose=whose))

    async def held(self, lease_id: str) -> dict[str, WorkItem]:
        """The items that were handed out under `lease_id`, whatever has become of them."""

        def work(connection: Connection) -> dict[str, WorkItem]:
            given = select(_leases.c.item_id).where(_leases.c.lease_id == lease_id)
            rows = connection.execute(select(_items).where(_items.c.id.in_(given))).mappings()
            return {row["id"]: _item(row) for row in rows}

        return await self._database.read(work)

    async def unanswered(self, lease_id: str) -> tuple[str, ...]:
        """Ids of the items that a lease still holds without an answer."""
        held = (_items.c.lease_id == lease_id) & (_items.c.state == WorkState.LEASED.value)
        query = select(_items.c.id).where(held).order_by(_items.c.created_at, _items.c.id)
        return tuple(await self._database.read(lambda connection: connection.scalars(query).all()))

    async def holder(self, lease_id: str) -> Worker | None:
        """Whom a lease was given to; None where there is no such lease."""
        query = select(_leases.c.worker).where(_leases.c.lease_id == lease_id).limit(1)
        found = await self._database.read(lambda connection: connection.execute(query).scalar())
        return None if found is None else read_value(Worker, found, "workleases")

    async def accept(self, lease_id: str, by: Worker, answers: Mapping[str, Json]) -> tuple[Taken, ...]:
        """Keep the answers to items that `lease_id` still holds; those of a lapsed lease too, while nobody else has
        taken the item. The answers are known to satisfy their schemas.
        """
        at = datetime.now(UTC)

        def work(connection: Connection) -> tuple[Taken, ...]:
            return tuple(
                _keep(connection, lease_id, item_id, WorkAnswer(answer=answer, by=by, at=at))
                for item_id, answer in answers.items()
            )

        taken = await self._database.write(work)
        self._latest.extend(answers)
        self.accepted += len(answers)
        if self._rung is not None:
            self._rung.set()
        return taken

    async def evaluators(self, job_id: str, subject: str) -> frozenset[str]:
        """Identities whose answers stand on the evaluating side of a subject."""
        query = select(_items.c.answer).where(
            _items.c.job_id == job_id,
            _items.c.subject == subject,
            _items.c.side == "evaluate",
            _items.c.answer.is_not(None),
        )
        found = await self._database.read(lambda connection: connection.scalars(query).all())
        return frozenset(read_value(WorkAnswer, text, "work").by.identity for text in found)

    async def players(self, job_id: str, kind: WorkKind) -> dict[str, int]:
        """Who answered items of a kind in a job -> how many."""
        query = select(_items.c.answer).where(
            _items.c.job_id == job_id, _items.c.kind == kind.value, _items.c.answer.is_not(None)
        )
        counted: dict[str, int] = {}
        for text in await self._database.read(lambda connection: connection.scalars(query).all()):
            name = read_value(WorkAnswer, text, "work").by.label
            counted[name] = counted.get(name, 0) + 1
        return counted


def withdraw(connection: Connection, job_id: str) -> None:
    """Take what a job still asks out of the queue: it is over. Answers stay."""
    waiting = _items.c.state.in_([WorkState.OPEN.value, WorkState.LEASED.value])
    change = update(_items).where(_items.c.job_id == job_id, waiting)
    connection.execute(change.values(state=WorkState.WITHDRAWN.value))


def _keep(connection: Connection, lease_id: str, item_id: str, answer: WorkAnswer) -> Taken:
    row = connection.execute(select(_items).where(_items.c.id == item_id).with_for_update()).mappings().one()
    if row["lease_id"] != lease_id:
        return _refused(item_id, "the lease expired and the item went to another agent")
    if row["answer"] is not None:
        return _again(item_id, read_value(WorkAnswer, row["answer"], f"work/{item_id}"), answer)
    if row["state"] == WorkState.WITHDRAWN.value and _over(connection, row["job_id"]):
        return _refused(item_id, "its job is over and needs it no more")
    values = {"state": WorkState.ANSWERED.value, "answer": to_text(answer)}
    connection.execute(update(_items).where(_items.c.id == item_id).values(values))
    return Taken(item_id=item_id, status="accepted")


def _over(connection: Connection, job_id: str) -> bool:
    state = connection.execute(select(_jobs.c.state).where(_jobs.c.id == job_id)).scalar_one()
    return JobState(state).final


def _again(item_id: str, stored: WorkAnswer, answer: WorkAnswer) -> Taken:
    if canonical_json(stored.answer) == canonical_json(answer.answer):
        return Taken(item_id=item_id, status="known", reason="the same answer was accepted before")
    reason = "another answer was accepted before, and stays"
    return Taken(item_id=item_id, status="refused", reason=reason, stored=stored.answer)


def _refused(item_id: str, reason: str) -> Taken:
    return Taken(item_id=item_id, status="refused", reason=reason)


def _count(kind: WorkKind, found: Mapping[str, int]) -> WorkCount:
    states = (WorkState.OPEN, WorkState.LEASED, WorkState.ANSWERED)
    waiting, leased, answered = (found.get(state.value, 0) for state in states)
    return WorkCount(kind=kind, open=waiting, leased=leased, answered=answered)


def _item(row: RowMapping) -> WorkItem:
    question = read_value(WorkQuestion, row["body"], f"work/{row['id']}")
    return WorkItem(id=row["id"], job_id=row["job_id"], attempt=row["attempts"], question=question)
