"""Tools about jobs: list them, wait for one, stop one, go on with one."""

from typing import Annotated

from mcp.server.mcpserver.resolve import Resolve
from mcp_types import CallToolResult
from pydantic import Field

from plugineval.server.app.access import Ctx, engine_of, store_of
from plugineval.server.app.answers import JobCard, Listed, Shown, answer, with_note
from plugineval.server.app.confirming import confirmed
from plugineval.server.app.handles import may_use, own
from plugineval.server.app.job_cards import card_answer, card_of, nothing_left_of
from plugineval.server.app.limits import Limits
from plugineval.server.app.parameters import Cursor, WaitS
from plugineval.server.app.sampling import Sampled, sampled_work
from plugineval.server.app.spoken_tool import READING, SpokenTool, spoken_tool
from plugineval.server.app.starting import job_answer, played_by_agents, work_answer
from plugineval.server.jobs.limiting import allow_more
from plugineval.server.store.summaries import Job
from plugineval.server.trust.requests import Request

_PAGE = 20


def job_tools() -> list[SpokenTool]:
    """`job_get`, `job_cancel`, `job_resume`."""
    changing = READING.model_copy(update={"read_only_hint": False})
    return [
        spoken_tool(job_get, "List and wait for jobs", READING),
        spoken_tool(job_cancel, "Cancel a job", changing.model_copy(update={"destructive_hint": True})),
        spoken_tool(job_resume, "Resume a job", changing.model_copy(update={"open_world_hint": True})),
    ]


async def job_get(
    ctx: Ctx,
    sampled: Annotated[Sampled, Resolve(sampled_work)],
    job_id: Annotated[str, Field(description="The whole id; empty lists jobs.")] = "",
    wait_s: WaitS = 20,
    cursor: Cursor = "",
) -> Annotated[CallToolResult, Shown]:
    """List jobs, newest first, or wait for one: how far it is, what came of it, and what to do (next_step).

    Call it again while the state is running. Cancelling this call cancels no job.
    """
    if not job_id:
        return await _jobs(ctx, cursor)
    told = await job_answer(ctx, await _job(ctx, job_id), wait_s)
    return with_note(told, sampled.told)


async def job_cancel(ctx: Ctx, job_id: str) -> Annotated[CallToolResult, JobCard]:
    """Stop a job for good: what it did is kept, but it is not resumed."""
    return card_answer(await engine_of(ctx).cancel((await _job(ctx, job_id)).id))


async def job_resume(
    ctx: Ctx,
    heard: Annotated[tuple[Request, ...], Resolve(confirmed)],
    job_id: str,
    limits: Limits,
    wait_s: WaitS = 20,
) -> Annotated[CallToolResult, JobCard]:
    """Go on with a job that was interrupted, failed, left rows unanswered, or met a limit (raise it).

    Answered calls are not repeated; what was spent counts. Next: job_get.
    """
    engine, store = engine_of(ctx), await store_of(ctx)
    job = await _job(ctx, job_id)
    if limits.wishes.said:
        await allow_more(store, job, limits.wishes)
    elif not nothing_left_of(job):
        await store.jobs.reopen(job.id)
    by_agents = await played_by_agents(ctx, job)
    told = await work_answer(ctx, await engine.resume(job.id), wait_s, by_agents=by_agents)
    return with_note(told, "; ".join(f"The user {each.state} {each.plugin}/{each.tool}" for each in heard))


async def _job(ctx: Ctx, job_id: str) -> Job:
    return await (await store_of(ctx)).jobs.get(own(engine_of(ctx).workspace, job_id))


async def _jobs(ctx: Ctx, cursor: str) -> CallToolResult:
    workspace = engine_of(ctx).workspace
    page = await (await store_of(ctx)).jobs.page(cursor=cursor or None, limit=_PAGE)
    cards = [card_of(job).model_copy(update={"result": None}) for job in page.items if may_use(workspace, job.id)]
    lines = [f"- {card.job_id} {card.kind} {card.state.value} {card.done}/{card.total or '?'}" for card in cards]
    lines += [f"The next page: cursor={page.next_cursor}"] if page.next_cursor else []
    listed = Listed(items=tuple(card.model_dump(mode="json") for card in cards), next_cursor=page.next_cursor)
    return answer(listed, "\n".join(lines) or "There are no jobs yet. benchmark_build and evaluation_run start them.")
