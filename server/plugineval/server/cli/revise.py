"""`plugineval revise`: correct gold with a reason; the new gold is executed, and a new version holds it."""

from pathlib import Path
from typing import Annotated

import typer

from plugineval.server.cli.options import SharedOptions, with_shared_options
from plugineval.server.cli.session import engine_for, run, run_job
from plugineval.server.cli.settings_here import read_settings
from plugineval.server.cli.terminal import echo_json
from plugineval.server.cli.version_told import version_told
from plugineval.server.jobs.versioning import VersionOutcome


@with_shared_options
def revise_command(
    benchmark: Annotated[str, typer.Argument(metavar="BENCHMARK", help="The newest version: an id or a name.")],
    file: Annotated[
        Path,
        typer.Option("--file", help="JSON lines of case, reason, and gold, label or remove.", dir_okay=False),
    ],
    note: Annotated[str, typer.Option(help="What the new version is for, in one sentence.")] = "",
    *,
    shared: SharedOptions,
) -> None:
    """Correct gold. Reports on older versions expire; `regrade --gold` counts stored answers again."""
    outcome = run(lambda: _revise(benchmark, file, note, shared), as_json=shared.as_json)
    if shared.as_json:
        echo_json(outcome.model_dump(mode="json"))
    else:
        typer.echo(version_told(outcome, shared))


async def _revise(benchmark: str, file: Path, note: str, shared: SharedOptions) -> VersionOutcome:
    from plugineval.clients.formats.revision_lines import read_revisions
    from plugineval.server.jobs.revise import plan_revision

    revisions = read_revisions(file)
    async with engine_for(read_settings(shared)) as engine:
        params = await plan_revision(engine.workspace, benchmark, revisions, note=note)
        return VersionOutcome.model_validate(await run_job(engine, "revise", params, shared))
