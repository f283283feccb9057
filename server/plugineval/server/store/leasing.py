"""Which items an agent may have: free ones of running jobs, in the order they were asked, sides of P17 kept apart.

Four rules hold whatever is configured. Who has seen what is right for a request is never asked for it. A judge sees
the gold of a request only when nobody is still answering that request. Of the reviews of one subject an identity gets
one. And what is `apart` goes to no identity that was handed the other side of its subject.
"""

import secrets
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, RowMapping, and_, exists, func, insert, not_, or_, select, update

from plugineval.clients.agent.answers import Worker
from plugineval.clients.agent.questions import Side, WorkKind, WorkQuestion
from plugineval.server.store import tables
from plugineval.server.store.bodies import read_value, to_text
from plugineval.server.store.states import JobState, WorkState
from plugineval.server.store.work_notes import WorkItem, WorkLease, WorkQueueState, WorkWish

_items = tables.table_of(tables.WorkItems)
_leases = tables.table_of(tables.WorkLeases)
_jobs = tables.table_of(tables.Jobs)
_LOOKED_AT = 64
"""Candidates looked at for one lease, of which some are kept apart within it."""


def expired(now: datetime) -> ColumnElement[bool]:
    """Leased, and not any more."""
    return and_(_items.c.state == WorkState.LEASED.value, _items.c.lease_expires_at < now)


def hand_out(connection: Connection, worker: Worker, wish: WorkWish) -> WorkLease:
    """Lease what `worker` may have; the rows are locked until the transaction ends."""
    now = datetime.now(UTC)
    expires = now + timedelta(seconds=wish.lease_s)
    lease_id = secrets.token_urlsafe(24)
    rows = _oldest(connection, [*_wished(wish), *separation(worker.identity)], now)
    chosen = [_leased(connection, row, lease_id, worker, (now, expires)) for row in _apart(rows, wish.limit)]
    return WorkLease(lease_id=lease_id, expires_at=expires, items=tuple(chosen))


def _oldest(connection: Connection, rules: list[ColumnElement[bool]], now: datetime) -> list[RowMapping]:
    """The first candidates that fit the rules, locked. Two questions, because each of them follows an index and ends
    early; one with "or" looks at all that waits.
    """
    rows: list[RowMapping] = []
    for unheld in (_items.c.state == WorkState.OPEN.value, expired(now)):
        query = select(_items).where(unheld, *rules).order_by(_items.c.created_at, _items.c.id)
        locked = query.limit(_LOOKED_AT).with_for_update(skip_locked=True, of=_items)
        rows += connection.execute(locked).mappings()
    return sorted(rows, key=lambda row: (row["created_at"], row["id"]))[:_LOOKED_AT]


def queue_state(connection: Connection, identity: str, job_id: str | None, *, whose: bool = True) -> WorkQueueState:
    """What waits in running jobs, and in interrupted ones. `whose`: count what is kept from the identity, which takes a
    look at each item that waits.
    """
    wish, now = WorkWish(job_id=job_id), datetime.now(UTC)
    waiting: dict[str, int] = {}
    for unheld in (_items.c.state == WorkState.OPEN.value, expired(now)):
        grouped = select(_items.c.kind, func.count().label("n")).where(unheld, *_wished(wish))
        for row in connection.execute(grouped.group_by(_items.c.kind)):
            waiting[row.kind] = waiting.get(row.kind, 0) + row.n
    allowed = sum(waiting.values())
    if whose and allowed:
        mine = select(func.count()).select_from(_items).where(*_free(wish, now), *separation(identity))
        allowed = connection.execute(mine).scalar_one()
    leased = (_items.c.state == WorkState.LEASED.value, not_(expired(now)), *_of_running(), *_of_job(job_id))
    holders = select(_items.c.leased_by, func.count().label("n")).where(*leased).group_by(_items.c.leased_by)
    held = {row.leased_by: row.n for row in connection.execute(holders)}
    yours = held.pop(identity, 0)
    waits = _items.c.state.in_([WorkState.OPEN.value, WorkState.LEASED.value])
    return WorkQueueState(
        waiting=waiting,
        kept_from_you=sum(waiting.values()) - allowed,
        held=sum(held.values()),
        yours=yours,
        busy=_jobs_with(connection, JobState.RUNNING, *_of_job(job_id)),
        interrupted=_jobs_with(connection, JobState.INTERRUPTED, waits),
    )


