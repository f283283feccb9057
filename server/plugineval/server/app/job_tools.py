"""Tools about jobs, and how every tool that starts long work answers."""

from collections.abc import Awaitable, Callable
from typing import Annotated

from mcp.server.mcpserver.resolve import Resolve
from mcp_types import CallToolResult
from pydantic import Field

from plugineval.harness.rendering.neutral import prose
from plugineval.pccf.values import Json
from plugineval.server.app.access import Ctx, engine_of, store_of
from plugineval.server.app.answers import URI, JobCard, Listed, answer, with_note
from plugineval.server.app.sampling import Sampled, sampled_work
from plugineval.server.app.spoken_tool import READING, SpokenTool, spoken_tool
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.work.told import waits_for_work

WaitS = Annotated[int, Field(ge=0, le=45, description="Seconds to wait for its end.")]
JobId = Annotated[str, Field(description="The whole job_id that a tool answered with.")]
Limit = Annotated[int, Field(ge=1, le=100)]
Cursor = Annotated[str | None, Field(description="next_cursor of the page before.")]


def job_tools() -> list[SpokenTool]:
    """`job_get`, `job_list`, `job_cancel`, `job_resume`."""
    changing = READING.model_copy(update={"read_only_hint": False})
    return [
        spoken_tool(job_get, "Wait for a job", READING),
        spoken_tool(job_list, "List jobs", READING),
        spoken_tool(job_cancel, "Cancel a job", changing),
        spoken_tool(job_resume, "Resume a job", changing.model_copy(update={"open_world_hint": True})),
    ]


async def job_answer(ctx: Ctx, job: Job, wait_s: int) -> CallToolResult:
    """Wait for a job up to `wait_s` seconds, with progress, and answer with how far it is then.

    A job that waits for work is told of at once: whoever waits here may be the one who is to do it.
    """
    return _answer(await engine_of(ctx).wait(job.id, wait_s, _progress_to(ctx), until=waits_for_work))


async def work_answer(ctx: Ctx, job: Job, wait_s: int) -> CallToolResult:
    """The same for a call that asks for the work itself: where the work fails meanwhile, the call has failed."""
    ended = await engine_of(ctx).wait(job.id, wait_s, _progress_to(ctx), until=waits_for_work)
    return _answer(ended).model_copy(update={"is_error": ended.state is JobState.FAILED})


def card_of(job: Job) -> JobCard:
    """What a client is told about a job."""
    return JobCard(
        job_id=job.id,
        kind=job.kind,
        state=job.state,
        done=job.done,
        total=job.total,
        message=job.message,
        error=job.error,
        result=job.result,
        resource=f"{URI}jobs/{job.id}",
        next_step=_next_step(job),
    )


async def job_get(
    ctx: Ctx, sampled: Annotated[Sampled, Resolve(sampled_work)], job_id: JobId, wait_s: WaitS = 20
) -> Annotated[CallToolResult, JobCard]:
    """Wait for a job and say how far it is; result is there when state is completed.

    Call it again while it is running. Cancelling this call cancels no job.
    """
    store = await store_of(ctx)
    told = await job_answer(ctx, await store.jobs.get(job_id), wait_s)
    return with_note(told, sampled.told)


async def job_list(ctx: Ctx, limit: Limit = 20, cursor: Cursor = None) -> Annotated[CallToolResult, Listed]:
    """List jobs, newest first. Next: job_get or job_resume."""
    store = await store_of(ctx)
    page = await store.jobs.page(cursor=cursor, limit=limit)
    cards = [card_of(job).model_copy(update={"result": None}) for job in page.items]
    lines = [f"- {card.job_id} {card.kind} {card.state.value} {card.done}/{card.total or '?'}" for card in cards]
    listed = Listed(items=tuple(card.model_dump(mode="json") for card in cards), next_cursor=page.next_cursor)
    return answer(listed, "\n".join(lines) or "There are no jobs yet. benchmark_build and evaluation_run start them.")


async def job_cancel(ctx: Ctx, job_id: JobId) -> Annotated[CallToolResult, JobCard]:
    """Stop a job. What it has done so far is kept, and a cancelled job is not resumed."""
    return _answer(await engine_of(ctx).cancel(job_id))


