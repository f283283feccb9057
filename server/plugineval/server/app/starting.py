"""How every tool that asks for long work answers: with the job as it is when it ends, wants something, or is waited for
long enough; or, where the client says that it follows tasks, with a task that is the job.
"""

from collections.abc import Awaitable, Callable, Iterable

from mcp_types import CallToolResult

from plugineval.clients.agent.names import WORK_MODELS
from plugineval.pccf.values import Value
from plugineval.server.app.access import Ctx, engine_of
from plugineval.server.app.following import TASK_META, follows_tasks
from plugineval.server.app.handles import new_handle
from plugineval.server.app.job_cards import card_answer
from plugineval.server.app.sampling import refuse_without_sampling
from plugineval.server.store.states import JobState
from plugineval.server.store.summaries import Job
from plugineval.server.work.told import waits_for_work

USUAL_WAIT_S = 20
GRACE_S = 1
"""Short work is answered with its result, task or not."""


async def start_job(
    ctx: Ctx,
    kind: str,
    params: Value,
    wait_s: int = USUAL_WAIT_S,
    *,
    players: Iterable[str] = (),
    job_id: str | None = None,
) -> CallToolResult:
    """Start a job of whoever asks; `players` are the models that it will ask. `job_id`: a `new_handle` of theirs."""
    asked = tuple(players)
    refuse_without_sampling(ctx, asked)
    engine = engine_of(ctx)
    job = await engine.start(kind, params.model_dump(mode="json"), job_id=job_id or new_handle(engine.workspace))
    return await work_answer(ctx, job, wait_s, by_agents="agent" in asked)


async def work_answer(ctx: Ctx, job: Job, wait_s: int, *, by_agents: bool) -> CallToolResult:
    """Wait for a job that was asked for; where it fails meanwhile, the call has failed.

    Work that the connected agent does itself is never a task: whoever follows a task does not hear that it is wanted.
    """
    as_task = follows_tasks.get() and not by_agents
    ended = await _waited(ctx, job, min(wait_s, GRACE_S) if as_task else wait_s)
    told = outcome_answer(ended)
    if as_task and ended.state in (JobState.QUEUED, JobState.RUNNING):
        return told.model_copy(update={"meta": {TASK_META: ended.id}})
    return told


async def job_answer(ctx: Ctx, job: Job, wait_s: int) -> CallToolResult:
    """Wait for a job up to `wait_s` seconds, with progress, and answer with how far it is then.

    A job that waits for work is told of at once: whoever waits here may be the one who is to do it.
    """
    return card_answer(await _waited(ctx, job, wait_s))


def outcome_answer(job: Job) -> CallToolResult:
    """What a call that asked for the job is answered with."""
    return card_answer(job).model_copy(update={"is_error": job.state is JobState.FAILED})


async def played_by_agents(ctx: Ctx, job: Job) -> bool:
    """Whether agents were asked anything by a job so far, or will be."""
    workspace = engine_of(ctx).workspace
    counts = await (await workspace.store()).work.counts(job.id)
    plays = job.kind in ("build", "scenarios", "ablate") and bool({*workspace.settings.roles.players} & {*WORK_MODELS})
    return bool(counts) or plays


async def _waited(ctx: Ctx, job: Job, wait_s: int) -> Job:
    return await engine_of(ctx).wait(job.id, wait_s, _progress_to(ctx), until=waits_for_work)


def _progress_to(ctx: Ctx) -> Callable[[Job], Awaitable[None]]:
    last = -1.0

    async def tell(job: Job) -> None:
        nonlocal last
        # Progress must strictly increase, and a resumed job starts again at nought.
        if job.done > last:
            last = job.done
            await ctx.report_progress(job.done, job.total, job.message)

    return tell
