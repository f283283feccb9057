"""Handing work out and taking answers back: the one way for MCP tools, the command line and sampling."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from plugineval.clients.agent.answers import Worker
from plugineval.pccf.errors import ConfigurationError
from plugineval.pccf.schemas import violations
from plugineval.pccf.values import Json, canonical_json
from plugineval.server.store.work_notes import TOOL_STEPS, Steps, Taken, WorkItem, WorkLease, WorkQueueState, WorkWish
from plugineval.server.work.batches import WorkBatch, WorkGroup, WorkReceipt, WorkToDo

if TYPE_CHECKING:
    from plugineval.server.store.store import Store

SHOWN = 3
"""Broken rules told of one answer."""


async def next_work(store: "Store", worker: Worker, wish: WorkWish, *, steps: Steps = TOOL_STEPS) -> WorkBatch:
    """Lease items for `worker`; `UnknownNameError` for a job that there is not."""
    if wish.job_id is not None:
        await store.jobs.get(wish.job_id)
    lease = await store.work.lease(worker, wish)
    queue = await store.work.queue(worker.identity, wish.job_id, whose=not lease.items)
    next_step = f"answer every item by its instructions, then {steps.hand_in} with lease_id"
    return WorkBatch(
        lease_id=lease.lease_id,
        expires_at=lease.expires_at,
        groups=_groups(lease),
        waiting=queue.waiting,
        next_step=next_step if lease.items else queue.why_nothing(steps),
    )


async def submit_work(
    store: "Store", lease_id: str, worker: Worker, answers: Mapping[str, Json], *, steps: Steps = TOOL_STEPS
) -> WorkReceipt:
    """Take the answers of a lease, each by itself. `ConfigurationError` for a lease that is none of this client's."""
    holder = await store.work.holder(lease_id)
    if holder is None or (holder.client, holder.version, holder.owner) != (worker.client, worker.version, worker.owner):
        raise ConfigurationError(
            "there is no such lease of this client", field="lease_id", next_step=f"{steps.ask} for a lease of its own"
        )
    given = await store.work.held(lease_id)
    checked = {item_id: refusal(item_id, given.get(item_id), answer) for item_id, answer in answers.items()}
    sound = {item_id: answers[item_id] for item_id, refused in checked.items() if refused is None}
    kept = {taken.item_id: taken for taken in await store.work.accept(lease_id, holder, sound)}
    results = tuple(checked[item_id] or kept[item_id] for item_id in answers)
    queue = await store.work.queue(holder.identity, None, whose=False)
    left = await store.work.unanswered(lease_id)
    refused = sum(result.status == "refused" for result in results)
    return WorkReceipt(
        results=results,
        accepted=len(results) - refused,
        refused=refused,
        open_in_lease=left,
        waiting=queue.waiting,
        next_step=_after(refused, len(left), queue, steps),
    )


def _after(refused: int, left: int, queue: WorkQueueState, steps: Steps) -> str:
    if left and refused:
        return f"mend what was refused, and {steps.hand_in} again with the same lease_id"
    if left:
        return f"answer the {left} items that are left of this lease, and {steps.hand_in} with the same lease_id"
    return f"{steps.ask} for more" if queue.waiting and not queue.kept_from_you else queue.why_nothing(steps)


def refusal(item_id: str, item: WorkItem | None, answer: Json) -> Taken | None:
    """Why an answer cannot be taken, whatever the state of its item; None where it can."""
    if item is None:
        return Taken(item_id=item_id, status="refused", reason="this lease holds no such item")
    broken = violations(item.question.answer_schema, answer)
    if not broken:
        return None
    told = "; ".join(f"{rule.path or '/'}: {rule.message} ({rule.keyword})" for rule in broken[:SHOWN])
    return Taken(item_id=item_id, status="refused", reason=told)


def _groups(lease: WorkLease) -> tuple[WorkGroup, ...]:
    groups: dict[tuple[str, str, str], list[WorkItem]] = {}
    for item in lease.items:
        asked = item.question
        groups.setdefault((asked.kind, asked.instructions, canonical_json(asked.answer_schema)), []).append(item)
    return tuple(_group(items) for items in groups.values())


def _group(items: list[WorkItem]) -> WorkGroup:
    question = items[0].question
    return WorkGroup(
        kind=question.kind.value,
        role=question.kind.role,
        instructions=question.instructions,
        prompt_hash=question.prompt_hash,
        answer_schema=question.answer_schema,
        items=tuple(
            WorkToDo(item_id=item.id, job_id=item.job_id, attempt=item.attempt, evidence=item.question.evidence)
            for item in items
        ),
    )
