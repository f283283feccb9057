"""`plugineval runs`: what was measured so far, the newest first, and how far what is being measured is."""

import typer

from plugineval.pccf.values import Value
from plugineval.server.cli.benchmarks import Limit
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import one_line, printable
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.store.states import WANTED, Engine, JobState
from plugineval.server.store.store import Store
from plugineval.server.store.summaries import Job, RunSummary
from plugineval.server.store.trouble_notes import Troubles
from plugineval.server.wording import counted

_UNFINISHED = (*WANTED, JobState.INTERRUPTED)


class RunProgress(Value):
    """How far the job of a run is, whichever processes are at it."""

    job_id: str
    state: JobState
    """`interrupted`: nobody is at it until somebody resumes it."""
    engine: Engine
    done: int
    """Cells."""
    total: int | None
    message: str
    error: str | None = None
    """What interrupted it, where that is known."""
    troubles: Troubles = Troubles()
    """What kept workers from parts of it."""


class ListedRun(RunSummary):
    """A line of the listing."""

    progress: RunProgress | None = None
    """None where the run has ended, or has no job."""


@with_shared_options
def runs_command(limit: Limit = 20, *, shared: SharedOptions) -> None:
    """List runs, newest first."""
    found = run(lambda: _found(limit, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json({"runs": [item.model_dump(mode="json") for item in found]})
    else:
        typer.echo(
            "\n".join(_line(item, shared) for item in found) or f"There are none yet. Next: {shared.command('demo')}"
        )


async def _found(limit: int, shared: SharedOptions) -> tuple[ListedRun, ...]:
    async with engine_for(read_settings(shared)) as engine:
        store = await engine.workspace.store()
        unfinished = await _progress(store)
        items = (await store.runs.page(limit=limit)).items
        return tuple(ListedRun(**dict(item), progress=unfinished.get(item.id)) for item in items)


async def _progress(store: Store) -> dict[str, RunProgress]:
    """Id of a run -> how far its job is, of those that are under way, wait for a worker, or were interrupted."""
    jobs = [job for state in _UNFINISHED for job in await _jobs(store, state) if job.kind == "evaluate"]
    return {str(job.params["run_id"]): await _of(store, job) for job in jobs if isinstance(job.params, dict)}


async def _jobs(store: Store, state: JobState) -> list[Job]:
    page = await store.jobs.page(state=state, limit=100)
    jobs = [*page.items]
    while page.next_cursor is not None:
        page = await store.jobs.page(state=state, cursor=page.next_cursor, limit=100)
        jobs += page.items
    return jobs


async def _of(store: Store, job: Job) -> RunProgress:
    return RunProgress(
        job_id=job.id,
        state=job.state,
        engine=job.engine,
        done=job.done,
        total=job.total,
        message=job.message,
        error=job.error,
        troubles=Troubles() if job.engine == "here" else await store.troubles.of(job.id),
    )


def _line(item: ListedRun, shared: SharedOptions) -> str:
    began, models, at = f"{item.started_at:%Y-%m-%d %H:%M}", ", ".join(item.models), item.progress
    told = f"{item.id}  {began}  {item.source}: {models}; {counted(item.rows, 'row')}, "
    if at is None:
        return printable(told + item.state.value)
    done = f"{at.state.value}: {at.done} of {at.total or 'unknown'} cells"
    if at.state is not JobState.INTERRUPTED:
        return printable(f"{told}{done} ({at.message})")
    return printable(
        f"{told}{done} ({one_line(at.error or at.message)}); `{shared.command('resume', item.id)}` goes on"
    )
