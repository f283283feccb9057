"""`plugineval runs`: what was measured so far, the newest first, and how far what is being measured is."""

import typer

from plugineval.pccf.values import Value
from plugineval.server.cli.benchmarks import Limit
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.plain_text import printable
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.store.states import WANTED, Engine
from plugineval.server.store.store import Store
from plugineval.server.store.summaries import Job, RunSummary
from plugineval.server.wording import counted


class RunProgress(Value):
    """How far the job of a run is, whichever processes are at it."""

    job_id: str
    engine: Engine
    done: int
    """Cells."""
    total: int | None
    message: str


class ListedRun(RunSummary):
    """A line of the listing."""

    progress: RunProgress | None = None
    """None where nobody is at it."""


@with_shared_options
def runs_command(limit: Limit = 20, *, shared: SharedOptions) -> None:
    """List runs, newest first."""
    found = run(lambda: _found(limit, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json({"runs": [item.model_dump(mode="json") for item in found]})
    else:
        typer.echo("\n".join(map(_line, found)) or f"There are none yet. Next: {shared.command('demo')}")


async def _found(limit: int, shared: SharedOptions) -> tuple[ListedRun, ...]:
    async with engine_for(read_settings(shared)) as engine:
        store = await engine.workspace.store()
        going_on = await _progress(store)
        items = (await store.runs.page(limit=limit)).items
        return tuple(ListedRun(**dict(item), progress=going_on.get(item.id)) for item in items)


async def _progress(store: Store) -> dict[str, RunProgress]:
    """Id of a run -> how far its job is, of those that are under way or wait for a worker."""
    pages = [await store.jobs.page(state=state, limit=100) for state in WANTED]
    jobs = [job for page in pages for job in page.items if job.kind == "evaluate"]
    return {str(job.params["run_id"]): _of(job) for job in jobs if isinstance(job.params, dict)}


def _of(job: Job) -> RunProgress:
    return RunProgress(job_id=job.id, engine=job.engine, done=job.done, total=job.total, message=job.message)


def _line(item: ListedRun) -> str:
    began, models = f"{item.started_at:%Y-%m-%d %H:%M}", ", ".join(item.models)
    told = f"{item.id}  {began}  {item.source}: {models}; {counted(item.rows, 'row')}, {item.state.value}"
    at = item.progress
    return printable(told if at is None else f"{told}: {at.done} of {at.total or 'unknown'} cells ({at.message})")
