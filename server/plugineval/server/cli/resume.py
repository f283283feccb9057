"""`plugineval resume`: go on with an interrupted build or run; answered calls are not made again."""

import json
from typing import Annotated

import typer

from plugineval.pccf.errors import ConfigurationError, UnknownNameError
from plugineval.pccf.values import Json
from plugineval.server.cli.build import build_summary
from plugineval.server.cli.evaluate import exit_code
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, follow, read_settings, run
from plugineval.server.cli.showing import show_stored_report
from plugineval.server.cli.terminal import out
from plugineval.server.jobs.engine import JobEngine
from plugineval.server.jobs.outcomes import BuildOutcome, EvaluationOutcome
from plugineval.server.store.states import JobState
from plugineval.server.store.store import Store
from plugineval.server.store.summaries import Job


@with_shared_options
def resume_command(
    which: Annotated[str | None, typer.Argument(metavar="RUN_OR_JOB", help="A run id or a job id.")] = None,
    last: Annotated[bool, typer.Option("--last", help="The job that was interrupted last.")] = False,
    *,
    shared: SharedOptions,
) -> None:
    """Go on with interrupted work. Prints what the interrupted command would have printed."""
    kind, result = run(lambda: _resume(which, last, shared), as_json=shared.as_json)
    if shared.as_json:
        typer.echo(json.dumps(result))
    elif kind == "build":
        typer.echo(build_summary(BuildOutcome.model_validate(result)))
    code = exit_code(EvaluationOutcome.model_validate(result)) if kind == "evaluate" else ExitCode.OK
    raise typer.Exit(code)


async def _resume(which: str | None, last: bool, shared: SharedOptions) -> tuple[str, Json]:
    if (which is None) != last:
        raise ConfigurationError("name one job", field="resume", allowed=("RUN_OR_JOB", "--last"))
    quiet = shared.as_json
    async with engine_for(read_settings(shared)) as engine:
        store = await engine.workspace.store()
        job = await _find(store, which)
        result = job.result if job.state is JobState.COMPLETED else await _go_on(engine, job, quiet)
        if job.kind == "evaluate" and not quiet:
            await show_stored_report(store, EvaluationOutcome.model_validate(result).run_id, out())
        return job.kind, result


async def _go_on(engine: JobEngine, job: Job, quiet: bool) -> Json:
    running = await engine.resume(job.id)
    if running.state in (JobState.FAILED, JobState.CANCELLED):
        raise ConfigurationError(
            f"job {job.id} is {running.state.value}", field="resume", next_step="start the work again"
        )
    return await follow(engine, running, quiet=quiet)


async def _find(store: Store, which: str | None) -> Job:
    """The interrupted job that was meant: the newest, the one of a run, or by its own id."""
    cursor: str | None = None
    while True:
        page = await store.jobs.page(cursor=cursor, limit=100)
        for job in page.items:
            run_id = job.params.get("run_id") if isinstance(job.params, dict) else None
            if which in (job.id, run_id) or (which is None and job.state is JobState.INTERRUPTED):
                return job
        if page.next_cursor is None:
            name = which or "an interrupted job"
            raise UnknownNameError("job", name, (), next_step="run `plugineval evaluate` or `plugineval build`")
        cursor = page.next_cursor