def _jobs_with(connection: Connection, state: JobState, *items: ColumnElement[bool]) -> tuple[str, ...]:
    """Ids of the jobs in a state that have such items, the newest first."""
    asked = exists().where(_items.c.job_id == _jobs.c.id, *items)
    query = select(_jobs.c.id).where(_jobs.c.state == state.value, asked).order_by(_jobs.c.created_at.desc())
    return tuple(connection.scalars(query))


def _of_running() -> list[ColumnElement[bool]]:
    return [_items.c.job_id.in_(select(_jobs.c.id).where(_jobs.c.state == JobState.RUNNING.value))]


def _of_job(job_id: str | None) -> list[ColumnElement[bool]]:
    return [] if job_id is None else [_items.c.job_id == job_id]


def _free(wish: WorkWish, now: datetime) -> list[ColumnElement[bool]]:
    return [or_(_items.c.state == WorkState.OPEN.value, expired(now)), *_wished(wish)]


def _wished(wish: WorkWish) -> list[ColumnElement[bool]]:
    rules = [*_of_running(), *_of_job(wish.job_id)]
    if wish.kinds:
        rules.append(_items.c.kind.in_([kind.value for kind in wish.kinds]))
    if wish.model is not None:
        rules.append(_items.c.model == wish.model)
    return rules


def separation(identity: str) -> list[ColumnElement[bool]]:
    """The rules about who may be handed what."""
    seen = and_(
        _leases.c.job_id == _items.c.job_id, _leases.c.subject == _items.c.subject, _leases.c.identity == identity
    )
    other_side = exists().where(seen, _leases.c.side != "", _leases.c.side != _items.c.side)
    apart = and_(_items.c.apart, _items.c.side != "", other_side)
    told = and_(_items.c.side == "generate", exists().where(seen, _leases.c.shows_gold))
    still = _items.alias("still")
    answering = exists().where(
        still.c.job_id == _items.c.job_id,
        still.c.subject == _items.c.subject,
        still.c.kind == WorkKind.ANSWER_AS_MODEL.value,
        still.c.state.in_([WorkState.OPEN.value, WorkState.LEASED.value]),
    )
    early = and_(_items.c.kind == WorkKind.JUDGE_GOLD.value, answering)
    return [not_(apart), not_(told), not_(early), not_(_twice(identity))]


def _twice(identity: str) -> ColumnElement[bool]:
    """A review of what `identity` reviews, or has reviewed, in another item."""
    mine = _items.alias("mine")
    reviewed = exists().where(
        mine.c.job_id == _items.c.job_id,
        mine.c.subject == _items.c.subject,
        mine.c.kind == _items.c.kind,
        mine.c.id != _items.c.id,
        mine.c.leased_by == identity,
        mine.c.state.in_([WorkState.LEASED.value, WorkState.ANSWERED.value]),
    )
    independent = [kind.value for kind in WorkKind if kind.independent]
    return and_(_items.c.kind.in_(independent), reviewed)


def _apart(rows: Iterable[RowMapping], limit: int) -> list[RowMapping]:
    """The first `limit` rows, of each subject one side and one review only: the rules above know nothing of this
    lease yet.
    """
    sides: dict[tuple[str, str], Side] = {}
    reviewed: set[tuple[str, str]] = set()
    chosen: list[RowMapping] = []
    for row in rows:
        key = (row["job_id"], row["subject"])
        if row["side"] and sides.setdefault(key, row["side"]) != row["side"]:
            continue
        if WorkKind(row["kind"]).independent:
            if key in reviewed:
                continue
            reviewed.add(key)
        chosen.append(row)
        if len(chosen) == limit:
            break
    return chosen


def _leased(
    connection: Connection, row: RowMapping, lease_id: str, worker: Worker, times: tuple[datetime, datetime]
) -> WorkItem:
    now, expires = times
    question = read_value(WorkQuestion, row["body"], f"work/{row['id']}")
    held: Mapping[str, object] = {
        "state": WorkState.LEASED.value,
        "lease_id": lease_id,
        "leased_by": worker.identity,
        "lease_expires_at": expires,
        "attempts": row["attempts"] + 1,
    }
    connection.execute(update(_items).where(_items.c.id == row["id"]).values(held))
    given = {
        "lease_id": lease_id,
        "item_id": row["id"],
        "job_id": row["job_id"],
        "subject": row["subject"],
        "side": row["side"],
        "shows_gold": question.kind.shows_gold,
        "identity": worker.identity,
        "worker": to_text(worker),
        "at": now,
    }
    connection.execute(insert(_leases).values(given))
    return WorkItem(id=row["id"], job_id=row["job_id"], attempt=row["attempts"] + 1, question=question)
