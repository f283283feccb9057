"""`plugineval record`: the answers of a run, a build or a regrading as one file that plays its models again."""

from pathlib import Path
from typing import Annotated

import typer

from plugineval.pccf.errors import AmbiguousNameError, UnknownNameError
from plugineval.server.cli.exit_codes import ExitCode
from plugineval.server.cli.jobs_named import named_job
from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json, say
from plugineval.server.recordings.taking import RecordOutcome, record
from plugineval.server.store.store import Store
from plugineval.server.wording import counted


@with_shared_options
def record_command(
    which: Annotated[str, typer.Argument(metavar="RUN_OR_JOB", help="A run, or the job of a build or a regrading.")],
    out: Annotated[Path, typer.Option("--out", help="The new file, one JSON object a line.", dir_okay=False)],
    *,
    shared: SharedOptions,
) -> None:
    """Write what models answered into a file that plays them again. Exit code 3: it may not be all of it."""
    outcome = run(lambda: _record(which, out, shared), as_json=shared.as_json)
    for warning in outcome.warnings:
        say(f"WARNING: {warning}.")
    if shared.as_json:
        echo_json(outcome.model_dump(mode="json"))
    else:
        typer.echo(_told(outcome))
    raise typer.Exit(ExitCode.INCOMPLETE if outcome.warnings else ExitCode.OK)


async def _record(which: str, out: Path, shared: SharedOptions) -> RecordOutcome:
    async with engine_for(read_settings(shared)) as engine:
        return await record(engine.workspace, await _whole(await engine.workspace.store(), which), out)


async def _whole(store: Store, which: str) -> str:
    """The whole id of the job or run that was named; answers that were handed in are a run without a job."""
    try:
        return (await named_job(store, which, next_step="list runs with `plugineval runs`")).id
    except AmbiguousNameError:
        raise
    except UnknownNameError as unknown:
        try:
            return (await store.runs.get(which)).id
        except UnknownNameError:
            raise unknown from None


def _told(outcome: RecordOutcome) -> str:
    listed = ", ".join(f"{counted(answers, 'answer')} of {model}" for model, answers in outcome.answers.items())
    several = "#MODEL" if len(outcome.answers) > 1 else ""
    return f"{listed} in {outcome.file}. Next: name recorded:{outcome.file}{several} wherever a model may stand"