async def job_resume(ctx: Ctx, job_id: JobId, wait_s: WaitS = 20) -> Annotated[CallToolResult, JobCard]:
    """Go on with a job that was interrupted, failed, or left rows unanswered. Answered calls are not repeated."""
    engine, store = engine_of(ctx), await store_of(ctx)
    if not _nothing_left(await store.jobs.get(job_id)):
        await store.jobs.reopen(job_id)
    return await work_answer(ctx, await engine.resume(job_id), wait_s)


def _answer(job: Job) -> CallToolResult:
    card = card_of(job)
    return answer(card, _text(card), *_links(card))


def _progress_to(ctx: Ctx) -> Callable[[Job], Awaitable[None]]:
    last = -1.0

    async def tell(job: Job) -> None:
        nonlocal last
        # Progress must strictly increase, and a resumed job starts again at nought.
        if job.done > last:
            last = job.done
            await ctx.report_progress(job.done, job.total, job.message)

    return tell


def _nothing_left(job: Job) -> bool:
    from plugineval.server.jobs.evaluation_outcome import nothing_left

    return nothing_left(job)


def _next_step(job: Job) -> str:
    if job.state is JobState.RUNNING and job.cancel_requested:
        return "it is being stopped; call job_get with this job_id to see that it has"
    if waits_for_work(job):
        return "call work_next with this job_id and answer the items, then job_get again; it is done when they are"
    if job.state is JobState.INTERRUPTED and job.error:
        return _NEXT[JobState.FAILED]
    if job.state is JobState.COMPLETED and not _nothing_left(job):
        return "call job_resume with this job_id to ask the unanswered rows again, or report_get with result.run_id"
    if job.kind == "build" and isinstance(job.result, dict) and job.result.get("positives") == 0:
        return "tell the user; result.reasons and result.skipped_tools say what to mend before it is built again"
    return _AFTER.get((job.kind, job.state)) or _NEXT[job.state]


def _text(card: JobCard) -> str:
    head = f"{card.kind} {card.state.value}, {card.done}/{card.total or '?'}: {card.message}"
    result = card.result if isinstance(card.result, dict) else {}
    facts = [f"{name}: {_words(result[name])}" for name in _HEADLINES if result.get(name) not in (None, "", {}, [])]
    facts += _why_not(card)
    # An error says first what has to be mended.
    lead = "Then" if "Next: " in (card.error or "") else "Next"
    lines = [
        head,
        *([card.error] if card.error else []),
        *facts,
        f"job_id: {card.job_id}",
        f"{lead}: {card.next_step}.",
    ]
    return "\n".join(lines)


def _why_not(card: JobCard) -> list[str]:
    """Why candidates are not in a benchmark that was built, and what it means where none is."""
    from plugineval.server.jobs.outcomes import NO_POSITIVES, BuildOutcome
    from plugineval.server.jobs.reasons import told

    if card.kind != "build" or card.state is not JobState.COMPLETED:
        return []
    built = BuildOutcome.model_validate(card.result)
    reasons = [f"- {prose(sentence)}" for sentence in told(built.reasons)]
    listed = ["Why candidates were not accepted:", *reasons] if reasons else []
    return [*listed, *([f"WARNING: {NO_POSITIVES}."] if built.positives == 0 else [])]


def _words(value: Json) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {_words(each)}" for name, each in value.items() if each != 0) or "none"
    if isinstance(value, list):
        return "; ".join(map(_words, value))
    return str(value)


_NEXT = {
    JobState.QUEUED: "call job_resume with this job_id to start it",
    JobState.RUNNING: "call job_get with this job_id until the state is completed",
    JobState.INTERRUPTED: "call job_resume with this job_id; answered calls are not repeated",
    JobState.COMPLETED: "read the result",
    JobState.FAILED: "mend what the error names, then call job_resume with this job_id",
    JobState.CANCELLED: "start again when it is wanted",
}
_AFTER = {
    ("build", JobState.COMPLETED): "call evaluation_run with result.benchmark_id, or benchmark_get for what it covers",
    ("evaluate", JobState.COMPLETED): "call report_get with result.run_id",
}

_HEADLINES = (
    "benchmark_id",
    "run_id",
    "verdict",
    "stopped",
    "accepted",
    "surplus",
    "rejected",
    "positives",
    "negatives",
    "difficulties",
    "rows",
    "errors",
)


def _links(card: JobCard) -> tuple[str, ...]:
    result = card.result if isinstance(card.result, dict) else {}
    made = [
        f"{URI}{kind}/{result[name]}"
        for kind, name in (("benchmarks", "benchmark_id"), ("reports", "run_id"))
        if result.get(name)
    ]
    return (card.resource, *made)
