"""Tools by which a connected agent plays a role: take items of work, and hand in the answers."""

from typing import Annotated

from mcp_types import CallToolResult
from pydantic import BaseModel, ConfigDict, Field

from plugineval.clients.agent.questions import WorkKind
from plugineval.pccf.errors import UnknownNameError
from plugineval.pccf.values import Json
from plugineval.server.app.access import Ctx, engine_of, store_of
from plugineval.server.app.answers import answer
from plugineval.server.app.handles import own
from plugineval.server.app.spoken_tool import WORKING, SpokenTool, spoken_tool
from plugineval.server.app.workers import worker_of
from plugineval.server.store.work_notes import MOST_ITEMS, Taken, WorkWish
from plugineval.server.wording import tallied
from plugineval.server.work.batches import WorkBatch, WorkGroup, WorkReceipt
from plugineval.server.work.handing import next_work, submit_work


class ItemAnswer(BaseModel):
    """One answer, in the shape of the item's answer_schema."""

    model_config = ConfigDict(extra="forbid")

    item_id: str
    answer: dict[str, Json]


def work_tools() -> list[SpokenTool]:
    """`work_next` and `work_submit`."""
    taking = WORKING.model_copy(update={"open_world_hint": False})
    return [
        spoken_tool(work_next, "Take work", taking),
        spoken_tool(work_submit, "Hand in answers", taking.model_copy(update={"idempotent_hint": True})),
    ]


async def work_next(
    ctx: Ctx,
    model: Annotated[str, Field(description="The model you are.")] = "",
    kinds: Annotated[list[str], Field(description="Empty: any.")] = [],  # noqa: B006
    job_id: Annotated[str, Field(description="Empty: any job.")] = "",
    limit: Annotated[int, Field(ge=1, le=MOST_ITEMS)] = 4,
) -> Annotated[CallToolResult, WorkBatch]:
    """Take items of work that jobs wait for where a role or model is "agent"; they are yours for 15 minutes.

    Answer each by its instructions and evidence alone, as JSON that fits answer_schema. Next: work_submit.
    """
    named = own(engine_of(ctx).workspace, job_id) if job_id else None
    wish = WorkWish(kinds=_kinds(kinds), job_id=named, limit=limit)
    batch = await next_work(await store_of(ctx), worker_of(ctx, model), wish)
    return answer(batch, batch_text(batch))


async def work_submit(
    ctx: Ctx,
    lease_id: Annotated[str, Field(description="From work_next.")],
    answers: Annotated[list[ItemAnswer], Field(min_length=1, max_length=MOST_ITEMS, description="One per item.")],
) -> Annotated[CallToolResult, WorkReceipt]:
    """Hand in answers of a lease. Each is accepted, or refused with the reason: mend it and send it again.

    An accepted answer stays; the same one twice does no harm. Next: work_next, job_get.
    """
    given = {each.item_id: each.answer for each in answers}
    receipt = await submit_work(await store_of(ctx), lease_id, worker_of(ctx), given)
    return answer(receipt, receipt_text(receipt))


def _kinds(names: list[str]) -> tuple[WorkKind, ...]:
    known = {kind.value: kind for kind in WorkKind}
    for name in names:
        if name not in known:
            raise UnknownNameError("kind", name, known, next_step="name some of these, or leave kinds out")
    return tuple(known[name] for name in names)


def batch_text(batch: WorkBatch) -> str:
    """The whole batch for clients that show their model the text alone."""
    groups = [_group_text(group) for group in batch.groups]
    count = sum(len(group.items) for group in batch.groups)
    head = f"{count} items, lease_id {batch.lease_id}, yours until {batch.expires_at:%H:%M:%S} UTC."
    return "\n\n".join([*([head, *groups] if count else []), f"Next: {batch.next_step}."])


def receipt_text(receipt: WorkReceipt) -> str:
    """What became of each answer."""
    lines = [f"{receipt.accepted} accepted, {receipt.refused} refused."]
    lines += [f"- {result.item_id}: {_result_text(result)}" for result in receipt.results if result.reason]
    lines += [f"Waiting: {tallied(receipt.waiting)}."] if receipt.waiting else []
    return "\n".join([*lines, f"Next: {receipt.next_step}."])


def _result_text(result: Taken) -> str:
    stored = "" if result.stored is None else f"; stored is {_json(result.stored)}"
    return f"{result.status}, {result.reason}{stored}"


def _group_text(group: WorkGroup) -> str:
    items = [f"### item_id {item.item_id}\n{item.evidence}" for item in group.items]
    head = (
        f"## {group.kind} (you are the {group.role})\n{group.instructions}\nanswer_schema: {_json(group.answer_schema)}"
    )
    return "\n\n".join([head, *items])


def _json(value: Json) -> str:
    import json

    return json.dumps(value, ensure_ascii=False)
